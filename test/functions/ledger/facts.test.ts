import { expect, test } from 'vitest';
import { putFacts, readFacts } from '../../../functions/ledger/facts.ts';
import { createObserver, on, sent } from '../../support/facts/world.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();
const firstListedMs = on(1);
const key = { account: 'account', month: '2026-11', bucket: '0', now: new Date('2026-11-16T08:00:00Z') };

const { deliveries } = createObserver([sent('a', firstListedMs, 3)]).observe(firstListedMs);
const factsOf = (id: string, askedMs: number) => deliveries.map((facts) => Object.assign({}, facts, { id, askedMs }));
const read = async (fromMs = firstListedMs): Promise<string[]> =>
  (await readFacts(ledger.table, { ...key, fromMs, untilMs: firstListedMs }))
    .map(({ id, askedMs }) => `${id} ${askedMs}`)
    .toSorted();

test('facts that are put at once are all there, none of an older reading, in one document of each place that expires 20 months later', async () => {
  const puts = ['a', 'b', 'c'].map((id) => putFacts(ledger.another(), key, factsOf(id, 2)));
  await Promise.all([...puts, putFacts(ledger.table, { ...key, month: '2026-09' }, factsOf('d', 9))]);
  await putFacts(ledger.table, key, [...factsOf('a', 1), ...factsOf('b', 3)]);
  expect(await read()).toEqual(['a 2', 'b 3', 'c 2']);
  expect(await read(Date.UTC(2026, 8, 30))).toEqual(['a 2', 'b 3', 'c 2', 'd 9']);
  const items = await ledger.items('FACTS#account#2026-11');
  const expiresAt = Date.parse('2028-07-16T08:00:00Z') / 1000;
  expect(items.map((item) => item['expiresAt'])).toEqual([expiresAt, expiresAt]);
});
