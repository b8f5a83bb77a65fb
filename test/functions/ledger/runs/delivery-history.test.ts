import { beforeAll, expect, test } from 'vitest';
import {
  readDeliveryHistory,
  recordDeliveryHistory,
  historyKey,
  namingsOf,
  type DeliveryHistory,
} from '../../../../functions/ledger/runs/delivery-history.ts';
import { openLedger, type Ledger } from '../open-ledger.ts';
import { reportNamed } from '../../../support/report-named.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 1_900_000_000;
const record = (report: string, entries: Record<string, DeliveryHistory>) =>
  recordDeliveryHistory(ledger.table, report, new Map(Object.entries(entries)), expiresAt);
const read = async (report: string, ...keys: string[]) =>
  Object.fromEntries(await readDeliveryHistory(ledger.table, reportNamed(report), keys));

test('what was never shown is not in the map', async () => {
  expect(await read('nothing', 'a', 'b')).toEqual({});
});

test('the earliest period stays, of each thing that was said', async () => {
  await record('weekly', { a: { shownIn: '2026-11-09', engagedIn: '2026-11-09' } });
  await record('weekly', { a: { shownIn: '2026-11-16', newIn: '2026-11-16', goneIn: '2026-11-16' } });
  await record('weekly', { a: { shownIn: '2026-11-02', engagedIn: '2026-11-23' }, b: { shownIn: '2026-11-02' } });
  expect(await read('weekly', 'a', 'b')).toEqual({
    a: { shownIn: '2026-11-02', engagedIn: '2026-11-09', newIn: '2026-11-16', goneIn: '2026-11-16' },
    b: { shownIn: '2026-11-02' },
  });
});

test('recorded again, nothing changes', async () => {
  const said = { shownIn: '2026-11-09', newIn: '2026-11-09' };
  await record('again', { a: said });
  await record('again', { a: said });
  expect(await read('again', 'a')).toEqual({ a: said });
});

test('the periods that named a delivery are a set: repeats and late runs count once, in the order of the periods', async () => {
  await record('named', { a: { shownIn: '2026-11-09', namedIn: ['2026-11-09'] } });
  await record('named', { a: { shownIn: '2026-11-16', namedIn: ['2026-11-16'] } });
  await record('named', { a: { shownIn: '2026-11-09', namedIn: ['2026-11-09'] } });
  await record('named', { a: { shownIn: '2026-11-02', namedIn: ['2026-11-02'] } });
  const { a } = await read('named', 'a');
  expect(a).toEqual({ shownIn: '2026-11-02', namedIn: ['2026-11-02', '2026-11-09', '2026-11-16'] });
  expect(namingsOf(a)).toEqual(['2026-11-02', '2026-11-09', '2026-11-16']);
});

test('what an earlier release showed as seen by nobody is one naming, also beside later ones', () => {
  expect(namingsOf({ shownIn: '2026-11-02' })).toEqual(['2026-11-02']);
  expect(namingsOf({ shownIn: '2026-11-02', namedIn: ['2026-11-09'] })).toEqual(['2026-11-02', '2026-11-09']);
  expect(namingsOf({ shownIn: '2026-11-02', engagedIn: '2026-11-02' })).toEqual([]);
  expect(namingsOf({ goneIn: '2026-11-02' })).toEqual([]);
  expect(namingsOf(undefined)).toEqual([]);
});

test('reports know nothing of each other', async () => {
  await record('daily', { a: { shownIn: '2026-11-09' } });
  expect(await read('monthly', 'a')).toEqual({});
});

test('many keys are read and written at once, repeated ones too', async () => {
  const keys = Array.from({ length: 230 }, (_, n) => historyKey('delivery', String(n)));
  await record('many', Object.fromEntries(keys.map((key) => [key, { shownIn: '2026-11-09' }])));
  const shown = await readDeliveryHistory(ledger.table, reportNamed('many'), [...keys, ...keys]);
  expect([...shown.keys()].toSorted()).toEqual(keys.toSorted());
});

test('a key distinguishes deliveries, broadcasts and content items, and the parts of their ids', () => {
  const keys = [
    historyKey('delivery', '1'),
    historyKey('broadcast', '1'),
    historyKey('content', '1', '2'),
    historyKey('content', '12', ''),
    historyKey('content', '', '12'),
    historyKey('delivery', '1'.repeat(3_000)),
  ];
  expect(new Set(keys).size).toBe(6);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{40}$/);
});
