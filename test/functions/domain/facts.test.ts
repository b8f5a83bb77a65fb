import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { countsAt, deliveryFactsSchema, stepsInMinutes } from '../../../functions/domain/facts.ts';
import { momentsOf } from '../../support/facts/moments.ts';
import { createObserver, saw, sent } from '../../support/facts/world.ts';

const at = (time: string): number => Date.parse(`2026-11-02T${time}:00Z`);

const instant = fc.option(fc.integer({ min: at('00:00'), max: at('23:59') }), { nil: null });
const row = fc.record({ seenAtMs: instant, respondedAtMs: instant });

test('by an instant, moments count what a count of the rows before the step gives that it lies in', () => {
  const arbitrary = [fc.array(row), fc.constantFrom(...stepsInMinutes), fc.nat(96)] as const;
  fc.assert(
    fc.property(...arbitrary, (rows, stepMinutes, quarter) => {
      const stepMs = stepMinutes * 60_000;
      const untilMs = at('00:00') + quarter * 15 * 60_000;
      const endMs = Math.floor(untilMs / stepMs) * stepMs;
      const isBefore = (atMs: number | null): boolean => atMs !== null && atMs < endMs;
      expect(countsAt(momentsOf(rows, stepMinutes), untilMs)).toEqual({
        seen: rows.filter(({ seenAtMs }) => isBefore(seenAtMs)).length,
        responded: rows.filter(({ respondedAtMs }) => isBefore(respondedAtMs)).length,
        answered: rows.filter(({ seenAtMs, respondedAtMs }) => isBefore(seenAtMs) && isBefore(respondedAtMs)).length,
      });
    }),
  );
});

test('facts are what they were before they were stored, and moments of broken steps are none', () => {
  const listed = [{ fromMs: at('08:00'), status: '__proto__' }];
  const world = [sent('d', at('08:00'), 3, saw(1, at('09:10')), { author: null, listed })];
  const [read] = createObserver(world).observe(at('12:00')).deliveries;
  const moments = momentsOf([{ seenAtMs: at('09:10'), respondedAtMs: null }], 15);
  const list = { ...read?.list, moments, ratings: { '4.5': 1 } };
  const broadcast = { ...read?.broadcast, name: null, createdMs: null };
  const unread = { sinceMs: at('12:00'), reason: 'forbidden', status: 403 };
  const facts = { ...read, broadcast, list, contents: [{ id: 'c', list: null, unread }] };
  expect(v.parse(deliveryFactsSchema, JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  const broken = { ...facts, list: { ...list, moments: { stepMinutes: 15, deltas: [1, 2, 3] } } };
  expect(v.is(deliveryFactsSchema, broken)).toBe(false);
});
