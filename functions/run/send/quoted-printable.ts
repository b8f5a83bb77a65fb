/** Characters of a line, of which the last is for a soft line break (RFC 2045, section 6.7). */
const columns = 75;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const equals = 0x3d;
const tilde = 0x7e;
const digits = Buffer.from('0123456789ABCDEF');

/** 1 for a byte that is written as it is, wherever it comes. */
const literals = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > space && byte <= tilde && byte !== equals ? 1 : 0,
);

/** The columns that a byte wants where it comes: at the first one of a character those of all of them. */
const widths = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === lineFeed) return 0;
  if (literals[byte] === 1) return 1;
  if (byte < 0xc0) return 3;
  if (byte < 0xe0) return 6;
  return byte < 0xf0 ? 9 : 12;
});

/**
 * A text in UTF-8 whose lines end with LF, in quoted-printable, where they end with CRLF (RFC 2045, section 6.7). No
 * character is torn apart. After it a soft line break and another text may follow.
 */
export function encodeQuotedPrintable(text: Buffer): Buffer {
  const { length } = text;
  // Three for a byte, and three more for each end of a line, which has 64 characters at least.
  const encoded = Buffer.allocUnsafe(length * 3 + Math.ceil((length * 3) / 64) * 3);
  let size = 0;
  let endOfLine = columns;
  for (let index = 0; index < length; index += 1) {
    const byte = text[index] ?? 0;
    if (size + (widths[byte] ?? 0) > endOfLine) {
      encoded[size] = equals;
      encoded[size + 1] = carriageReturn;
      encoded[size + 2] = lineFeed;
      size += 3;
      endOfLine = size + columns;
    }
    if (literals[byte] === 1 || (byte === space && index + 1 < length && text[index + 1] !== lineFeed)) {
      encoded[size] = byte;
      size += 1;
    } else if (byte === lineFeed) {
      encoded[size] = carriageReturn;
      encoded[size + 1] = lineFeed;
      size += 2;
      endOfLine = size + columns;
    } else {
      encoded[size] = equals;
      encoded[size + 1] = digits[byte >> 4] ?? 0;
      encoded[size + 2] = digits[byte & 15] ?? 0;
      size += 3;
    }
  }
  return encoded.subarray(0, size);
}
