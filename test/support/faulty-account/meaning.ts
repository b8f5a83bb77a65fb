import { broadcastById, deliveriesAsOf, type Recipient } from '../../../infra/local/sample-account/account.ts';
import { hashOf, type Deviation } from './deviation.ts';

/** When something happened, in epoch milliseconds; `unreadable`: it did, but its date cannot be read. */
export type Happened = number | 'unreadable' | null;

/** A row of a recipient list as it is meant, however it is written on the wire. */
export interface PlainRow {
  seen: Happened;
  responded: Happened;
  rating: number | null;
}

/** The zone of the report that the matrix runs. */
export const timeZone = 'Europe/London';

const hostileTexts = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{subject}} {{{brand}}} {count} ${name} $& $1',
  'Bell\u0007 null\u0000 escape\u001b[31m line\r\nBcc: eve@example.com\ttab\u2028sep',
  'invoice\u202egpj.exe \u2066isolate\u2069',
  '=HYPERLINK("https://evil.example","x")',
  '"><a href="https://evil.example/">click</a><!--',
  '&amp; &lt;b&gt; 100 % "quoted" \'single\'',
];

/** An identifier as the service gives it in its odd mood; `plainId` leads back. */
export function oddId(id: string, ids: Deviation['ids']): string {
  if (ids === 'awkward') return `a/b?c=d&e#f%2F..;g h+ü/../${id}`;
  if (ids === 'long text' || ids === 'long number') return `90071992547409930${/^\d+$/.test(id) ? id : digitsOf(id)}`;
  return id;
}

/** A UUID in decimal, so that it can be a number. */
function digitsOf(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '')}`)
    .toString()
    .padStart(39, '0');
}

/** The sample account's own identifier behind an odd one. */
export function plainId(odd: string, ids: Deviation['ids']): string {
  if (ids === 'awkward') return odd.slice(odd.lastIndexOf('/') + 1);
  if (ids !== 'long text' && ids !== 'long number') return odd;
  const digits = odd.slice('90071992547409930'.length);
  if (digits.length < 39) return digits;
  const hex = BigInt(digits).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A text of the service in its odd mood; `key` makes the choice the same each time. */
export function oddText(text: string, key: string, texts: Deviation['texts']): string {
  if (texts === 'hostile') return `${hostileTexts[hashOf(key) % hostileTexts.length]} ${text}`;
  if (texts === 'long') return `${text} `.repeat(Math.ceil(10_000 / (text.length + 1))).slice(0, 10_000);
  return texts === 'empty' ? '' : text;
}

/** The name of a broadcast; `null` where it does not come. */
export function nameOf({ id, name }: { id: string; name: string }, deviation: Deviation): string | null {
  return deviation.missing === 'names' ? null : oddText(name, id, deviation.texts);
}

/** The type of a content item. A rating stays one: by its type it is known. */
export function typeOf({ id, type }: { id: string; type: string }, deviation: Deviation): string {
  return type === 'rating' ? type : oddText(type, id, deviation.texts);
}

/** The account's things that a switch singles out: one new delivery, and another one's broadcast and content item. */
export interface Victims {
  delivery: string;
  broadcast: string;
  content: { delivery: string; content: string };
}

/** The victims are the newest deliveries that were sent, of different broadcasts. */
export function victimsOf(asOf: string): Victims {
  const sent = deliveriesAsOf(asOf).filter(({ status }) => status === 'delivered');
  const others = sent.filter((delivery) => delivery.broadcast.id !== sent[3]?.broadcast.id);
  const [one, other] = [sent[3], others[4]];
  const third = others.find((delivery) => delivery.broadcast.id !== other?.broadcast.id);
  const content = third === undefined ? undefined : broadcastById(third.broadcast.id, asOf)?.contents[0];
  if (one === undefined || other === undefined || third === undefined || content === undefined) {
    throw new Error('The sample account has too few deliveries for the matrix.');
  }
  return {
    delivery: one.id,
    broadcast: other.broadcast.id,
    content: { delivery: third.id, content: content.id },
  };
}

/** A delivery's recipient list as it is meant. */
export function recipientRows(rows: readonly Recipient[], isVictim: boolean, deviation: Deviation): PlainRow[] {
  const plain = rows.map((row, index) => plainRow(row, index, deviation));
  return isVictim && deviation.times > 1 ? Array.from({ length: deviation.times }, () => plain).flat() : plain;
}

/** A content item's recipient list as it is meant; `ofDelivery` is the length of its delivery's own list. */
export function contentRows(rows: readonly Recipient[], ofDelivery: number, deviation: Deviation): PlainRow[] {
  const plain = rows.map((row, index) => plainRow(row, index, deviation));
  const engaged = plain.filter(({ seen, responded }) => seen !== null || responded !== null);
  if (deviation.contentLists === 'engaged') return engaged;
  if (deviation.contentLists === 'padded') return [...plain, nobody, nobody];
  if (deviation.contentLists === 'mixed') return plain;
  const missing = Math.max(0, ofDelivery + 5 - engaged.length);
  return [...engaged, ...Array.from({ length: missing }, () => nobody)];
}

const nobody: PlainRow = { seen: null, responded: null, rating: null };

function plainRow({ seenAt, respondedAt, rating }: Recipient, index: number, { dates }: Deviation): PlainRow {
  const happened = (text: string | null): Happened => {
    if (text === null) return null;
    return dates === 'partly unreadable' && index % 5 === 4 ? 'unreadable' : Date.parse(text);
  };
  return { seen: happened(seenAt), responded: happened(respondedAt), rating: rating ?? null };
}
