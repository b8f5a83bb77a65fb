import { expect, test } from 'vitest';
import { lift, readOptOuts, recordLeft, suppress } from '../../../../functions/ledger/persons/opt-outs.ts';
import * as persons from '../../../../functions/ledger/persons/persons.ts';
import * as members from '../../../../functions/ledger/persons/members.ts';
import { recordKeepMonths, recordReportSeen, retireReport } from '../../../../functions/ledger/reports.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { reasonAgainst, type Standing } from '../../../../functions/ledger/persons/standing.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();
const { table, hashOf } = ledger;
const stamp = { by: 'grace', at: '2026-11-16T08:00:00Z' };
const { at } = stamp;
const personOf = (address: string) => ({ hash: hashOf(address), address });
const expiryOf = async (address: string) => (await ledger.items(`PERSON#${hashOf(address)}`))[0]?.['expiresAt'];

test("a hash is the ledger's own, for all its processes, and compares without case", async () => {
  const another = await persons.openHashes(ledger.another());
  expect(another('ADA@example.com')).toBe(hashOf('ada@example.com'));
  expect(hashOf('ada@example.com')).toMatch(/^[0-9a-f]{32}$/);
  const elsewhere = await openLedger();
  expect(elsewhere.hashOf('ada@example.com')).not.toBe(hashOf('ada@example.com'));
});

test('without its key a ledger that had subscribers stops, and makes no other', async () => {
  const key = { pk: 'HASH_KEY', sk: 'HASH_KEY' };
  const seen = async (name: string) => {
    const { table } = await openLedger();
    await recordReportSeen(table, { name }, at);
    await table.remove(key);
    return table;
  };
  const unused = await seen('never-run');
  await persons.openHashes(unused);
  for (const have of [
    (lost: Table) => recordKeepMonths(lost, { name: 'weekly' }, { firstSeenAt: at }, 26),
    (lost: Table) => members.addMembers(lost, 'weekly', [personOf('ada@example.com')], stamp),
  ]) {
    const lost = await seen('weekly');
    await have(lost);
    await retireReport(lost, { name: 'weekly' });
    await expect(persons.openHashes(lost)).rejects.toThrow(/"HASH_KEY" is gone.*of "weekly"/);
    expect(await lost.get(key)).toBeNull();
  }
});

test('a person stays at least as long as anybody asked for', async () => {
  const ada = personOf('ada@example.com');
  await persons.recordPersons(table, [ada], 200);
  await persons.recordPersons(table, [ada], 100);
  expect(await expiryOf(ada.address)).toBe(200);
  await persons.recordPersons(table, [ada], 300);
  expect(await expiryOf(ada.address)).toBe(300);
  await persons.recordPersons(table, [ada]);
  await persons.recordPersons(table, [ada], 400);
  expect(await expiryOf(ada.address)).toBeUndefined();
  await persons.letExpire(table, ada.hash, 500);
  expect(await expiryOf(ada.address)).toBe(500);
  await persons.letExpire(table, hashOf('nobody@example.com'), 500);
  const addresses = await persons.readAddresses(table, [ada.hash, ada.hash, hashOf('nobody@example.com')]);
  expect(addresses).toEqual(new Map([[ada.hash, ada.address]]));
  expect(await persons.removePerson(table, ada.hash)).toBe(true);
  expect(await persons.removePerson(table, ada.hash)).toBe(false);
});

test('an erasure ends what was added until then, and who was removed stays so, configured or not', async () => {
  const person = personOf('cy@example.com');
  for (const name of ['ended', 'later', 'none']) await members.addMembers(table, name, [person], stamp);
  await members.addMembers(table, 'later', [person], { ...stamp, at: '2026-11-16T08:00:01Z' });
  for (const name of ['gone', 'none']) await members.removeMembers(table, name, [person], stamp);
  const reports = ['ended', 'later', 'gone', 'none'];
  await members.endMemberships(table, person.hash, new Set(reports), at);
  const subscribed = reports.map(async (name) => {
    const report = { name, subscribers: name === 'gone' ? [person.address] : [] };
    return Array.from(await members.readSubscribers(table, report, members.configuredIn([report], hashOf))).length;
  });
  expect(await Promise.all(subscribed)).toEqual([0, 1, 0, 0]);
});

test('each decision is kept by hash, and is ended by its own owner alone', async () => {
  const hash = hashOf('bo@example.com');
  await suppress(table, hash, { reason: 'complaint', at });
  await suppress(table, hash, { reason: 'bounce', at: '2026-12-01T08:00:00Z' });
  await recordLeft(table, hash, { name: 'weekly' }, { left: true, at });
  await recordLeft(table, hash, { name: 'weekly' }, { left: true, at: '2026-12-01T08:00:00Z' });
  await recordLeft(table, hash, { name: 'daily' }, { left: true, at });
  await recordLeft(table, hash, { name: 'daily' }, { left: false, at });
  await recordLeft(table, hash, { name: 'never-left' }, { left: false, at });
  expect(await readOptOuts(table, hash)).toEqual({
    suppression: { reason: 'complaint', at },
    forgottenAt: null,
    erasedAt: null,
    left: [{ report: 'weekly', left: true, at }],
    returned: [{ report: 'daily', left: false, at, previousAt: at }],
  });
  await lift(table, hash, at);
  const words = { left: [{ report: 'weekly' }], returned: [{ report: 'daily' }] };
  expect(await readOptOuts(table, hash)).toMatchObject({ suppression: null, ...words });
  expect(await suppress(table, hash, { reason: 'bounce', at: '2026-11-16T07:59:59Z' })).toBe(false);
  expect(await suppress(table, hash, { reason: 'bounce', at: '2026-12-01T08:00:00Z' })).toBe(true);
});

const added = { state: 'added', ...stamp } as const;
const removed = { state: 'removed', ...stamp } as const;
const suppression = { reason: 'bounce', at } as const;
const nothing = { member: null, leftAt: null, instead: null, suppression: null, forgottenAt: null };

test.each<{ standing: Partial<Standing>; configured?: boolean; reason: ReturnType<typeof reasonAgainst> }>([
  { standing: {}, configured: true, reason: null },
  { standing: {}, reason: 'removed' },
  { standing: { member: added }, reason: null },
  { standing: { member: removed }, configured: true, reason: 'removed' },
  { standing: { address: null }, configured: true, reason: 'removed' },
  { standing: { suppression, member: removed }, reason: 'suppressed' },
  { standing: { suppression, leftAt: at }, configured: true, reason: 'unsubscribed' },
])('$standing, configured or named ($configured), has no mail: $reason', ({ standing, configured = false, reason }) => {
  const known = { address: 'ada@example.com', ...nothing, ...standing };
  expect(reasonAgainst(known, { isConfiguredOrNamed: configured })).toBe(reason);
});
