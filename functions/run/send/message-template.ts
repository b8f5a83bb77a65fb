import { encode, wrap } from 'nodemailer/lib/qp';
import { unsubscribePlaceholder } from '../../signed-links/unsubscribe-placeholder.ts';

/** What differs between the messages of a run: the subscriber's address, as it is in a header, and unsubscribe link. */
interface OfSubscriber {
  address: string;
  link: string;
}

/** Puts a subscriber's message together. */
type MessageTemplate = (own: OfSubscriber) => Buffer;

/** `unsubscribePlaceholder` in quoted-printable, wherever soft line breaks cut it (RFC 2045, section 6.7). */
const placeholderInBody = encode(unsubscribePlaceholder)
  .match(/=[\dA-F]{2}|./g)
  ?.join('(?:=\r\n)?');

/**
 * Makes a template of an encoded message, so that a run encodes its mail once. In headers a subscriber's own address and
 * link take the place of `placeholders`, which are letters, digits, `@`, `:` and `/`. In bodies, which are quoted-printable,
 * the link takes the place of `unsubscribePlaceholder`, between soft line breaks.
 */
export function createMessageTemplate(message: Buffer, placeholders: OfSubscriber): MessageTemplate {
  const { address, link } = placeholders;
  // What is in parentheses is among the parts, too: every second one is a placeholder.
  const parts = message.toString('latin1').split(new RegExp(`(${address}|${link}|${placeholderInBody})`));
  const pieces = parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part, 'latin1') : part));
  return (own) => {
    const inHeaders = new Map([
      [address, Buffer.from(own.address)],
      [link, Buffer.from(own.link)],
    ]);
    const inBody = Buffer.from(`=\r\n${wrap(encode(own.link), 75)}=\r\n`);
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? (inHeaders.get(piece) ?? inBody) : piece)));
  };
}
