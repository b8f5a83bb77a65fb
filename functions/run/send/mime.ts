import { randomBytes } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord, isPlainText, quoteString } from 'nodemailer/lib/mime-funcs';
import { once } from './once.ts';
import { createMessageTemplate, type MessageTemplate } from './message-template.ts';

/** A mailbox with the name that is shown for it. */
interface Mailbox {
  name: string;
  address: string;
}

/** What all messages of a run have in common. */
export interface CommonMime {
  from: Mailbox;
  /** Where answers go, when not to `from`. */
  replyTo?: string;
  subject: string;
  /** Html and text, with the placeholder of the link to leave by, if there is to be one. */
  html: string;
  text: string;
  /** A file that comes with the mail, in UTF-8. */
  csv?: { name: string; content: string } | null;
  /** A PNG in base64 that the html shows by its content id (RFC 2392). */
  logo?: { contentId: string; png: string } | null;
  /** The list that mail programs filter by: the report's name and title. */
  list: { report: string; title: string };
}

/** What one message has of its own. */
export interface SubscriberMime {
  /** The subscriber's address: one, however many it looks like. */
  to: string;
  /** Where the subscriber leaves the list: an https address. */
  unsubscribeLink?: string;
}

/**
 * A composer of messages that have all but their subscriber in common. It gives a whole message, RFC 5322, with the
 * text and the html as alternatives in UTF-8; one with a link to leave by can be left with one click (RFC 8058).
 * Message-ID and Date are SES's to set. Throws a `TypeError` for an address that is not exactly one `local@domain`.
 */
export function createMimeComposer(common: CommonMime): (subscriber: SubscriberMime) => Buffer {
  const { from, replyTo, subject, html, text, list } = common;
  const shared = {
    from: { name: from.name, address: mailbox(from.address) },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: mailbox(replyTo) } }),
    subject,
    html: utf8Of(html),
    text: utf8Of(text),
    // The same encoding for every text, whatever it says: no line is then too long for a server on the way.
    encoding: 'quoted-printable',
    attachments: attachmentsOf(common),
    // Texts of the service are content, never the names of files or addresses to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const headers = {
    // RFC 3834: out-of-office notices do not answer it.
    'Auto-Submitted': 'auto-generated',
    'List-Id': { prepared: true, foldLines: true, value: listId(list, from.address) },
  };
  // Words that nobody can guess.
  const word = randomBytes(12).toString('hex');
  const placeholders = { address: `${word}@example.invalid`, link: `https://${word}` };
  const templateFor = (to: string, hasLink: boolean): MessageTemplate => {
    const composer = new MailComposer({
      ...shared,
      to: { name: '', address: to },
      headers: hasLink ? { ...headers, ...unsubscribeHeaders(placeholders.link) } : headers,
    });
    return createMessageTemplate(composer.compile(), placeholders);
  };
  const templates = {
    withLink: once(() => templateFor(placeholders.address, true)),
    withoutLink: once(() => templateFor(placeholders.address, false)),
  };
  return ({ to, unsubscribeLink }) => {
    const own = { address: mailbox(to), link: unsubscribeLink ?? '' };
    const hasLink = unsubscribeLink !== undefined;
    if (hasLink) checkLink(unsubscribeLink);
    // An address beyond ASCII is encoded by rules of its own.
    if (!/^[!-~]+$/.test(to)) return templateFor(to, hasLink)(own);
    const fill = hasLink ? templates.withLink() : templates.withoutLink();
    return fill(own);
  };
}

const utf8 = new TextEncoder();

/** A text in UTF-8, in half the time that `Buffer.from` takes, which measures it first. */
function utf8Of(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length * 3);
  return bytes.subarray(0, utf8.encodeInto(text, bytes).written);
}

/** RFC 2369 and RFC 8058: mail programs show a button of their own, and ask nothing more. */
function unsubscribeHeaders(link: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function checkLink(link: string): void {
  if (!/^https?:\/\/[\w.~:/?=%-]+$/.test(link)) throw new TypeError('A link to leave by is not one plain address.');
}

function attachmentsOf({ csv, logo }: CommonMime) {
  const picture = { filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline' as const };
  const file = { contentType: 'text/csv; charset=utf-8', contentTransferEncoding: 'base64' as const };
  return [
    ...(logo ? [{ ...picture, cid: logo.contentId, content: Buffer.from(logo.png, 'base64') }] : []),
    ...(csv ? [{ ...file, filename: csv.name, content: Buffer.from(csv.content) }] : []),
  ];
}

/** RFC 2919: a description and an identifier under a domain of the sender's. */
function listId({ report, title }: CommonMime['list'], fromAddress: string): string {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1);
  const line = title.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const description = isPlainText(line) ? quoteString(line) : encodeWord(line, 'Q', 52);
  return `${description} <${report}.${domain}>`;
}

/** One address that no mail program can read as several, or as a name with an address behind it. */
function mailbox(address: string): string {
  if (!/^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>()[\],;:"\\@]+$/u.test(address)) {
    throw new TypeError('An address of the message is not exactly one "local@domain".');
  }
  return address;
}
