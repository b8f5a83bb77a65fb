import { expect, test } from 'vitest';
import type { DeliveryFacts } from '../../../functions/domain/facts.ts';
import { momentsOf } from '../../support/facts/moments.ts';
import { changing, digestsOf } from '../../support/facts/digests.ts';
import { letters, on, saw, sent, times, undated, type Person, type Sent } from '../../support/facts/world.ts';

/** What the digest says of the audience of its first broadcast. */
const audienceIn = ([digest]: ReturnType<typeof digestsOf>) => digest?.broadcasts[0]?.deliveries[0]?.audience;
const audienceOf = (seen: number, audience: number) => audienceIn(digestsOf(letters(1, () => ({ seen, audience }))));

test('lists that everybody on them saw say nothing of an audience, and ten people who did nothing do', () => {
  expect([audienceOf(40, 40), audienceOf(40, 49), audienceOf(40, 50)]).toEqual([null, null, 50]);
  const whole = letters(1, () => ({ audience: 60 }));
  expect(audienceIn(digestsOf(whole, { options: { deliveryRecipients: 'audience' } }))).toBe(60);
  // One list of which everybody saw it, beside others.
  const all = sent('all', on(2), 21, saw(21, on(2, 10)));
  const few = sent('few', on(2), 20, saw(20, on(2, 10)));
  const [digest] = digestsOf([...letters(1), all, few]);
  expect(digest?.broadcasts.map(({ deliveries }) => deliveries[0]?.audience)).toEqual([100, null, 20]);
});

test('where only lists of items have everybody, their length is the audience', () => {
  const world = letters(1).map((letter) => Object.assign(letter, { items: [{ id: 'i', type: 'text' }] }));
  const options = { deliveryRecipients: 'engaged' as const };
  expect(audienceIn(digestsOf(world, { options }))).toBe(100);
  expect(audienceIn(digestsOf(world, { options: { contentRecipients: 'engaged' } }))).toBe(100);
  expect(audienceIn(digestsOf(world, { options: { ...options, contentRecipients: 'engaged' } }))).toBeNull();
});

