import type MimeNode from 'nodemailer/lib/mime-node';
import { unsubscribePlaceholder } from '../../signed-links/unsubscribe-placeholder.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';

/** Words that stand in the headers of a message where something of a subscriber's own comes, and that nobody can guess. */
export interface Placeholders {
  address: string;
  link: string;
}

/** What is a subscriber's own: ASCII, without white space. */
export interface OfSubscriber {
  address: string;
  link: string;
}

/** Puts a subscriber's message together. */
export type MessageTemplate = (marked: OfSubscriber) => Buffer;

type Piece = Buffer | 'address' | 'link' | 'encoded link';

/**
 * Makes a template of a composed message: everything in it is encoded once, and a subscriber's message is put together from
 * its pieces. In bodies, which are quoted-printable, the link takes the place of `unsubscribePlaceholder`, between soft line
 * breaks. Throws a `TypeError` for a message that has a body of another kind than text and files.
 */
export function createMessageTemplate(message: MimeNode, marks: Placeholders): MessageTemplate {
  const pieces = [...cutHeaders(headersOf(message), marks), ...bodyOf(message)];
  return ({ address, link }) => {
    const own = { address: Buffer.from(address), link: Buffer.from(link), 'encoded link': encodeLink(link) };
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? own[piece] : piece)));
  };
}

function headersOf(part: MimeNode): string {
  return `${part.buildHeaders()}\r\n\r\n`;
}

function cutHeaders(headers: string, { address, link }: Placeholders): Piece[] {
  return cutAt(headers, address, 'address', (part) => cutAt(part, link, 'link', (text) => [Buffer.from(text)]));
}

/** A text cut at its marks, with a piece in the place of each, and what is between them made pieces. */
function cutAt(text: string, mark: string, piece: Piece, toPieces: (part: string) => Piece[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, part] of text.split(mark).entries()) {
    if (index > 0) pieces.push(piece);
    pieces.push(...toPieces(part));
  }
  return pieces;
}

/** What a part says: its text or file, or the parts in it (RFC 2046, section 5.1). Its headers are built before. */
function bodyOf(part: MimeNode): Piece[] {
  const { boundary, childNodes } = part;
  if (typeof boundary !== 'string') return encodeBody(part);
  const pieces: Piece[] = [];
  for (const child of childNodes) {
    pieces.push(Buffer.from(`--${boundary}\r\n${headersOf(child)}`), ...bodyOf(child), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return pieces;
}

function encodeBody(part: MimeNode): Piece[] {
  const { content } = part;
  const encoding = part.getTransferEncoding();
  if (Buffer.isBuffer(content) && encoding === 'quoted-printable') return encodeText(content);
  if (Buffer.isBuffer(content) && encoding === 'base64') return [encodeFile(content)];
  throw new TypeError('A part of the message is neither a text nor a file.');
}

function encodeText(text: Buffer): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf(unsubscribePlaceholder); at !== -1; at = text.indexOf(unsubscribePlaceholder, from)) {
    pieces.push(encodeQuotedPrintable(text.subarray(from, at)), 'encoded link');
    from = at + unsubscribePlaceholder.length;
  }
  pieces.push(encodeQuotedPrintable(text.subarray(from)));
  return pieces;
}

/** Base64 in lines of 76 characters (RFC 2045, section 6.8). */
function encodeFile(content: Buffer): Buffer {
  return Buffer.from(content.toString('base64').replaceAll(/.{76}(?!$)/g, '$&\r\n'), 'latin1');
}

/** A link in quoted-printable, on lines of its own. */
function encodeLink(link: string): Buffer {
  const lines = link.replaceAll('=', '=3D').match(/(?:=3D|[^=]){1,24}/g) ?? [];
  return Buffer.from(`=\r\n${lines.join('=\r\n')}=\r\n`);
}
