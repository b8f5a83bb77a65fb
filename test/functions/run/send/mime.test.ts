import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { unsubscribePlaceholder } from '../../../../functions/signed-links/unsubscribe-placeholder.ts';
import { createMimeComposer, type MimeSettings } from '../../../../functions/run/send/mime.ts';
import type { RenderedDigest } from '../../../../functions/render/render.ts';

const brand = { name: 'Harbour, "Leisure" é', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } };
const settings: MimeSettings = {
  mail: { brand, from: 'digest@example.com', replyTo: 'comms@example.com' },
  report: { name: 'weekly', title: 'Weekly broadcast digest' },
};
const rendered: RenderedDigest = {
  subject: 'Weekly digest: 1,284 views (+182) 🏊',
  html: `<p>Views: 1,284 &amp; ünïcode</p>${'<td>x</td>'.repeat(500)}`,
  text: 'Views: 1,284\n\n.\nFrom the team, ünïcode\n',
  csv: null,
  logo: null,
};

async function composeText(over: Partial<MimeSettings> = {}): Promise<string> {
  const compose = await createMimeComposer(rendered, { ...settings, ...over });
  return compose({ to: 'ada@example.com' }).toString('latin1');
}

describe('a message', () => {
  test('reads as it was written', async () => {
    const message = await PostalMime.parse(await composeText());
    expect({
      from: message.from,
      to: message.to,
      replyTo: message.replyTo,
      subject: message.subject,
      html: message.html?.replaceAll('\r\n', '\n').trimEnd(),
      text: message.text?.replaceAll('\r\n', '\n').trimEnd(),
      attachments: message.attachments,
    }).toEqual({
      from: { name: 'Harbour, "Leisure" é', address: 'digest@example.com' },
      to: [{ name: '', address: 'ada@example.com' }],
      replyTo: [{ name: '', address: 'comms@example.com' }],
      subject: 'Weekly digest: 1,284 views (+182) 🏊',
      html: rendered.html,
      text: rendered.text.trimEnd(),
      attachments: [],
    });
  });

  test('has text before html, and says that it is automatic and of which list', async () => {
    const message = await composeText();
    expect(message.indexOf('text/plain; charset=utf-8')).toBeGreaterThan(0);
    expect(message.indexOf('text/html; charset=utf-8')).toBeGreaterThan(message.indexOf('text/plain'));
    expect(message).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(message).toMatch(/^List-ID: "Weekly broadcast digest" <weekly\.example\.com>\r$/im);
    expect(message).not.toMatch(/^X-Mailer/im);
  });

  test('has lines of no more than 998 bytes that end with CRLF, and only ASCII', async () => {
    const message = await composeText();
    expect(Math.max(...message.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u0080-\u00ff]/);
  });

  test('has no header to unsubscribe where it was rendered without the place of a link', async () => {
    expect(await composeText()).not.toMatch(/^List-Unsubscribe/im);
  });

  test('has no Reply-To unless one is configured', async () => {
    const { replyTo: _, ...mail } = settings.mail;
    expect(await composeText({ mail })).not.toMatch(/^Reply-To:/im);
  });
});

describe('a message with an unsubscribe link', () => {
  const unsubscribeLink = `https://abc.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(14)}x-_y`;
  const withPlaceholder = {
    ...rendered,
    html: `<a href="${unsubscribePlaceholder}">Unsubscribe</a>`,
    text: `Unsubscribe\n${unsubscribePlaceholder}\n`,
  };

  test('has it in the header for one click (RFC 8058), in the html and in the text, whole', async () => {
    const raw = (await createMimeComposer(withPlaceholder, settings))({ to: 'ada@example.com', unsubscribeLink });
    const { headers, html, text } = await PostalMime.parse(raw);
    const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value.replaceAll(/\s/g, '');
    expect({
      link: valueOf('list-unsubscribe'),
      post: valueOf('list-unsubscribe-post'),
      html: html?.trim(),
      text: text?.trim(),
    }).toEqual({
      link: `<${unsubscribeLink}>`,
      post: 'List-Unsubscribe=One-Click',
      html: `<a href="${unsubscribeLink}">Unsubscribe</a>`,
      text: `Unsubscribe\n${unsubscribeLink}`,
    });
  });

  test.each([
    'https://example.com/u>\r\nBcc: eve@example.com',
    'https://example.com/"x',
    'javascript:alert(1)',
    '',
    undefined,
  ])('is refused where the link is missing or not one plain URL: %j', async (link) => {
    const compose = await createMimeComposer(withPlaceholder, settings);
    const own = link === undefined ? {} : { unsubscribeLink: link };
    expect(() => compose({ to: 'ada@example.com', ...own })).toThrow(
      new TypeError('An unsubscribe link is not one plain URL.'),
    );
  });
});

