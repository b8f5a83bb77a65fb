import { clip } from '../domain/wording.ts';
import { fieldsOf, isObject, type JsonObject } from '../json-object.ts';
import type { Tally } from './coverage.ts';
import { UnavailableError } from './requests/request.ts';

/** Texts are clipped where they are read, so that no item, subject or notice has to. In UTF-16 units. */
const longest = { name: 300, word: 100 };

/** A longer identifier is not asked by. It is never clipped: it would be another one. */
export const longestId = 1_000;

/** A broadcast with more content items would take the place of others: a run has room for a quarter of a million. */
const mostContents = 1_000;

/** How a text was read whose bytes are not in the charset that they are said to be in. */
export const illegible = 'not in their charset';

/** The status of a delivery that the service gave none. */
const noStatus = 'unknown';

/**
 * A delivery of the list; `null` where its row has no id to ask by. Documented fields that it lacks are counted. A broadcast's
 * id that no URL can hold is as good as none: nothing can be asked by it.
 */
export function readListedDelivery(row: JsonObject | null, tally: Tally) {
  const delivery = row ?? {};
  const id = readId(delivery['id'], 'delivery.id', tally);
  if (id === null) return null;
  const broadcast = fieldsOf(delivery['broadcast']);
  const broadcastId = readId(broadcast['id'], 'delivery.broadcast.id', tally) ?? '';
  return {
    id,
    broadcast: {
      id: broadcastId.length > longestId ? '' : broadcastId,
      name: readText(broadcast['name'], 'delivery.broadcast.name', tally, longest.name),
    },
    status: readText(delivery['status'], 'delivery.status', tally, longest.word) ?? noStatus,
  };
}

/**
 * A broadcast's answer, `createdAt` as the service sent it; a content item that comes twice counts once. Throws `UnavailableError`
 * where it is that of another broadcast, or holds no list of content items, too long a one, or an item without an id.
 */
export function readBroadcast(body: unknown, id: string, label: string, tally: Tally) {
  const unreadable = (expected: string): UnavailableError => new UnavailableError(label, `expected ${expected}`);
  if (!isObject(body)) throw unreadable('an object');
  const header = fieldsOf(body['broadcast']);
  const answeredId = readId(header['id'], 'broadcast.id', tally);
  if (answeredId !== null && answeredId !== id) throw unreadable('the broadcast that was asked for');
  const contents = body['contents'] ?? header['contents'];
  if (!Array.isArray(contents)) throw unreadable('"contents", a list');
  if (contents.length > mostContents)
    throw new UnavailableError(label, `${contents.length} content items`, { reason: 'too-large' });
  const byId = new Map<string, { id: string; type: string }>();
  for (const content of contents.map(fieldsOf)) {
    const contentId = readId(content['id'], 'content.id', tally);
    if (contentId === null) throw unreadable('an "id" in each of "contents"');
    if (byId.has(contentId)) continue;
    byId.set(contentId, { id: contentId, type: readText(content['type'], 'content.type', tally, longest.word) ?? '' });
  }
  const created = fieldsOf(header['created']);
  const by = fieldsOf(created['by']);
  const names = [by['firstName'], by['lastName']].filter((name) => typeof name === 'string');
  const createdBy = readText(names.length === 0 ? null : names.join(' '), 'broadcast.created.by', tally, longest.name);
  if (created['at'] === undefined) tally.missingField('broadcast.created.at');
  return {
    id,
    name: readText(header['name'], 'broadcast.name', tally, longest.name),
    createdAt: created['at'] ?? null,
    createdBy,
    contents: [...byId.values()],
  };
}

/** An identifier of the service, as text and whole; `null` where there is none, which is counted. */
function readId(value: unknown, field: string, tally: Tally): string | null {
  if (typeof value === 'number') return String(value);
  return readText(value === '' ? null : value, field, tally, Infinity);
}

/** A text of the service, clipped; `null` where there is none. Counts those, and texts with the mark of bytes that their charset has not. */
function readText(value: unknown, field: string, tally: Tally, length: number): string | null {
  if (typeof value !== 'string') tally.missingField(field);
  else if (value.includes('\ufffd')) tally.reading('texts', illegible);
  return typeof value === 'string' ? clip(value, length) : null;
}
