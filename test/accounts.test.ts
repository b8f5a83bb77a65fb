import { afterAll, expect, test } from 'vitest';
import { startCheck, type Check } from './support/accounts/check.ts';
import { simpleAccount, times } from './support/accounts/simple-account.ts';

const check = await startCheck();
afterAll(() => check.close());

// More of them: accounts.long.test.ts. A failure is made smaller before it is reported: that takes some hundred runs more.
test('whatever a service answers from week to week, each figure of digest.json is what can be known, or is named as missing', async () => {
  expect(await check.run({ seed: 7, cases: 60 })).toBeNull();
}, 300_000);

/** One delivery that so many have seen, with a rating that as many have given. */
function seenBy(views: number) {
  const rated = { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:05:00Z', rating: 4 };
  return simpleAccount({ d: { rows: times(views, rated), type: 'rating' } });
}

test('one view more is a fault of each figure that it is in, and what is refused of all', async () => {
  expect(await check.faults([seenBy(3)])).toEqual([]);
  const placesOf = async (...scenarios: Parameters<Check['faults']>): Promise<string[]> =>
    (await check.faults(...scenarios)).map((fault) => fault.replace(/^period 1: digest\.|: (?:expected|found).*/g, ''));
  const delivery = ['seen', 'inPeriod.seen', 'contents.0.seen', 'contents.0.ratings.count'];
  const ofDelivery = delivery.map((figure) => `deliveries.d.${figure}`);
  const ofBroadcast = ['seen', 'contents.0.ratings.count'].map((figure) => `broadcasts.new b-d.${figure}`);
  const figures = ['totals.seen', 'trend.0.seen', ...ofDelivery, ...ofBroadcast];
  expect(await placesOf([seenBy(3)], [seenBy(4)])).toEqual(expect.arrayContaining(figures));

  const refused = simpleAccount({ d: { fault: { status: 403 }, type: 'rating' } });
  const missing = ['totals.seen', 'missing delivery "d"', 'deliveries.d.unavailable'];
  expect(await placesOf([refused], [seenBy(3)])).toEqual(expect.arrayContaining(missing));
  expect(await placesOf([seenBy(3)], [refused])).toEqual(expect.arrayContaining(missing));
});
