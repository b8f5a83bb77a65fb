import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { countsAt, deliveryFactsSchema, stepsInMinutes } from '../../../functions/domain/facts.ts';
import { momentsOf } from '../../support/facts/moments.ts';

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
  const list = {
    readMs: at('12:00'),
    listed: 3,
    untouched: 1,
    undated: { seen: 0, responded: 0, answered: 0 },
    areDays: false,
    moments: momentsOf([{ seenAtMs: at('09:10'), respondedAtMs: null }], 15),
    ratings: { '4.5': 1 },
  };
  const facts = {
    id: 'd',
    broadcast: { id: '1', name: null, createdMs: null, createdBy: null, contents: [{ id: 'c', type: 'poll' }] },
    statuses: [{ status: '__proto__', firstListedMs: at('12:00') }],
    status: '__proto__',
    firstListedMs: at('12:00'),
    lastListedMs: at('12:00'),
    unlistedMs: null,
    firstSign: { atMs: at('09:10'), readMs: at('12:00') },
    list,
    contents: [{ id: 'c', list: null, unread: { sinceMs: at('12:00'), reason: 'forbidden', status: 403 } }],
  };
  expect(v.parse(deliveryFactsSchema, JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  const broken = { ...facts, list: { ...list, moments: { stepMinutes: 15, deltas: [1, 2, 3] } } };
  expect(v.is(deliveryFactsSchema, broken)).toBe(false);
});
