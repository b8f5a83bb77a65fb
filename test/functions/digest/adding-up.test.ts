import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { composeDigest } from '../../../functions/digest/compose.ts';
import { digestSchema, type Digest, type DigestDelivery } from '../../../functions/digest/schema.ts';
import { hourMs, instantText, periodBefore } from '../../../functions/domain/period.ts';
import { digestsOf, weekly } from '../../support/facts/digests.ts';
import { createObserver, on, type Sent } from '../../support/facts/world.ts';

const weeks = 3;
const hour = fc.integer({ min: -100, max: 24 * 7 * weeks });
const person = fc.record({
  seen: fc.option(fc.nat(200), { nil: null }),
  responded: fc.option(fc.nat(200), { nil: null }),
  late: fc.constantFrom(0, 0, 0, 30, 300),
  isUndated: fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0),
});
const delivery = fc.record({
  broadcast: fc.nat(5),
  at: hour,
  idle: fc.nat(40),
  people: fc.array(person, { maxLength: 30 }),
  status: fc.constantFrom('delivered', 'delivered', 'delivered', 'sent'),
  type: fc.constantFrom('poll', 'text'),
  isFaulty: fc.integer({ min: 0, max: 20 }).map((chance) => chance === 0),
});
const account = fc.array(delivery, { maxLength: 12 }).map((deliveries) =>
  deliveries.map(({ broadcast, at, idle, people, status, type, isFaulty }, place): Sent => {
    const atMs = on(0, at);
    return {
      id: `d${place}`,
      broadcast: `b${broadcast}`,
      createdMs: on(0, -120),
      listed: [{ fromMs: atMs, status }],
      audience: people.length + idle,
      people: people.map(({ seen, responded, late, isUndated }) => {
        const seenAtMs = isUndated ? '?' : seen === null ? null : atMs + seen * hourMs;
        const respondedAtMs = responded === null ? null : atMs + responded * hourMs;
        return {
          seenAtMs,
          respondedAtMs,
          knownMs: atMs + Math.max(seen ?? 0, responded ?? 0) * hourMs + late * hourMs,
        };
      }),
      items: [{ id: `i${broadcast}`, type: `${type}${broadcast % 2}` }],
      ...(isFaulty ? { fault: { fromMs: on(6), untilMs: on(10), reason: 'failed' as const } } : {}),
    };
  }),
);

const sumOf = (rows: readonly DigestDelivery[], figure: 'seen' | 'responded'): number =>
  rows.reduce((sum, { inPeriod }) => sum + (inPeriod[figure] ?? 0), 0);

/** Rows of a world as somebody counts them who knows nothing of digests: what was known when the digest was made. */
function countRows({ people }: Sent, digest: Digest) {
  const [start, end, read] = [digest.period.start, digest.period.end, digest.readAt].map((text) => Date.parse(text));
  const known = people.filter(
    ({ seenAtMs, knownMs = 0 }) => knownMs <= (read ?? 0) && (seenAtMs === '?' || (seenAtMs ?? 0) < (read ?? 0)),
  );
  const isIn = (at: number | '?' | null, from: number): boolean =>
    typeof at === 'number' && at >= from && at < (end ?? 0);
  const count = (name: 'seenAtMs' | 'respondedAtMs', from: number) =>
    known.filter((row) => isIn(row[name], from)).length;
  return {
    seen: count('seenAtMs', 0),
    responded: count('respondedAtMs', 0),
    inPeriod: { seen: count('seenAtMs', start ?? 0), responded: count('respondedAtMs', start ?? 0) },
  };
}

test('rows add up to totals, and are what a count of the rows gives', () => {
  let digests = 0;
  fc.assert(
    fc.property(account, (world) => {
      for (const digest of digestsOf(world, { weeks })) {
        digests += 1;
        expect(v.parse(digestSchema, JSON.parse(JSON.stringify(digest)))).toEqual(digest);
        const { totals, broadcasts, needs } = digest;
        const shown = broadcasts.filter(({ group }) => group !== 'unseen').flatMap(({ deliveries }) => deliveries);
        if (totals.seen !== null) expect(sumOf(shown, 'seen')).toBe(totals.seen);
        if (totals.responded !== null) {
          expect(sumOf(shown, 'responded')).toBe(totals.responded);
          expect(broadcasts.filter(({ group }) => group === 'new')).toHaveLength(totals.broadcasts ?? Number.NaN);
        }
        for (const row of shown.filter(({ unavailable, seen }) => unavailable === undefined && seen !== null)) {
          expect(row).toMatchObject(countRows(world.find(({ id }) => id === row.id) ?? world[0]!, digest));
        }
        for (const { seen, audience, usual, reason } of needs) {
          if (reason === 'unseen') expect(seen).toBe(0);
          else expect(seen ?? 0).toBeLessThan(Math.max(usual ?? 0, 0.2) * (audience ?? Infinity));
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(digests).toBe(150 * weeks);
});

test('the order of facts makes no difference, nor does composing a digest again', () => {
  fc.assert(
    fc.property(account, (world) => {
      const facts = createObserver(world).observe(on(7, 8));
      const period = periodBefore('week', 'Europe/London', instantText(on(7, 8), 'Europe/London'));
      const compose = (deliveries: typeof facts.deliveries): Digest =>
        composeDigest({ ...facts, deliveries }, { ...weekly, run: 'weekly', period }, null);
      expect(compose(facts.deliveries.toReversed())).toEqual(compose(facts.deliveries));
    }),
    { numRuns: 50 },
  );
});
