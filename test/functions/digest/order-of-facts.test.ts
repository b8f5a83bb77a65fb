import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestsOf } from '../../support/facts/digests.ts';
import { on, saw, sent } from '../../support/facts/world.ts';

// That rows are what a count of them gives, and add up to totals, is tested of accounts (accounts.test.ts).

const delivery = fc.record({
  broadcast: fc.nat(5),
  hour: fc.integer({ min: -100, max: 160 }),
  seen: fc.nat(30),
  idle: fc.nat(40),
  type: fc.constantFrom('poll', 'text'),
});

test('the order of facts makes no difference', () => {
  fc.assert(
    fc.property(fc.array(delivery, { maxLength: 12 }), (rows) => {
      const world = rows.map(({ broadcast, hour, seen, idle, type }, place) => {
        const people = saw(seen, on(0, hour), { hours: 60, responded: 4 });
        const more = { broadcast: `b${broadcast}`, items: [{ id: `i${broadcast}`, type: `${type}${broadcast % 2}` }] };
        return sent(`d${place}`, on(0, hour), seen + idle, people, more);
      });
      const reversed = digestsOf(world, { weeks: 2, alter: (facts) => facts.toReversed() });
      expect(reversed).toEqual(digestsOf(world, { weeks: 2 }));
    }),
    { numRuns: 50 },
  );
}, 60_000);
