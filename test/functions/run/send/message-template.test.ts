import fc from 'fast-check';
import MimeNode from 'nodemailer/lib/mime-node';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { unsubscribePlaceholder } from '../../../../functions/signed-links/unsubscribe-placeholder.ts';
import { createMessageTemplate } from '../../../../functions/run/send/mime.ts';

const placeholders = { address: 'p1@invalid', link: 'https://p2' };
const ada = { address: 'ada@example.com', link: 'https://unsubscribe.example.com/?token=abc' };

/** An encoded message of one text. */
async function textMessage(content: string): Promise<Buffer> {
  const part = new MimeNode('text/plain; charset=utf-8', { newline: 'windows' });
  part.setHeader('Content-Transfer-Encoding', 'quoted-printable').setHeader({
    to: placeholders.address,
    'list-unsubscribe': { prepared: true, value: `<${placeholders.link}>` },
  });
  return await part.setContent(Buffer.from(content)).build();
}

function bodyOf(message: Buffer): string {
  return message.toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n');
}

test('placeholders in headers become the subscriber’s own address and link', async () => {
  const made = createMessageTemplate(await textMessage('Hello'), placeholders)(ada).toString('latin1');
  expect(made).toMatch(/^To: ada@example\.com\r$/m);
  expect(made).toMatch(/^List-Unsubscribe: <https:\/\/unsubscribe\.example\.com\/\?token=abc>\r$/m);
  expect(made).not.toMatch(/p1@invalid|p2/);
});

test('the link is in bodies where the placeholder is, encoded as they are', async () => {
  const message = await textMessage(`Go: ${unsubscribePlaceholder} or stay, über alles\n${unsubscribePlaceholder}\n`);
  expect(bodyOf(createMessageTemplate(message, placeholders)(ada))).toBe(
    [
      'Go: =',
      'https://unsubscribe.example.com/?token=3Dabc=',
      ' or stay, =C3=BCber alles',
      '=',
      'https://unsubscribe.example.com/?token=3Dabc=',
      '',
      '',
    ].join('\r\n'),
  );
});

test('wherever a soft line break cuts the placeholder, the text is whole and no line is longer than 76', async () => {
  const link = `https://unsubscribe.example.com/${'eyJhbGciOiJkaXIi.'.repeat(14)}?x=%2F=`;
  const words = fc.constantFrom('x', ' ', '=', '\n', 'é', '€', '🏊', 'word ', '.', '\t', unsubscribePlaceholder);
  const start = fc.integer({ min: 0, max: 90 }).map((length) => 'x'.repeat(length));
  await fc.assert(
    fc.asyncProperty(start, fc.array(words, { maxLength: 60 }), async (before, chosen) => {
      const text = `${before}${unsubscribePlaceholder}${chosen.join('')}|`;
      const made = createMessageTemplate(await textMessage(text), placeholders)({ ...ada, link });
      const { text: read } = await PostalMime.parse(made);
      expect(read?.replaceAll('\r\n', '\n').trimEnd()).toBe(text.replaceAll(unsubscribePlaceholder, link));
      for (const line of bodyOf(made).split('\r\n')) expect(line).toMatch(/^(?:[\t -~]{0,75}[!-~])?$/);
    }),
  );
});

test('a template makes one message after the other, and nothing of one is in the next', async () => {
  const fill = createMessageTemplate(await textMessage(`Go: ${unsubscribePlaceholder}`), placeholders);
  const first = fill(ada);
  const second = fill({ address: 'grace@example.com', link: 'https://b.example' });
  expect([first.includes('ada@example.com'), first.includes('unsubscribe.example')]).toEqual([true, true]);
  expect([second.includes('ada@'), second.includes('unsubscribe.example')]).toEqual([false, false]);
});
