import { randomUUID } from 'node:crypto';

/** SES's default limit for a raw message, in bytes. */
const maxMessageBytes = 10 * 1024 * 1024;

/** SES's limit for the destinations of one call. */
export const maxDestinations = 50;

/** A refusal in SES's own words and code. It may name an address, as SES's do. */
export class SesRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SesRefusal';
    this.code = code;
  }
}

/** A header field as it is in the message: its lower-case name, and its lines without the last line break. */
interface Field {
  name: string;
  text: string;
}

/** A raw message that SES would take: its header fields, and the rest with the blank line before it. */
export interface RawMessage {
  fields: Field[];
  rest: Buffer;
}

/** Fields that RFC 5322, section 3.6, allows only once; SES refuses a second one. */
const singleFields = ['from', 'to', 'cc', 'subject', 'date', 'message-id', 'reply-to', 'mime-version', 'content-type'];

/**
 * Reads the header of a raw message and refuses what SES refuses.
 *
 * @throws {SesRefusal} where it is too large, is no message, lacks From or To, or has a field twice that may be there
 *   once. Headers that would direct SES (`X-SES-...`) are refused because they are not emulated.
 */
export function readRawMessage(raw: Buffer): RawMessage {
  if (raw.length > maxMessageBytes) {
    throw new SesRefusal('InvalidParameterValue', `Message length is more than ${maxMessageBytes} bytes long.`);
  }
  const message = splitMessage(raw);
  const names = message.fields.map((field) => field.name);
  for (const [name, shown] of [
    ['from', 'From'],
    ['to', 'To'],
  ] as const) {
    if (!names.includes(name)) throw new SesRefusal('InvalidParameterValue', `Missing required header '${shown}'.`);
  }
  const twice = singleFields.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw new SesRefusal('InvalidParameterValue', `Duplicate header '${twice}'.`);
  const directive = names.find((name) => name.startsWith('x-ses-'));
  if (directive !== undefined) {
    throw new SesRefusal('InvalidParameterValue', `The embedded SES does not emulate the header '${directive}'.`);
  }
  return message;
}

/** The message as SES sends it: its own Message-ID and Date in place of any others, the rest byte for byte. */
export function stampMessage(message: RawMessage, stamp: { messageId: string; region: string; at: Date }): Buffer {
  const kept = message.fields.filter((field) => field.name !== 'message-id' && field.name !== 'date');
  const own = [
    `Message-ID: <${stamp.messageId}@${stamp.region}.amazonses.com>`,
    `Date: ${stamp.at.toUTCString().replace('GMT', '+0000')}`,
  ];
  const header = [...kept.map((field) => field.text), ...own].join('\r\n');
  // Latin-1 keeps every byte of a header as it was.
  return Buffer.concat([Buffer.from(`${header}\r\n`, 'latin1'), message.rest]);
}

/** A message id in SES's shape, for example `01020193a1b2c3d4-...-000000`; later ones sort after earlier ones. */
export function newMessageId(at: Date): string {
  return `0102${at.getTime().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}

function splitMessage(raw: Buffer): RawMessage {
  const text = raw.toString('latin1');
  const end = /\r?\n(?=\r?\n)/.exec(text);
  if (end === null) throw new SesRefusal('InvalidParameterValue', 'The message has no end of its header.');
  const fields: Field[] = [];
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const name = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1];
    const last = fields.at(-1);
    if (name !== undefined) fields.push({ name: name.toLowerCase(), text: line });
    else if (last !== undefined && /^[ \t]/.test(line)) last.text += `\r\n${line}`;
    else throw new SesRefusal('InvalidParameterValue', 'The message has a header line without a name.');
  }
  return { fields, rest: raw.subarray(end.index + end[0].length) };
}
