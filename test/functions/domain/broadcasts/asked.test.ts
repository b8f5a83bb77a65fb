import { expect, test } from 'vitest';
import { countAsked, countBroadcasts } from '../../../../functions/domain/broadcasts/asked.ts';

const of = (id: string, broadcast: string) => ({ id, broadcast: { id: broadcast } });
const entry = (asks: boolean | null, seen: number, responded = 0, answered = responded) => ({
  asks,
  inPeriod: { seen, responded, answered },
});

test('what asks is summed, and what does not is left out: 105 of 151 viewers, not 107, and not of 372', () => {
  expect(countAsked([entry(true, 100, 80, 78), entry(false, 221, 8), entry(true, 51, 27)])).toEqual({
    asked: { seen: 151, responded: 107, answered: 105 },
    responseRate: 105 / 151,
  });
});

test('there is no sum where it is not known of something with engagement whether it asks, or how much there was', () => {
  const unknown = { asked: null, responseRate: null };
  expect(countAsked([entry(true, 5), entry(null, 1)])).toEqual(unknown);
  expect(countAsked([entry(true, 5), entry(null, 0, 1)])).toEqual(unknown);
  expect(countAsked([entry(true, 5), { asks: false, inPeriod: null }])).toEqual(unknown);
  expect(countAsked([entry(true, 5), entry(null, 0)]).asked).toEqual({ seen: 5, responded: 0, answered: 0 });
});

test('there is no rate where nothing that asks was seen', () => {
  expect(countAsked([]).responseRate).toBeNull();
  expect(countAsked([entry(true, 0, 3)]).responseRate).toBeNull();
  expect(countAsked([entry(true, 4)]).responseRate).toBe(0);
});

test('a broadcast is counted once, and a delivery without a broadcast’s id as one', () => {
  expect(countBroadcasts([of('1', 'a'), of('2', 'a'), of('3', 'b'), of('4', ''), of('5', '')])).toBe(4);
});
