import * as v from 'valibot';
import { addressKey, readSuppression } from '../../../functions/ledger/addresses/addresses.ts';
import { putDocument, readDocument } from '../../../functions/ledger/runs/documents.ts';
import {
  forgetRow,
  rekeyForgottenRows,
  putForgotten,
  makeKeyedHash,
  readForgotten,
  type ForgottenFacts,
  type KeyedHash,
} from '../../../functions/ledger/addresses/forgotten.ts';
import { forgottenAddress, readMessage, removePlanned } from '../../../functions/ledger/runs/messages.ts';
import { reduceIntended } from '../../../functions/ledger/runs/runs.ts';
import type { Key, StoredItem, Table } from '../../../functions/ledger/table.ts';
import { readUnsubscriptions } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import { readWhole } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

const keySchema = v.object({ pk: v.string(), sk: v.string() });
const expirySchema = v.object({ expiresAt: v.exactOptional(v.number(), 0) });
const listSchema = v.array(v.unknown());

/** Attributes that are an address or a key and nothing else: they are compared as a whole, unlike texts. */
const notTexts = new Set(['pk', 'sk', 'id', 'to', 'address', 'addresses']);

/**
 * Removes an address from the ledger, and no other address. Rows of runs stay without their address, so that receipts
 * still balance; messages that were not sent yet are not sent; everything else is removed. Of an address that was
 * suppressed or has unsubscribed a keyed hash is stored: `keptHash`. `items` held the address; `waiting` rows keep their key until
 * SES's events say whether the mail was sent. After a failure it can be called again.
 */
export async function forget(target: Pick<LedgerTarget, 'table' | 'scan' | 'configuration'>, address: string) {
  const { table, configuration } = target;
  const now = Date.now();
  const { suppression, left, forgotten } = await readRefusals(table, address);
  const suppressed = suppression?.reason ?? forgotten.suppressed;
  const unsubscribed = [...new Set([...left, ...forgotten.unsubscribed])];
  const keptHash = suppressed !== undefined || unsubscribed.length > 0;
  const facts = { ...(suppressed === undefined ? {} : { suppressed }), unsubscribed };
  if (keptHash) await putForgotten(table, address, facts);
  const forgetting = {
    table,
    reports: configuration.reports,
    hash: await makeKeyedHash(table),
    now,
    replace: createAddressReplacer(address, forgottenAddress),
    address: address.toLowerCase(),
    key: addressKey(address),
  };
  let items = 0;
  for await (const item of readWhole(target)) if (await forgetIn(item, forgetting)) items += 1;
  const { waiting } = await rekeyForgottenRows(table, now);
  return { items, keptHash, waiting };
}

interface Forgetting {
  table: Table;
  reports: ReadonlyArray<{ name: string }>;
  hash: KeyedHash;
  now: number;
  /** Replaces the address in a text. */
  replace: (text: string) => string;
  /** In lower case. */
  address: string;
  key: string;
}

/** Why an address gets no mail: its suppression, the reports that it left, and what was known when it was forgotten. */
export async function readRefusals(table: Table, address: string) {
  const suppression = await readSuppression(table, address);
  const left = await readUnsubscriptions(table, addressKey(address));
  const forgotten: ForgottenFacts = (await readForgotten(table, [address])).get(address.toLowerCase()) ?? {
    unsubscribed: [],
  };
  return { suppression, left, forgotten };
}

/** Removes the address from one item; returns whether the item held it. */
async function forgetIn(item: StoredItem, forgetting: Forgetting): Promise<boolean> {
  const { table, address, key } = forgetting;
  const { pk, sk } = v.parse(keySchema, item);
  if (pk === `ADDRESS#${key}` || (pk.startsWith('SUBSCRIBERS#') && sk === key)) return await table.remove({ pk, sk });
  if (pk.startsWith('TRIGGER#')) return await forgetInTrigger(item, { pk, sk: 'SUBSCRIBERS' }, forgetting);
  if (pk.startsWith('RUN#') && typeof item['to'] === 'string' && item['to'].toLowerCase() === address) {
    return await forgetRowOf(pk.slice('RUN#'.length), sk.slice('MESSAGE#'.length), forgetting);
  }
  return await forgetInTexts(item, { pk, sk }, forgetting);
}

/**
 * Replaces the address in an item's texts, such as why a run failed or who did something. Compressed documents are not
 * read: digests and collections hold counts and the service's own words, never a subscriber.
 */
async function forgetInTexts(item: StoredItem, key: Key, { table, replace }: Forgetting): Promise<boolean> {
  const changed = Object.entries(item).flatMap(([name, value]) => {
    const without = notTexts.has(name) ? value : replaceInTexts(value, replace);
    return without === value ? [] : [[name, without] as const];
  });
  if (changed.length === 0) return false;
  await table.update(key, { set: Object.fromEntries(changed), condition: 'attribute_exists(#pk)' });
  return true;
}

/** A value with every text in it replaced, at any depth; the value itself where none changes. */
function replaceInTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const before: Array<[string, unknown]> = Object.entries(value);
  const after = before.map(([name, part]) => [name, replaceInTexts(part, replace)] as const);
  if (after.every(([, part], index) => part === before[index]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, part]) => part) : Object.fromEntries(after);
}

/** Removes a planned message; the row of any other stays without its address. Tries again where the row has changed. */
async function forgetRowOf(run: string, id: string, forgetting: Forgetting): Promise<boolean> {
  const { table, hash, now, address } = forgetting;
  let isForgotten = false;
  while (!isForgotten) {
    const row = await readMessage(table, run, id);
    if (row?.to.toLowerCase() !== address) return false;
    if (row.state !== 'planned') isForgotten = await forgetRow(table, { run, row, hash, now });
    else if (await removePlanned(table, run, id)) {
      isForgotten = true;
      const known = await findNamedRun(table, forgetting.reports, run);
      if (known !== null) await reduceIntended(table, known, 1);
    }
  }
  return true;
}

/** Removes the address from a trigger's list. */
async function forgetInTrigger(item: StoredItem, key: Key, { table, address }: Forgetting): Promise<boolean> {
  const list = v.safeParse(listSchema, await readDocument(table, key));
  const addresses = list.success ? list.output : [];
  const others = addresses.filter((each) => typeof each !== 'string' || each.toLowerCase() !== address);
  if (others.length === addresses.length) return false;
  await putDocument(table, key, others, v.parse(expirySchema, item).expiresAt);
  return true;
}

/** A character of an address before its @ (RFC 5322's atext), in any alphabet. */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]`;
/** A character with which a domain may continue, also after dots and hyphens; the dot that ends a sentence has none after it. */
const label = String.raw`[\p{L}\p{M}\p{N}_]`;

/**
 * Creates a function that replaces an address in texts, in any case, where it is a whole address. What may be part of a
 * longer one stays: `n@example.com` is not in `ann@example.com`, `x.n@example.com`, `n@example.com.au` or
 * `n@example.com-x.de`. A slash may be part of an address too, but not in an ARN: `…:assumed-role/Role/n@example.com`.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc5322#section-3.2.3
 */
export function createAddressReplacer(address: string, replacement: string): (text: string) => string {
  const before = String.raw`(?:(?<!${atom}|${atom}\.)|(?<=\barn:[\w:.+=@/-]*\/))`;
  const after = String.raw`(?!-*${label}|\.+-*${label})`;
  const whole = new RegExp(`${before}${escapeRegExp(address)}${after}`, 'giu');
  const lowerCase = address.toLowerCase();
  return (text) => (text.toLowerCase().includes(lowerCase) ? text.replaceAll(whole, () => replacement) : text);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