test('whatever its status, what people saw is counted, and only what was wanted is judged', () => {
  const statuses = ['delivered', 'sent'].map((first, place) => {
    const listed = [first, 'archived'].map((status, later) => ({ fromMs: on(1 + 2 * later), status }));
    return sent(`a${place}`, on(1), 100, saw(80, on(1, 10)), { listed });
  });
  const listed = [{ fromMs: on(1), status: 'sent' }];
  const unwanted = [0, 4].map((seen) => sent(`b${seen}`, on(1), 100, saw(seen, on(1, 10)), { listed }));
  const [digest] = digestsOf([...statuses, ...unwanted]);
  expect(digest).toMatchObject({
    totals: { broadcasts: 3, seen: 164 },
    broadcasts: ['archived', 'archived', 'sent'].map((status) => ({ deliveries: [{ status }] })),
    otherStatuses: { archived: 1, sent: 2 },
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
  expect(digest?.totals).toMatchObject({ asked: { seen: 16, answered: 12 }, responseRate: null });
});

test('ratings are as of their reading, and a type of which nothing was ever read is no gap', () => {
  const rated = sent('rated', on(1), 100, saw(40, on(1, 10), { responded: 12 }), {
    items: [
      { id: 'r', type: 'rating', ratings: { '4.5': 8, '3.5': 4 } },
      { id: 'x', type: 'rating', ratingsUnread: true },
      { id: 'q', type: 'quiz', unread: 'unreadable' },
    ],
  });
  const [digest] = digestsOf([rated, ...letters(1)]);
  expect(digest?.broadcasts[1]?.deliveries[0]?.contents).toMatchObject([
    { id: 'r', ratings: { count: 12, mean: 50 / 12, unreadable: 0 } },
    { id: 'x', seen: 40, ratings: null },
    { id: 'q', seen: null, unavailable: { reason: 'unreadable' } },
  ]);
  expect(JSON.stringify(digest)).toContain('"histogram":{"3.5":4,"4.5":8}');
  expect(digest).toMatchObject({ unavailable: [], totals: { seen: 100 } });
  const other = sent('other', on(1), 100, saw(40, on(1, 10)), { items: [{ id: 'q2', type: 'quiz' }] });
  const people = times(5, () => ({ seenAtMs: null, respondedAtMs: on(1, 10) }));
  // Also where people only responded.
  for (const shown of [rated, { ...rated, people }]) {
    const [incomplete] = digestsOf([shown, other, ...letters(1)]);
    expect(incomplete?.unavailable).toMatchObject([{ what: 'content', content: 'q', reason: 'unreadable' }]);
  }
});

const answered = (people: number) => times(people, () => ({ seenAtMs: null, respondedAtMs: on(1, 10) }));

test('responses without a single view say that views are not given, from the tenth on', () => {
  const [digest] = digestsOf([sent('ten', on(1), 100, answered(10)), sent('nine', on(1), 100, answered(9))]);
  expect(digest?.totals).toMatchObject({ seen: null, responded: 19, unavailable: { reason: 'unreadable' } });
  expect(digest?.broadcasts.map(({ deliveries }) => deliveries[0]?.seen)).toEqual([null, 0]);
});

test('what is gone counts as it was last read, and what was never read before it was gone is named once', () => {
  const gone = { fromMs: on(9), untilMs: on(90), reason: 'gone' as const };
  const letter = letters(1).map((one) => Object.assign(one, { fault: gone }));
  const never = sent('never', on(8), 50, saw(5, on(8)), { fault: { ...gone, fromMs: on(0) } });
  const digests = digestsOf([...letter, never], { weeks: 3 });
  expect(digests.map(({ totals }) => totals.seen)).toEqual([60, 0, 0]);
  expect(digests.map(({ unavailable }) => unavailable.map(({ delivery }) => delivery))).toEqual([[], ['never'], []]);
  // Also what left the list before the end, and was found gone by the first observation after it.
  const left = sent('left', on(4, 2), 100, saw(30, on(4, 3)));
  const [digest] = digestsOf([left], { service: { days: 3, forgets: true } });
  expect(digest).toMatchObject({ totals: { seen: 30 }, unavailable: [] });
});

const noList = { seenAt: 100, respondedAt: 0, neither: 0 };

const idle = (atMs: number) => sent('idle', atMs, 100, saw(90, atMs));

test('of which kind lists are is said by all that began in the last two weeks, and where that is not clear by all', () => {
  const few = sent('few', on(15), 20, saw(20, on(15)));
  const audienceBeside = (...others: Sent[]) =>
    digestsOf([few, ...others], { runs: [21] })[0]?.broadcasts.find(({ id }) => id === 'b-few')?.deliveries[0]
      ?.audience;
  // With the others 21 rows, of which everybody did something.
  const one = sent('one', on(15), 1, saw(1, on(15)));
  expect(audienceBeside(idle(on(7, 0)), one)).toBe(20);
  expect(audienceBeside(idle(on(7, -1)), one)).toBeNull();
  expect(audienceBeside(idle(on(7, -1)))).toBe(20);
  expect(audienceBeside(idle(on(15)), sent('late', on(21, 3), 901, saw(901, on(21, 4))))).toBe(20);
});

test('ten people in a thousand rows who did nothing are enough, in a thousand and one they are not', () => {
  expect([audienceOf(990, 1_000), audienceOf(991, 1_001)]).toEqual([1_000, null]);
});

const lacks = (facts: DeliveryFacts): Partial<DeliveryFacts> => ({
  list: facts.list && { ...facts.list, lacking: noList },
  contents: facts.contents.map(({ id, list }) => ({ id, list: list && { ...list, lacking: noList } })),
});

test('of an item whose rows say neither date nothing is known, and nothing is missing', () => {
  const silent = changing('l0', ({ contents }) => ({
    contents: contents.map(({ id, list }) => {
      const { listed = 0 } = list ?? {};
      return { id, list: list && { ...list, lacking: { seenAt: listed, respondedAt: listed, neither: listed } } };
    }),
  }));
  const [digest] = digestsOf(letters(2), silent);
  const items = digest?.broadcasts.flatMap(({ deliveries }) => deliveries.flatMap(({ contents }) => contents ?? []));
  expect(items?.map(({ listed, seen, responded }) => [listed, seen, responded])).toEqual([[100, null, null]]);
  expect(digest).toMatchObject({ unavailable: [], totals: { seen: 60 } });
});

test('an own list that is empty while its items have people, or without the name of a date anywhere, cannot be read', () => {
  const emptied = changing('l0', ({ list, contents }) => ({
    contents: [...contents, { id: 'of nobody', list: null }],
    list: list && { ...list, listed: 0, untouched: 0, moments: { stepMinutes: 60, deltas: [] } },
  }));
  const [digest] = digestsOf(letters(1), emptied);
  const unreadable = { what: 'delivery', delivery: 'l0', reason: 'unreadable' };
  expect(digest).toMatchObject({ needs: [], totals: { seen: null }, unavailable: [unreadable] });
  const [nowhere] = digestsOf(letters(1), changing('l0', lacks));
  expect(nowhere?.unavailable).toMatchObject([unreadable]);
  const [elsewhere] = digestsOf([...letters(1), sent('other', on(2), 50, saw(5, on(2)))], changing('l0', lacks));
  expect(elsewhere).toMatchObject({ unavailable: [], totals: { seen: 65 } });
});

test('items whose lists disagree, or hold fewer than engaged, say nothing of an audience', () => {
  const items = ['i', 'j'].map((id) => ({ id, type: 'text' }));
  const world = [...letters(1), sent('x', on(2), 100, saw(60, on(2)), { items })];
  const with2 = (listed: number, other: number) =>
    digestsOf(world, {
      ...changing('x', ({ contents }) => ({
        contents: contents.map((item, place) => ({
          ...item,
          list: item.list && { ...item.list, listed: place === 0 ? listed : other },
        })),
      })),
      options: { deliveryRecipients: 'engaged' },
    })[0]?.broadcasts.find(({ id }) => id === 'b-x')?.deliveries[0]?.audience;
  expect([with2(100, 100), with2(100, 99), with2(59, 59)]).toEqual([100, null, null]);
});

/** How many saw a poll whose own list has so many people, of whom so many responded. */
const seenOf = (seen: number, responded: number, ofDelivery = 40) =>
  digestsOf([sent('poll', on(1), 100, saw(ofDelivery, on(1)), { items: [{ id: 'p', type: 'poll' }] })], {
    service: { namesEverybody: () => false },
    ...changing('poll', ({ contents }) => ({
      contents: contents.map(({ id, list }) => {
        const people = times(seen, (place) => ({ seenAtMs: on(1), respondedAtMs: place < responded ? on(1) : null }));
        return { id, list: list && { ...list, listed: seen, moments: momentsOf(people, 60) } };
      }),
    })),
  })[0]?.broadcasts[0]?.deliveries[0]?.contents?.[0]?.seen;

test("an item's list of those who responded alone does not say who saw it, and one read before the end says when", () => {
  const poll = sent('poll', on(1), 100, saw(40, on(1, 10), { responded: 12 }), { items: [{ id: 'p', type: 'poll' }] });
  const rows = times(12, () => ({ seenAtMs: on(1, 10), respondedAtMs: on(1, 10) }));
  const twelve = { listed: 12, untouched: 0, moments: momentsOf(rows, 60), readMs: on(6) };
  const only = changing('poll', ({ contents }) => ({
    contents: contents.map(({ id, list }) => ({ id, list: list && { ...list, ...twelve } })),
  }));
  const [digest] = digestsOf([poll], only);
  expect(digest?.broadcasts[0]?.deliveries[0]?.contents).toMatchObject([
    { seen: null, responded: 12, answered: null, asOf: '2026-11-08T09:00:00+00:00' },
  ]);
  expect(digest?.broadcasts[0]?.asks).toBe(true);
  expect([seenOf(12, 12), seenOf(12, 11), seenOf(12, 12, 12), seenOf(0, 0)]).toEqual([null, 12, 12, 0]);
});

test('what left the list while it could not be read is unavailable, until nobody reads it any more', () => {
  const fault = { fromMs: on(9), untilMs: on(90), reason: 'failed' as const };
  const world = letters(7).map((letter, week) => (week === 0 ? Object.assign(letter, { fault }) : letter));
  const digests = digestsOf(world, { weeks: 7, service: { days: 7 } });
  expect(digests.map(({ unavailable }) => unavailable.length)).toEqual([0, 1, 1, 1, 1, 0, 0]);
  expect(digests[6]?.totals.seen).toBe(60);
});

test('a broadcast that could not be read is named, and it is not known whether it asks', () => {
  const unread = { sinceMs: on(1), reason: 'forbidden', status: 403 } as const;
  const forbidden = changing('l0', ({ broadcast }) => ({ broadcast: { ...broadcast, contents: null, unread } }));
  const [digest] = digestsOf(letters(1), forbidden);
  expect(digest).toMatchObject({
    unavailable: [{ what: 'broadcast', broadcast: { id: 'b-l0' }, reason: 'forbidden', status: 403 }],
    broadcasts: [{ asks: null, deliveries: [{ seen: 60, contents: null }] }],
    totals: { seen: 60, asked: null },
  });
});

test('ten people who responded, and a tenth of those who saw it, make a broadcast one that asks, as one item of such a type does', () => {
  const items = [{ id: 'q', type: 'quiz', unread: 'unreadable' as const }];
  const asks = (seen: number, responded: number) =>
    digestsOf([sent('x', on(1), 200, saw(seen, on(1), { responded }), { items })])[0]?.broadcasts[0]?.asks;
  expect([asks(100, 10), asks(101, 10), asks(40, 9)]).toEqual([true, false, false]);
  const poll = { id: 'p', type: 'poll' };
  const polled = sent('p', on(0), 200, saw(90, on(0), { responded: 30 }), { items: [poll] });
  const both = sent('x', on(1), 200, saw(50, on(1)), { items: [{ id: 't', type: 'text' }, poll] });
  expect(digestsOf([polled, both])[0]?.broadcasts.map((row) => row.asks)).toEqual([true, true]);
});

test('what nobody saw has items of nobody, and no date where nobody says when it was made', () => {
  const unread = changing('dark', ({ broadcast }) => ({ contents: [], broadcast: { ...broadcast, createdMs: null } }));
  const [digest] = digestsOf([sent('dark', on(1), 60)], unread);
  expect(digest?.broadcasts[0]?.deliveries[0]?.contents).toMatchObject([{ seen: 0, responded: 0, listed: null }]);
  expect(digest?.broadcasts[0]?.createdAt).toBeNull();
  expect(digest?.needs[0]?.broadcast).toEqual({ id: 'b-dark', name: 'News dark' });
});

test('a row says what is known of its deliveries by the end, and why nothing is known of one', () => {
  const fault = { fromMs: on(3), untilMs: on(90), reason: 'failed' as const };
  const world = Object.entries({ read: {}, lost: { fault } }).map(([id, more]) =>
    sent(id, on(1), 100, saw(30, on(1)), { broadcast: 'x', ...more }),
  );
  const [digest] = digestsOf(world);
  const firstSign = '2026-11-03T09:00:00+00:00';
  expect(digest?.broadcasts).toMatchObject([
    {
      createdAt: '2026-11-03T08:00:00+00:00',
      createdBy: 'Ada Byron',
      deliveries: [
        { id: 'read', firstSign, listed: 100, audience: 100, seen: 30 },
        { id: 'lost', firstSign, listed: null, audience: null, seen: null, unavailable: { reason: 'failed' } },
      ],
    },
  ]);
  expect(digest?.broadcasts[0]?.deliveries[0]).not.toHaveProperty('unavailable');
});

test('of a delivery that is missing, or had nothing in the period, no item is missing beside it', () => {
  const items = [{ id: 'q', type: 'quiz', unread: 'unreadable' as const }];
  const read = sent('read', on(1), 100, saw(40, on(1)), { items: [{ id: 'r', type: 'quiz' }] });
  const fault = { fromMs: on(3), untilMs: on(90), reason: 'failed' as const };
  const gaps = (people: Person[], more: Partial<Sent> = {}) =>
    digestsOf([read, sent('x', on(1), 100, [...saw(30, on(1)), ...people], { items, ...more })], { weeks: 2 }).map(
      ({ unavailable }) => unavailable.map(({ what }) => what),
    );
  expect(gaps([], { fault })[0]).toEqual(['delivery']);
  expect(gaps(undated(1, on(9)))).toEqual([['content'], []]);
  expect(gaps([{ seenAtMs: on(1), respondedAtMs: on(9) }])).toEqual([['content'], ['content']]);
  // What was never wanted and is gone was never missed.
  const listed = [{ fromMs: on(1), status: 'sent' }];
  expect(gaps([], { listed, fault: { ...fault, fromMs: on(0), reason: 'gone' } })[0]).toEqual([]);
});

test('of a week whose views nobody knows no rate is said, and neither it nor the next is more or less', () => {
  const people = times(12, () => ({ seenAtMs: null, respondedAtMs: on(22) }));
  const poll = sent('poll', on(22), 100, people, { items: [{ id: 'p', type: 'poll' }] });
  const digests = digestsOf([...letters(6), poll], { weeks: 5, observedFrom: -8 });
  const views = digests.slice(2).map(({ totals: { seen, asked, change } }) => [seen, asked, change.seen]);
  expect(views).toEqual([
    [60, { seen: 0, answered: 0 }, null],
    [null, null, null],
    [60, { seen: 0, answered: 0 }, null],
  ]);
  expect(digests[3]?.totals).toMatchObject({ responded: 12, unavailable: { reason: 'unreadable' } });
  expect(digests[4]?.totals).toMatchObject({ previous: { seen: null, responded: 12 } });
  expect(digests[4]?.totals).not.toHaveProperty('unavailable');
});

test('what was forbidden in all of two weeks is in no figure of those who were asked', () => {
  const poll = { broadcast: 'x', items: [{ id: 'p', type: 'poll' }] };
  const fault = { fromMs: on(-9), untilMs: on(90), reason: 'forbidden' as const };
  const read = sent('read', on(15), 100, saw(50, on(15), { responded: 20 }), poll);
  const digests = digestsOf([...letters(3), read, sent('lost', on(0), 100, [], { ...poll, fault })], { weeks: 3 });
  expect(digests[2]?.totals).toMatchObject({ seen: 110, asked: { seen: 50, answered: 20 } });
});

test('an item that cannot be read any more has what was read at the end or later, and else nothing', () => {
  const unread = { sinceMs: on(4), reason: 'failed' as const };
  const itemRead = (readMs: number) =>
    digestsOf(
      letters(1),
      changing('l0', ({ contents }) => ({
        contents: contents.map(({ id, list }) => ({ id, list: list && { ...list, readMs }, unread })),
      })),
    )[0]?.broadcasts[0]?.deliveries[0]?.contents?.[0];
  expect(itemRead(on(7, 8))).toMatchObject({ seen: 60 });
  expect(itemRead(on(4))).toMatchObject({ seen: null, unavailable: { reason: 'failed' } });
});

test('deliveries without a broadcast are broadcasts of their own, and authors are named only where they may be', () => {
  const own = ['a', 'b'].map((id) => sent(id, on(1), 9, saw(3, on(1)), { broadcast: '' }));
  const [digest] = digestsOf([...letters(1), ...own], { options: { authors: 'unnamed' } });
  const rows = digest?.broadcasts.map(
    ({ id, createdBy, deliveries }) => `"${id}" by ${createdBy}, ${deliveries.length}`,
  );
  expect(rows).toEqual(['"b-l0" by null, 1', '"" by null, 1', '"" by null, 1']);
});

test('what a cut-off list may lack is in no total, and what is only being made is no gap', () => {
  const observation = { unavailable: { reason: 'cut-off' as const } };
  const [digest] = digestsOf(letters(1), { observation });
  expect(digest).toMatchObject({
    unavailable: [{ what: 'deliveries', reason: 'cut-off' }],
    totals: { seen: null, unavailable: { reason: 'incomplete' } },
  });
  const fault = { fromMs: on(0), untilMs: on(90), reason: 'failed' as const };
  const monday = sent('monday', on(7, 3), 60, [], { fault, createdMs: on(7, 1) });
  expect(digestsOf([...letters(1), monday])[0]).toMatchObject({ unavailable: [], totals: { seen: 60 } });
  const left = sent('left', on(-9), 60, [], { listed: [{ fromMs: on(-9), status: 'sent' }] });
  expect(digestsOf([...letters(1), left], { observedFrom: -9, service: { days: 7 } })[0]?.otherStatuses).toEqual({});
});