test('a file and a logo come with the message, the file as it was, the logo beside the html that shows it', async () => {
  const png = Buffer.from('not really a picture').toString('base64');
  const csv = { name: 'weekly_2026-W46.csv', content: '\ufeffname\r\nÜber, "x"\r\n' };
  const shown = { ...rendered, html: '<img src="cid:logo">', csv, logo: { contentId: 'logo', png } };
  const raw = (await createMimeComposer(shown, settings))({ to: 'ada@example.com' });
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  const ofCsv = { filename: csv.name, mimeType: 'text/csv', disposition: 'attachment' };
  expect(attachments).toMatchObject([
    { filename: 'logo.png', mimeType: 'image/png', disposition: 'inline', contentId: '<logo>', content: png },
    { ...ofCsv, content: Buffer.from(csv.content).toString('base64') },
  ]);
  expect(raw.toString('latin1').indexOf('multipart/related')).toBeGreaterThan(0);
});

test('a title of the list may hold what is no ASCII, quotes or line breaks', async () => {
  expect(await composeText({ report: { name: 'w', title: 'a "b"\r\nBcc: eve@example.com' } })).toMatch(
    /^List-ID: "a \\"b\\" Bcc: eve@example\.com"\s+<w\.example\.com>\r$/im,
  );
  expect(await composeText({ report: { name: 'w', title: 'Übersicht' } })).toMatch(
    /^List-ID: =\?UTF-8\?Q\?=C3=9Cbersicht\?= <w\.example\.com>\r$/im,
  );
});

test('wherever a soft line break cuts the placeholder, the text is whole and no line is longer than 76', async () => {
  const link = `https://unsubscribe.example.com/${'eyJhbGciOiJkaXIi.'.repeat(14)}?x=%2F=`;
  const words = fc.constantFrom('x', ' ', '=', '\n', 'é', '€', '🏊', 'word ', '.', '\t', unsubscribePlaceholder);
  const start = fc.integer({ min: 0, max: 90 }).map((length) => 'x'.repeat(length));
  await fc.assert(
    fc.asyncProperty(start, fc.array(words, { maxLength: 60 }), async (before, chosen) => {
      const text = `${before}${unsubscribePlaceholder}${chosen.join('')}|`;
      const compose = await createMimeComposer({ ...rendered, html: unsubscribePlaceholder, text }, settings);
      const made = compose({ to: 'ada@example.com', unsubscribeLink: link });
      const { text: read } = await PostalMime.parse(made);
      expect(read?.replaceAll('\r\n', '\n').trimEnd()).toBe(text.replaceAll(unsubscribePlaceholder, link));
      const [, body = ''] = /\r\n(Content-Type: text\/plain[\s\S]*?)\r\n--/.exec(made.toString('latin1')) ?? [];
      expect(body).toContain('https://unsubscribe.example.com/');
      for (const line of body.split('\r\n')) expect(line).toMatch(/^(?:[\t -~]{0,75}[!-~])?$/);
    }),
  );
});

test('nothing of one subscriber is in the message of the next', async () => {
  const compose = await createMimeComposer({ ...rendered, html: unsubscribePlaceholder }, settings);
  compose({ to: 'ada@example.com', unsubscribeLink: 'https://a.example' });
  const next = compose({ to: 'grace@example.com', unsubscribeLink: 'https://b.example' });
  expect([next.includes('ada@'), next.includes('a.example'), next.includes('b.example')]).toEqual([false, false, true]);
});

test.each([
  ['Ada@Example.com', 'Ada@Example.com'],
  ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
])('the address %s is in the header as %s', async (to, written) => {
  const compose = await createMimeComposer(rendered, settings);
  expect(/^To: (.*)\r$/m.exec(compose({ to }).toString('latin1'))?.[1]).toBe(written);
});

test('what looks like the name of a file or a URL to fetch is text', async () => {
  const shown = { ...rendered, html: '/etc/passwd', text: 'https://example.com/' };
  const message = await PostalMime.parse((await createMimeComposer(shown, settings))({ to: 'a@example.com' }));
  expect([message.html?.trim(), message.text?.trim()]).toEqual(['/etc/passwd', 'https://example.com/']);
});

test.each([
  'ada@example.com, eve@example.com',
  'ada@example.com;eve@example.com',
  'Ada <ada@example.com>',
  'group: ada@example.com;',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada',
  'ada@',
  '',
])('what is not exactly one address is refused without being repeated: %j', async (to) => {
  const compose = await createMimeComposer(rendered, settings);
  expect(() => compose({ to })).toThrow(new TypeError('An address of the message is not exactly one "local@domain".'));
});
