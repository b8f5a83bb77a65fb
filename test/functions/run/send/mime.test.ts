import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { unsubscribePlaceholder } from '../../../../functions/render/texts/foreign-text.ts';
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
  files: [],
  logo: null,
};

/** A message of the digest, or of one that differs from it. */
async function messageOf(
  over: Partial<RenderedDigest> = {},
  { to = 'ada@example.com', ...more }: Partial<MimeSettings> & { to?: string; unsubscribeLink?: string } = {},
): Promise<Buffer> {
  const { unsubscribeLink, ...others } = more;
  const compose = await createMimeComposer({ ...rendered, ...over }, { ...settings, ...others });
  return compose({ to, ...(unsubscribeLink === undefined ? {} : { unsubscribeLink }) });
}
const textOf = async (...digest: Parameters<typeof messageOf>): Promise<string> =>
  (await messageOf(...digest)).toString('latin1');

describe('a message', () => {
  test('reads as it was written', async () => {
    const { from, to, replyTo, subject, html, text, attachments } = await PostalMime.parse(await messageOf());
    expect({ from, to, replyTo, subject, attachments }).toEqual({
      from: { name: 'Harbour, "Leisure" é', address: 'digest@example.com' },
      to: [{ name: '', address: 'ada@example.com' }],
      replyTo: [{ name: '', address: 'comms@example.com' }],
      subject: rendered.subject,
      attachments: [],
    });
    const bodies = [html, text].map((body) => body?.replaceAll('\r\n', '\n').trimEnd());
    expect(bodies).toEqual([rendered.html, rendered.text.trimEnd()]);
  });

  test('has text before html, says that it is automatic and of which list, and has no link to unsubscribe by of itself', async () => {
    const message = await textOf();
    expect(message.indexOf('text/plain; charset=utf-8')).toBeGreaterThan(0);
    expect(message.indexOf('text/html; charset=utf-8')).toBeGreaterThan(message.indexOf('text/plain'));
    expect(message).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(message).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply\r$/m);
    expect(message).toMatch(/^List-ID: "Weekly broadcast digest" <weekly\.example\.com>\r$/im);
    expect(message).not.toMatch(/^(?:X-Mailer|List-Unsubscribe)/im);
  });
});

test('a link to unsubscribe is in the header for one click (RFC 8058), in the html and in the text, whole', async () => {
  const unsubscribeLink = `https://abc.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(14)}x-_y`;
  const placed = { html: `<a href="${unsubscribePlaceholder}">No</a>`, text: `No\n${unsubscribePlaceholder}\n` };
  const { headers, html, text } = await PostalMime.parse(await messageOf(placed, { unsubscribeLink }));
  const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value.replaceAll(/\s/g, '');
  expect([valueOf('list-unsubscribe'), valueOf('list-unsubscribe-post'), html?.trim(), text?.trim()]).toEqual([
    `<${unsubscribeLink}>`,
    'List-Unsubscribe=One-Click',
    `<a href="${unsubscribeLink}">No</a>`,
    `No\n${unsubscribeLink}`,
  ]);
});

test('a file and a logo come with the message, the file as it was, the logo beside the html that shows it', async () => {
  const png = Buffer.from('not really a picture').toString('base64');
  const file = { name: 'weekly_2026-W46.xlsx', content: Buffer.from('PK\u0003\r\n\u0000 not really a workbook') };
  const raw = await messageOf({ html: '<img src="cid:logo">', files: [file], logo: { contentId: 'logo', png } });
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const part = { filename: file.name, mimeType, disposition: 'attachment' };
  expect(attachments).toMatchObject([
    { filename: 'logo.png', mimeType: 'image/png', disposition: 'inline', contentId: '<logo>', content: png },
    { ...part, content: file.content.toString('base64') },
  ]);
  expect(raw.toString('latin1').indexOf('multipart/related')).toBeGreaterThan(0);
});

test.each([
  ['a "b"\r\nBcc: eve@example.com', /^List-ID: "a \\"b\\" Bcc: eve@example\.com"\s+<w\.example\.com>\r$/im],
  ['Übersicht', /^List-ID: =\?UTF-8\?Q\?=C3=9Cbersicht\?= <w\.example\.com>\r$/im],
])('a title of the list may hold what is no ASCII, quotes or line breaks: %j', async (title, line) => {
  expect(await textOf({}, { report: { name: 'w', title } })).toMatch(line);
});

test('wherever a soft line break cuts the placeholder, the text is whole, and no line begins with a dot or is longer than 76', async () => {
  const link = `https://unsubscribe.example.com/${'eyJhbGciOiJkaXIi.'.repeat(14)}?x=%2F=`;
  const words = fc.constantFrom(...Array.from('x =\né€🏊.\t'), 'word ', '.'.repeat(90), unsubscribePlaceholder);
  const start = fc.integer({ min: 0, max: 90 }).map((length) => 'x'.repeat(length));
  await fc.assert(
    fc.asyncProperty(start, fc.array(words, { maxLength: 60 }), async (before, chosen) => {
      const text = `${before}${unsubscribePlaceholder}${chosen.join('')}|`;
      const made = await messageOf({ html: unsubscribePlaceholder, text }, { unsubscribeLink: link });
      const { text: read } = await PostalMime.parse(made);
      expect(read?.replaceAll('\r\n', '\n').trimEnd()).toBe(text.replaceAll(unsubscribePlaceholder, link));
      const [, body = ''] = /\r\n(Content-Type: text\/plain[\s\S]*?)\r\n--/.exec(made.toString('latin1')) ?? [];
      expect(body).toContain('https://unsubscribe.example.com/');
      for (const line of body.split('\r\n')) expect(line).toMatch(/^(?!\.)(?:[\t -~]{0,75}[!-~])?$/);
    }),
  );
});
