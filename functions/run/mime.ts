import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord, isPlainText, quoteString } from 'nodemailer/lib/mime-funcs';

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
  html: string;
  text: string;
  /** The list that mail programs filter by: the report's name and title. */
  list: { report: string; title: string };
}

/** What one message has of its own. */
export interface SubscriberMime {
  /** The subscriber's address: one, however many it looks like. */
  to: string;
  /** Further headers by their names, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * A composer of messages that have all but their subscriber in common. It gives a whole message, RFC 5322, with the
 * text and the html as alternatives in UTF-8. Message-ID and Date are SES's to set. Throws a `TypeError` for an address
 * that is not exactly one `local@domain`.
 */
export function createMimeComposer(common: CommonMime): (subscriber: SubscriberMime) => Promise<Buffer> {
  const { from, replyTo, subject, html, text, list } = common;
  const shared = {
    from: { name: from.name, address: mailbox(from.address) },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: mailbox(replyTo) } }),
    subject,
    // The same encoding for every text, whatever it says: no line is then too long for a server on the way.
    encoding: 'quoted-printable',
    html,
    text,
    // Texts of the service are content, never the names of files or addresses to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  };
  const headers = {
    // RFC 3834: out-of-office notices do not answer it.
    'Auto-Submitted': 'auto-generated',
    'List-Id': { prepared: true, foldLines: true, value: listId(list, from.address) },
  };
  return ({ to, headers: own = {} }) =>
    new MailComposer({
      ...shared,
      to: { name: '', address: mailbox(to) },
      headers: { ...headers, ...own },
    })
      .compile()
      .build();
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
