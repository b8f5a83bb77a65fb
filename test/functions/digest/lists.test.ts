import { expect, test } from 'vitest';
import { figuresOf, haveAllReachedHalf } from '../../../functions/digest/figures.ts';
import { digestsOf } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times } from '../../support/facts/world.ts';

const audiencesOf = (digests: ReturnType<typeof digestsOf>) =>
  digests.map(({ broadcasts }) => broadcasts[0]?.deliveries[0]?.audience);

test('lists that stop naming everybody are no audience from the first digest on', () => {
  const world = letters(4, () => ({ seen: 40, audience: 50 }));
  expect(audiencesOf(digestsOf(world, { weeks: 4, service: { namesEverybody: (atMs) => atMs < on(14) } }))).toEqual([
    50,
    50,
    null,
    null,
  ]);
});

test('lists that everybody on them saw say nothing of an audience, and ten people who did nothing do', () => {
  expect(audiencesOf(digestsOf(letters(1, () => ({ seen: 40, audience: 40 }))))).toEqual([null]);
  expect(audiencesOf(digestsOf(letters(1, () => ({ seen: 40, audience: 49 }))))).toEqual([null]);
  expect(audiencesOf(digestsOf(letters(1, () => ({ seen: 40, audience: 50 }))))).toEqual([50]);
  // One list of which everybody saw it, beside others.
  const all = sent('all', on(2), 21, saw(21, on(2, 10)));
  const few = sent('few', on(2), 20, saw(20, on(2, 10)));
  const [digest] = digestsOf([...letters(1), all, few]);
  expect(digest?.broadcasts.map(({ deliveries }) => deliveries[0]?.audience)).toEqual([100, null, 20]);
});

test('where only lists of items have everybody, their length is the audience', () => {
  const world = letters(1).map((letter) => Object.assign(letter, { items: [{ id: 'i', type: 'text' }] }));
  const options = { deliveryRecipients: 'engaged' as const };
  expect(audiencesOf(digestsOf(world, { options }))).toEqual([100]);
  expect(audiencesOf(digestsOf(world, { options: { ...options, contentRecipients: 'engaged' } }))).toEqual([null]);
});

test('whatever its status, what people saw is counted, and only what was wanted is judged', () => {
  const statuses = ['delivered', 'sent'].map((first, place) => {
    const listed = [first, 'archived'].map((status, later) => ({ fromMs: on(1 + 2 * later), status }));
    return sent(`a${place}`, on(1), 100, saw(80, on(1, 10)), { listed });
  });
  const silent = sent('silent', on(1), 100, [], { listed: [{ fromMs: on(1), status: 'sent' }] });
  const [digest] = digestsOf([...statuses, silent]);
  expect(digest).toMatchObject({
    totals: { broadcasts: 2, seen: 160 },
    broadcasts: [{ deliveries: [{ status: 'archived' }] }, { deliveries: [{ status: 'archived' }] }],
    otherStatuses: { archived: 1, sent: 1 },
    needs: [],
    unavailable: [],
  });
});

test('the same four people in four deliveries are four', () => {
  const tiny = times(4, (store) =>
    sent(`t${store}`, on(1), 5, saw(4, on(1, 10), { responded: 3 }), {
      broadcast: 'tiny',
      items: [{ id: `i${store}`, type: 'poll' }],
    }),
  );
  const [digest] = digestsOf(tiny, { options: { deliveryRecipients: 'audience' } });
  const deliveries = digest?.broadcasts[0]?.deliveries ?? [];
  expect(figuresOf(deliveries, { minimumGroup: 10, asks: true })).toMatchObject({
    seen: 16,
    audience: 20,
    responded: 12,
    share: null,
    rate: null,
  });
  expect(figuresOf(deliveries, { minimumGroup: 4, asks: true })).toMatchObject({ share: 0.8, rate: 0.75 });
  expect(digest?.totals).toMatchObject({ asked: { seen: 16, answered: 12 }, responseRate: null });
});

test('ratings are as of their reading, and a type of which nothing was ever read is no gap', () => {
  const rated = sent('rated', on(1), 100, saw(40, on(1, 10), { responded: 12 }), {
    items: [
      { id: 'r', type: 'rating', ratings: { '5': 8, '4': 4 } },
      { id: 'x', type: 'rating', ratingsUnread: true },
      { id: 'q', type: 'quiz', unread: 'unreadable' },
    ],
  });
  const [digest] = digestsOf([rated, ...letters(1)]);
  expect(digest?.broadcasts[1]?.deliveries[0]?.contents).toMatchObject([
    { id: 'r', ratings: { count: 12, mean: 14 / 3, histogram: { '4': 4, '5': 8 }, unreadable: 0 } },
    { id: 'x', seen: 40, ratings: null },
    { id: 'q', seen: null, unavailable: { reason: 'unreadable' } },
  ]);
  expect(digest).toMatchObject({ unavailable: [], totals: { seen: 100 } });
  const other = sent('other', on(1), 100, saw(40, on(1, 10)), { items: [{ id: 'q2', type: 'quiz' }] });
  expect(digestsOf([rated, other])[0]?.unavailable).toMatchObject([
    { what: 'content', content: 'q', reason: 'unreadable' },
  ]);
});

const answered = (people: number) => times(people, () => ({ seenAtMs: null, respondedAtMs: on(1, 10) }));

test('responses without a single view say that views are not given, from the tenth on', () => {
  const [digest] = digestsOf([sent('ten', on(1), 100, answered(10)), sent('nine', on(1), 100, answered(9))]);
  expect(digest?.totals).toMatchObject({ seen: null, responded: 19 });
  expect(digest?.broadcasts.map(({ deliveries }) => deliveries[0]?.seen)).toEqual([null, 0]);
});

test('what is gone counts as it was last read, and what was never read before it was gone is named once', () => {
  const gone = { fromMs: on(9), untilMs: on(90), reason: 'gone' as const };
  const letter = letters(1).map((one) => Object.assign(one, { fault: gone }));
  const never = sent('never', on(8), 50, saw(5, on(8)), { fault: { ...gone, fromMs: on(0) } });
  const digests = digestsOf([...letter, never], { weeks: 3 });
  expect(digests.map(({ totals }) => totals.seen)).toEqual([60, 0, 0]);
  expect(digests.map(({ unavailable }) => unavailable.map(({ delivery }) => delivery))).toEqual([[], ['never'], []]);
});

test('that each reached half of its audience is said only where the rows prove it', () => {
  const proves = (seen: number, audience: number, ...others: Parameters<typeof digestsOf>[0]): boolean | undefined =>
    digestsOf([...letters(1, () => ({ seen, audience })), ...others]).map(haveAllReachedHalf)[0];
  expect([proves(50, 100), proves(49, 100), proves(100, 100)]).toEqual([true, false, false]);
  expect(proves(50, 100, sent('dark', on(1), 60))).toBe(false);
});
