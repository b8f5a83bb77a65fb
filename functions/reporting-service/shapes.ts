import type { Tally } from './coverage.ts';
import { isObject, readId, readText, type JsonObject } from './json.ts';
import { UnavailableError } from './unavailable.ts';

/** A delivery as the list gives it. Texts are as the service sent them. */
export interface ListedDelivery {
  id: string;
  broadcast: { id: string; name: string | null };
  /** `null` where the service gave none. */
  status: string | null;
}

/** A broadcast and its content items. `createdAt` is as the service sent it. */
export interface Broadcast {
  id: string;
  name: string | null;
  createdAt: unknown;
  createdBy: string | null;
  contents: Array<{ id: string; type: string }>;
}

/** A row bare, or wrapped in an object under its own name: both are met, and which is counted. */
function unwrap(row: unknown, name: 'delivery' | 'recipient', tally: Tally): JsonObject | null {
  if (!isObject(row)) return null;
  const inner = row[name];
  if (!isObject(inner)) {
    tally.reading(`${name} row`, 'bare');
    return row;
  }
  tally.reading(`${name} row`, `{${name}}`);
  return inner;
}

/** A delivery of the list; `null` where it has no id to ask by. Documented fields that it lacks are counted. */
export function readListedDelivery(row: unknown, tally: Tally): ListedDelivery | null {
  const delivery = unwrap(row, 'delivery', tally);
  const id = readId(delivery?.['id']);
  if (delivery === null || id === null) {
    tally.missingField('delivery.id');
    return null;
  }
  const broadcast = isObject(delivery['broadcast']) ? delivery['broadcast'] : {};
  const broadcastId = readId(broadcast['id']);
  const name = readText(broadcast['name']);
  const status = readText(delivery['status']);
  if (broadcastId === null) tally.missingField('delivery.broadcast.id');
  if (name === null) tally.missingField('delivery.broadcast.name');
  if (status === null) tally.missingField('delivery.status');
  return { id, broadcast: { id: broadcastId ?? '', name }, status };
}

/** The two dates of a recipient, as they came, and what else the row holds; `null` where the row is no object. */
export function readRecipient(row: unknown, tally: Tally): JsonObject | null {
  const recipient = unwrap(row, 'recipient', tally);
  if (recipient === null) {
    tally.missingField('recipient');
    return null;
  }
  if (!('seenAt' in recipient)) tally.missingField('recipient.seenAt');
  if (!('respondedAt' in recipient)) tally.missingField('recipient.respondedAt');
  return recipient;
}

/** A broadcast's answer. Throws `UnavailableError` where it holds no list of content items, or one without an id. */
export function readBroadcast(body: unknown, id: string, label: string, tally: Tally): Broadcast {
  const unreadable = (expected: string): UnavailableError =>
    new UnavailableError(label, `expected ${expected}`, { reason: 'unreadable' });
  if (!isObject(body)) throw unreadable('an object');
  const header = isObject(body['broadcast']) ? body['broadcast'] : {};
  const created = isObject(header['created']) ? header['created'] : {};
  const by = isObject(created['by']) ? created['by'] : {};
  const contents = body['contents'] ?? header['contents'];
  if (!Array.isArray(contents)) throw unreadable('"contents", a list');
  const names = [readText(by['firstName']), readText(by['lastName'])].filter((name) => name !== null);
  const name = readText(header['name']);
  if (name === null) tally.missingField('broadcast.name');
  if (names.length === 0) tally.missingField('broadcast.created.by');
  if (created['at'] === undefined) tally.missingField('broadcast.created.at');
  return {
    id,
    name,
    createdAt: created['at'] ?? null,
    createdBy: names.length === 0 ? null : names.join(' '),
    contents: contents.map((content: unknown) => {
      const contentId = isObject(content) ? readId(content['id']) : null;
      if (!isObject(content) || contentId === null) throw unreadable('an "id" in each of "contents"');
      const type = readText(content['type']);
      if (type === null) tally.missingField('content.type');
      return { id: contentId, type: type ?? '' };
    }),
  };
}
