import { isObject, type JsonObject } from '../json-object.ts';
import type { Tally } from './coverage.ts';
import { UnavailableError } from './unavailable.ts';

/** A delivery as the list gives it. Texts are as the service sent them. */
export interface ListedDelivery {
  id: string;
  broadcast: { id: string; name: string | null };
  status: string;
}

/** The status of a delivery that the service gave none. */
const noStatus = 'unknown';

/** A broadcast and its content items. `createdAt` is as the service sent it. */
export interface Broadcast {
  id: string;
  name: string | null;
  createdAt: unknown;
  createdBy: string | null;
  contents: Array<{ id: string; type: string }>;
}

/** A delivery of the list; `null` where its row has no id to ask by. Documented fields that it lacks are counted. */
export function readListedDelivery(row: JsonObject | null, tally: Tally): ListedDelivery | null {
  const delivery = row ?? {};
  const id = readId(delivery['id']);
  if (id === null) {
    tally.missingField('delivery.id');
    return null;
  }
  const broadcast = objectOf(delivery['broadcast']);
  const broadcastId = readId(broadcast['id']);
  const name = readText(broadcast['name']);
  const status = readText(delivery['status']);
  if (broadcastId === null) tally.missingField('delivery.broadcast.id');
  if (name === null) tally.missingField('delivery.broadcast.name');
  if (status === null) tally.missingField('delivery.status');
  return { id, broadcast: { id: broadcastId ?? '', name }, status: status ?? noStatus };
}

/** Each content item of each delivery costs a request: a broadcast with more of them would take all the time of a run. */
const mostContents = 1_000;

/**
 * A broadcast's answer; a content item that comes twice counts once. Throws `UnavailableError` where it is that of another
 * broadcast, or holds no list of content items, one without an id, or too many of them.
 */
export function readBroadcast(body: unknown, id: string, label: string, tally: Tally): Broadcast {
  const unreadable = (expected: string): UnavailableError => new UnavailableError(label, `expected ${expected}`);
  if (!isObject(body)) throw unreadable('an object');
  const header = objectOf(body['broadcast']);
  const created = objectOf(header['created']);
  const by = objectOf(created['by']);
  const given = readId(header['id']);
  if (given === null) tally.missingField('broadcast.id');
  else if (given !== id) throw unreadable('the broadcast that was asked for');
  const contents = body['contents'] ?? header['contents'];
  if (!Array.isArray(contents)) throw unreadable('"contents", a list');
  if (contents.length > mostContents) {
    throw new UnavailableError(label, `more than ${mostContents} content items`, { reason: 'too-large' });
  }
  const names = [readText(by['firstName']), readText(by['lastName'])].filter((name) => name !== null);
  const name = readText(header['name']);
  if (name === null) tally.missingField('broadcast.name');
  if (names.length === 0) tally.missingField('broadcast.created.by');
  if (created['at'] === undefined) tally.missingField('broadcast.created.at');
  const byId = new Map<string, { id: string; type: string }>();
  for (const content of contents) {
    const contentId = isObject(content) ? readId(content['id']) : null;
    if (!isObject(content) || contentId === null) throw unreadable('an "id" in each of "contents"');
    if (byId.has(contentId)) continue;
    const type = readText(content['type']);
    if (type === null) tally.missingField('content.type');
    byId.set(contentId, { id: contentId, type: type ?? '' });
  }
  return {
    id,
    name,
    createdAt: created['at'] ?? null,
    createdBy: names.length === 0 ? null : names.join(' '),
    contents: [...byId.values()],
  };
}

/** An object of the service; an empty one where there is none. */
function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** An identifier of the service, as text; `null` where there is none. */
function readId(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** A text of the service; `null` where there is none. */
function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
