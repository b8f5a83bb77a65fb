/** Words that stand in a finished message where something of one subscriber's comes. */
export interface Marks {
  /** In the headers alone. */
  address: string;
  /** In the headers, and in bodies that are quoted-printable. */
  link: string | null;
}

/** What takes the place of the marks: ASCII, without white space. */
export interface Marked {
  address: string;
  link: string;
}

type Piece = Buffer | 'address' | 'link' | 'encoded link';

/**
 * Makes a mould of a finished message: everything in it is encoded once, and a message of a subscriber's own is put
 * together from its pieces. Each mark is replaced wherever it stands; in a body, where an encoded line may break within
 * it, by what it stands for with a soft line break on both sides (RFC 2045, section 6.7).
 */
export function createMould(message: Buffer, marks: Marks): (marked: Marked) => Buffer {
  const pieces = cut(message, marks);
  return ({ address, link }) => {
    const own = { address: Buffer.from(address), link: Buffer.from(link), 'encoded link': encodeLink(link) };
    return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? own[piece] : piece)));
  };
}

function cut(message: Buffer, { address, link }: Marks): Piece[] {
  const text = message.toString('latin1');
  const endOfHeaders = text.indexOf('\r\n\r\n');
  const pieces: Piece[] = [];
  let from = 0;
  const words = link === null ? address : `${address}|${link.split('').join('(?:=\\r\\n)?')}`;
  for (const { 0: found, index } of text.matchAll(new RegExp(words, 'g'))) {
    pieces.push(message.subarray(from, index));
    pieces.push(found === address ? 'address' : index < endOfHeaders ? 'link' : 'encoded link');
    from = index + found.length;
  }
  pieces.push(message.subarray(from));
  return pieces;
}

/** A link in quoted-printable, on lines of its own. */
function encodeLink(link: string): Buffer {
  const lines = link.replaceAll('=', '=3D').match(/(?:=3D|[^=]){1,24}/g) ?? [];
  return Buffer.from(`=\r\n${lines.join('=\r\n')}=\r\n`);
}
