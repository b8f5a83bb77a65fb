import { randomBytes } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord, isPlainText, quoteString } from 'nodemailer/lib/mime-funcs';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { unsubscribePlaceholder } from '../../render/texts/foreign-text.ts';
import type { RenderedDigest } from '../../render/render.ts';
import { workbookType } from '../../render/workbook.ts';
import { encode, wrap } from 'nodemailer/lib/qp';

/** The settings of the headers: sender, where answers go, and the list that mail programs filter by. */
export interface MimeSettings {
  mail: Pick<Configuration['mail'], 'brand' | 'from' | 'replyTo'>;
  report: Pick<ReportConfiguration, 'name' | 'title'>;
}

interface SubscriberMime {
  to: string;
  /** The subscriber's https link. Not where the mail was rendered without the place of one. */
  unsubscribeLink?: string;
}

/**
 * A composer of the messages of a rendered digest. It returns a whole message, RFC 5322, with the text and the html as
 * alternatives in UTF-8; a subscriber unsubscribes from one that was rendered with the place of a link with one click
 * (RFC 8058). Message-ID and Date are SES's to set. Addresses are as `Address` of the configuration takes them.
 */
export async function createMimeComposer(rendered: RenderedDigest, settings: MimeSettings) {
  // Nobody can guess it.
  const word = randomBytes(12).toString('hex');
  const placeholders = { to: `${word}@invalid`, unsubscribeLink: `https://${word}` };
  const hasLink = rendered.html.includes(unsubscribePlaceholder);
  const { brand, from, replyTo } = settings.mail;
  const composer = new MailComposer({
    from: { name: brand.name, address: from },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    to: { name: '', address: placeholders.to },
    headers: {
      // RFC 3834: out-of-office notices do not answer it.
      'Auto-Submitted': 'auto-generated',
      // Exchange's do all the same, without this ([MS-OXCMAIL]).
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      'List-Id': { prepared: true, foldLines: true, value: listId(settings) },
      // RFC 2369 and RFC 8058: mail programs show a button of their own, and ask nothing more.
      ...(hasLink && {
        'List-Unsubscribe': `<${placeholders.unsubscribeLink}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...contentOf(rendered),
  });
  return createMessageTemplate(await composer.compile().build(), placeholders);
}

/**
 * A rendered digest as a message that nobody has sent: mail programs that know `X-Unsent` open it as a new one, and whoever
 * sends it says to whom. Its sender is their account, and its Message-ID is the mail program's to make.
 */
export async function composeDraft(rendered: RenderedDigest): Promise<Buffer> {
  // With the date first, `file` knows a mail, and so do small desktops. An empty value leaves out what would be made up.
  const headers = { Date: new Date(), 'X-Unsent': '1', 'Message-ID': { value: '' } };
  return await new MailComposer({ headers, ...contentOf(rendered) }).compile().build();
}

/** Subject, bodies and attachments. */
function contentOf({ subject, html, text, files, logo }: RenderedDigest) {
  const logoPart = { filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline' as const };
  const filePart = { contentType: workbookType, contentTransferEncoding: 'base64' as const };
  return {
    subject,
    html: Buffer.from(html),
    text: Buffer.from(text),
    // The same encoding for every text: no line is then too long for a server on the way.
    encoding: 'quoted-printable',
    newline: 'windows',
    attachments: [
      ...(logo ? [{ ...logoPart, cid: logo.contentId, content: Buffer.from(logo.png, 'base64') }] : []),
      ...files.map(({ name, content }) => Object.assign({ filename: name, content }, filePart)),
    ],
    // Texts of the service are content, never the names of files or URLs to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** RFC 2919: a description and an identifier under a domain of the sender's. */
function listId({ mail, report }: MimeSettings): string {
  const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1);
  const line = report.title.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const description = isPlainText(line) ? quoteString(line) : encodeWord(line, 'Q', 52);
  return `${description} <${report.name}.${domain}>`;
}

/** `unsubscribePlaceholder` in quoted-printable, wherever soft line breaks cut it (RFC 2045, section 6.7). */
const placeholderInBody = encode(unsubscribePlaceholder)
  .match(/=[\dA-F]{2}|./g)
  ?.join('(?:=\r\n)?');

/** Encodes dots at the start of lines: a server on the way may take a lone one for the end of the message, or lose one of two. */
function encodeLeadingDots(encoded: string): string {
  return encoded.replaceAll(/^\.+/gm, (dots) => `${wrap('=2E'.repeat(dots.length), 75)}=\r\n`);
}

/**
 * Makes a template of an encoded message, so that a run encodes its mail once. In headers a subscriber's address and
 * link take the place of `placeholders`, which are letters, digits, `@`, `:` and `/`. In bodies, which are quoted-printable,
 * the link takes the place of `unsubscribePlaceholder`, between soft line breaks.
 */
function createMessageTemplate(message: Buffer, placeholders: Required<SubscriberMime>) {
  // What is in parentheses is among the pieces, too: every second one is a placeholder.
  const pieces = message
    .toString('latin1')
    .split(new RegExp(`(${placeholders.to}|${placeholders.unsubscribeLink}|${placeholderInBody})`))
    .map((piece, index) => (index % 2 === 0 ? Buffer.from(encodeLeadingDots(piece), 'latin1') : piece));
  return ({ to, unsubscribeLink = '' }: SubscriberMime) => {
    const inHeaders = new Map([
      [placeholders.to, Buffer.from(to)],
      [placeholders.unsubscribeLink, Buffer.from(unsubscribeLink)],
    ]);
    const inBody = Buffer.from(`=\r\n${encodeLeadingDots(wrap(encode(unsubscribeLink), 75))}=\r\n`);
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? (inHeaders.get(piece) ?? inBody) : piece)));
  };
}
