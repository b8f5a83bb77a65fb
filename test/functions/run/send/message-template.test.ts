import MimeNode from 'nodemailer/lib/mime-node';
import { expect, test } from 'vitest';
import { unsubscribePlaceholder } from '../../../../functions/signed-links/unsubscribe-placeholder.ts';
import { createMessageTemplate } from '../../../../functions/run/send/message-template.ts';

const marks = { address: 'm1@example.invalid', link: 'https://m2' };
const ada = { address: 'ada@example.com', link: 'https://leave.example.com/?token=abc' };

function textPart(content: string): MimeNode {
  const part = new MimeNode('text/plain; charset=utf-8');
  return part.setHeader('Content-Transfer-Encoding', 'quoted-printable').setContent(Buffer.from(content));
}

function bodyOf(message: Buffer): string {
  return message.toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n');
}

test('marks in headers become what is a subscriber’s own', () => {
  const message = textPart('Hello m1@example.invalid').setHeader({
    to: 'm1@example.invalid',
    'list-unsubscribe': { prepared: true, value: '<https://m2>' },
  });
  const made = createMessageTemplate(message, marks)(ada).toString('latin1');
  expect(made).toMatch(/^To: ada@example\.com\r$/m);
  expect(made).toMatch(/^List-Unsubscribe: <https:\/\/leave\.example\.com\/\?token=abc>\r$/m);
  expect(made).toMatch(/\r\n\r\nHello m1@example\.invalid$/);
});

test('the link is in bodies where it is due, encoded as they are', () => {
  const message = textPart(`Leave: ${unsubscribePlaceholder} or stay, über alles\n${unsubscribePlaceholder}\n`);
  expect(bodyOf(createMessageTemplate(message, marks)(ada))).toBe(
    [
      'Leave:=20=',
      'https://leave.example.co=',
      'm/?token=3Dabc=',
      ' or stay, =C3=BCber alles',
      '=',
      'https://leave.example.co=',
      'm/?token=3Dabc=',
      '',
      '',
    ].join('\r\n'),
  );
});

test('parts follow each other between their boundaries, a file in base64', () => {
  const message = new MimeNode('multipart/mixed', { baseBoundary: 'b', boundaryPrefix: '--' });
  message.appendChild(textPart('Hello\n'));
  const file = message.createChild('text/csv').setHeader('Content-Transfer-Encoding', 'base64');
  file.setContent(Buffer.from('x'.repeat(60)));
  expect(bodyOf(createMessageTemplate(message, marks)(ada))).toBe(
    [
      '-----b-Part_1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Hello',
      '',
      '-----b-Part_1',
      'Content-Type: text/csv',
      'Content-Transfer-Encoding: base64',
      '',
      'eHh4'.repeat(19),
      'eHh4',
      '-----b-Part_1--',
      '',
    ].join('\r\n'),
  );
});

test('no line of a body is longer than 76 characters, however the link falls', () => {
  for (let length = 60; length < 160; length += 1) {
    const text = `${'x'.repeat(length)}${unsubscribePlaceholder}${'é'.repeat(length)}\n${'y '.repeat(length)}`;
    const lines = bodyOf(createMessageTemplate(textPart(text), marks)(ada)).split('\r\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
  }
});

test('a template makes one message after the other, and nothing of one is in the next', () => {
  const fill = createMessageTemplate(textPart(`Leave ${unsubscribePlaceholder}`).setHeader('to', marks.address), marks);
  const first = fill(ada);
  const second = fill({ address: 'grace@example.com', link: 'https://b.example' });
  expect([first.includes('ada@example.com'), first.includes('leave.example')]).toEqual([true, true]);
  expect([second.includes('ada@'), second.includes('leave.example')]).toEqual([false, false]);
});

test('a body that is neither text nor file is refused', () => {
  const message = new MimeNode('text/plain').setContent({ path: '/etc/hostname' });
  expect(() => createMessageTemplate(message, marks)).toThrow(
    new TypeError('A part of the message is neither a text nor a file.'),
  );
});
