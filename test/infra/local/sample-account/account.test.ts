import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  broadcastById,
  contentRecipientsOf,
  contentTypeOf,
  deliveriesAsOf,
  recipientsOf,
  type Delivery,
  type Recipient,
} from '../../../../infra/local/sample-account/account.ts';
import { firstFridayWeek, weekAt } from '../../../../infra/local/sample-account/calendar.ts';
import { recipientsOfDelivery } from '../../../../infra/local/sample-account/engagement.ts';
import { deliveriesOfWeek, plannedDelivery } from '../../../../infra/local/sample-account/schedule.ts';

const monday = '2026-11-16T08:00:00Z';
const dayMs = 86_400_000;

const instants = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2028-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const everyWeek = Array.from(
  { length: weekAt(Date.parse('2028-12-31T12:00:00Z')) - weekAt(Date.parse('2024-01-01T12:00:00Z')) + 1 },
  (_, index) => weekAt(Date.parse('2024-01-01T12:00:00Z')) + index,
);

function ms(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function earliest(texts: ReadonlyArray<string | null | undefined>): number | null {
  const known = texts.flatMap((text) => (typeof text === 'string' ? [Date.parse(text)] : []));
  return known.length === 0 ? null : Math.min(...known);
}

/** What a row seen later must have been at an earlier instant. */
function before(row: Recipient, instantMs: number): Recipient {
  const responded = row.respondedAt !== null && Date.parse(row.respondedAt) <= instantMs;
  return {
    id: row.id,
    seenAt: row.seenAt !== null && Date.parse(row.seenAt) <= instantMs ? row.seenAt : null,
    respondedAt: responded ? row.respondedAt : null,
    ...('rating' in row ? { rating: responded ? (row.rating ?? null) : null } : {}),
  };
}

function isEngaged(row: Recipient): boolean {
  return row.seenAt !== null || row.respondedAt !== null;
}

function contentsOf(delivery: Delivery, asOf: Date | string) {
  const contents = broadcastById(delivery.broadcast.id, asOf)?.contents ?? [];
  return contents.map(({ id, type }) => ({ id, type, rows: contentRecipientsOf(delivery.id, id, asOf) ?? [] }));
}

describe('the list of deliveries', () => {
  it('is the same on every machine', () => {
    const lastWeek = deliveriesAsOf(monday)
      .slice(0, 10)
      .map(({ status, broadcast }) => [status, broadcast.id, broadcast.name]);
    expect(lastWeek).toEqual([
      ['scheduled', '113502', "What's new at Harbour Leisure 🏊"],
      ['delivered', '113040', 'Friday Five'],
      ['delivered', '113494', 'Plant room inspection: bays 2 & 3'],
      ['delivered', '113493', 'Induction week: quiz & verdict'],
      ['delivered', '113493', 'Induction week: quiz & verdict'],
      ['delivered', '113491', 'Changing village: deep clean this week'],
      ['delivered', '113491', 'Changing village: deep clean this week'],
      ['delivered', '113491', 'Changing village: deep clean this week'],
      ['delivered', '113491', 'Changing village: deep clean this week'],
      ['delivered', '113492', "Duty managers' briefing"],
    ]);
  });

  it('reaches back ten weeks, newest first, with every id once', () => {
    fc.assert(
      fc.property(instants, (asOf) => {
        const list = deliveriesAsOf(asOf);
        const ages = list.map(({ id }) => asOf.getTime() - (plannedDelivery(id)?.deliverMs ?? Number.NaN));
        expect(ages).toEqual(ages.toSorted((a, b) => a - b));
        expect(ages[0]).toBeGreaterThanOrEqual(-3 * dayMs);
        expect(ages.at(-1)).toBeLessThanOrEqual(70 * dayMs);
        expect(ages.at(-1)).toBeGreaterThan(66 * dayMs);
        expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      }),
      { numRuns: 60 },
    );
  });

  it('calls a delivery scheduled until its instant comes, and delivered from then on', () => {
    fc.assert(
      fc.property(instants, (asOf) => {
        for (const { id, status } of deliveriesAsOf(asOf)) {
          const planned = plannedDelivery(id);
          const due = (planned?.deliverMs ?? 0) <= asOf.getTime() ? 'delivered' : 'scheduled';
          expect(status).toBe(planned?.cancelled ? 'cancelled' : due);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has ids that are UUIDs, names beyond plain Latin, and markup to be escaped', () => {
    const list = deliveriesAsOf(monday);
    for (const { id } of list) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    const names = list.map(({ broadcast }) => broadcast.name).join('\n');
    for (const character of [
      /&/,
      /</,
      />/,
      /'/,
      /\p{Extended_Pictographic}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Hebrew}/u,
    ]) {
      expect(names).toMatch(character);
    }
  });

  it('is empty before the account was opened', () => {
    expect(deliveriesAsOf('1999-06-01T00:00:00Z')).toEqual([]);
  });

  it('asks for an instant with an offset', () => {
    expect(() => deliveriesAsOf('2026-11-16')).toThrow(
      new TypeError('"2026-11-16" is not an ISO 8601 instant with "Z" or an offset.'),
    );
    expect(() => deliveriesAsOf(new Date(Number.NaN))).toThrow(TypeError);
  });
});

describe('every week of five years', () => {
  it.each([
    [
      'brings seven to nine deliveries of five broadcasts',
      (week: number) => {
        const delivered = deliveriesOfWeek(week).filter(({ cancelled }) => !cancelled);
        expect([7, 8, 9]).toContain(delivered.length);
        expect(new Set(delivered.map(({ broadcast }) => broadcast.id)).size).toBe(5);
      },
    ],
    [
      'has one delivery that nobody ever sees, created in that week',
      (week: number) => {
        const delivered = deliveriesOfWeek(week).filter(({ cancelled }) => !cancelled);
        const unseen = delivered.filter((delivery) =>
          recipientsOfDelivery(delivery).every(({ items }) => items.every(untouched)),
        );
        expect(unseen.map(({ broadcast }) => weekAt(broadcast.createdMs))).toEqual([week]);
      },
    ],
    [
      'has a Friday Five of the broadcast of the Friday before, until a year ends',
      (week: number) => {
        const [now, then] = [week, week - 1].map((one) =>
          deliveriesOfWeek(one).filter(({ broadcast }) => broadcast.name === 'Friday Five'),
        );
        expect(now?.map(({ deliverMs }) => new Date(deliverMs).getUTCDay())).toEqual([5]);
        const startsYear = [2024, 2025, 2026, 2027, 2028].some((year) => firstFridayWeek(year) === week);
        expect(now?.[0]?.broadcast.id === then?.[0]?.broadcast.id).toBe(!startsYear);
      },
    ],
    [
      'has a broadcast delivered several times',
      (week: number) => {
        const ids = deliveriesOfWeek(week).flatMap(({ broadcast, cancelled }) => (cancelled ? [] : [broadcast.id]));
        expect(Math.max(...ids.map((id) => ids.filter((other) => other === id).length))).toBeGreaterThanOrEqual(3);
      },
    ],
    [
      'delivers to 20 to 120 different people, one to five content items, after the broadcast was created',
      (week: number) => {
        for (const delivery of deliveriesOfWeek(week)) {
          const { audience, broadcast, deliverMs, listedMs } = delivery;
          expect(audience).toBeGreaterThanOrEqual(20);
          expect(audience).toBeLessThanOrEqual(120);
          expect(broadcast.contents.length).toBeGreaterThanOrEqual(1);
          expect(broadcast.contents.length).toBeLessThanOrEqual(5);
          expect(broadcast.createdMs).toBeLessThanOrEqual(listedMs);
          expect(listedMs).toBeLessThan(deliverMs);
          const people = recipientsOfDelivery(delivery);
          expect(new Set(people.map(({ id }) => id)).size).toBe(delivery.cancelled ? 0 : audience);
        }
      },
    ],
    [
      'has something to rate',
      (week: number) => {
        const types = deliveriesOfWeek(week).flatMap(({ broadcast }) => broadcast.contents.map(({ type }) => type));
        expect(types).toContain('rating');
      },
    ],
  ])('%s', (_, holds) => {
    for (const week of everyWeek) holds(week);
  });

  it('sees engagement with deliveries of earlier weeks', () => {
    const sightings = new Map(everyWeek.map((week) => [week, deliveriesOfWeek(week).flatMap(sightingsOf)]));
    for (const week of everyWeek.slice(3)) {
      const earlier = [1, 2, 3].flatMap((ago) => sightings.get(week - ago) ?? []);
      expect(earlier.filter((lookMs) => weekAt(lookMs) === week).length).toBeGreaterThan(3);
    }
  });

  it('dates most sightings within two days of the delivery, and some after weeks', () => {
    const delays = everyWeek.flatMap((week) =>
      deliveriesOfWeek(week).flatMap((delivery) => sightingsOf(delivery).map((seen) => seen - delivery.deliverMs)),
    );
    const shareWithin = (limitMs: number) => delays.filter((delay) => delay <= limitMs).length / delays.length;
    expect(Math.min(...delays)).toBeGreaterThan(0);
    expect(shareWithin(2 * dayMs)).toBeGreaterThan(0.7);
    expect(shareWithin(2 * dayMs)).toBeLessThan(0.9);
    expect(shareWithin(14 * dayMs)).toBeLessThan(0.98);
  });

  it('meets every type of content, a cancelled delivery, and responses that no view comes before', () => {
    const deliveries = everyWeek.flatMap((week) => deliveriesOfWeek(week));
    const types = new Set(deliveries.flatMap(({ broadcast }) => broadcast.contents.map(({ type }) => type)));
    expect([...types].toSorted()).toEqual(['form', 'image', 'link', 'poll', 'quiz', 'rating', 'text', 'video']);
    expect(deliveries.filter(({ cancelled }) => cancelled).length).toBe(87);
    const responses = deliveries
      .flatMap((delivery) => recipientsOfDelivery(delivery))
      .flatMap(({ items }) => items.filter(({ respondedMs }) => respondedMs !== null));
    const blind = responses.filter(({ seenMs }) => seenMs === null).length / responses.length;
    expect(blind).toBeGreaterThan(0.005);
    expect(blind).toBeLessThan(0.06);
  });
});

/** The dates of all views of the recent deliveries. */
function viewsAsOf(asOf: string): string[] {
  return deliveriesAsOf(asOf).flatMap(({ id }) => (recipientsOf(id, asOf) ?? []).flatMap((row) => row.seenAt ?? []));
}

function untouched({ seenMs, respondedMs }: { seenMs: number | null; respondedMs: number | null }): boolean {
  return seenMs === null && respondedMs === null;
}

/** When each person first looked at a delivery. */
function sightingsOf(delivery: Parameters<typeof recipientsOfDelivery>[0]): number[] {
  return recipientsOfDelivery(delivery).flatMap(({ items }) => {
    const seen = items.flatMap(({ seenMs }) => (seenMs === null ? [] : [seenMs]));
    return seen.length === 0 ? [] : [Math.min(...seen)];
  });
}

describe('history', () => {
  it('keeps every delivery as it was, and lets only the oldest leave the list', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 21 * dayMs }), (asOf, laterMs) => {
        const list = deliveriesAsOf(asOf);
        const later = new Map(deliveriesAsOf(new Date(asOf.getTime() + laterMs)).map((one) => [one.id, one]));
        const kept = list.filter(({ id }) => later.has(id));
        expect(kept).toEqual(list.slice(0, kept.length));
        expect(kept.length).toBeGreaterThan(40);
        for (const delivery of kept) {
          const { status } = delivery;
          const now = later.get(delivery.id);
          expect(now).toEqual({ ...delivery, status: status === 'scheduled' ? now?.status : status });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('shows later what it showed before, with what happened since', () => {
    fc.assert(
      fc.property(instants, fc.nat({ max: 60 }), fc.integer({ min: 1, max: 28 * dayMs }), (asOf, place, laterMs) => {
        const delivery = deliveriesAsOf(asOf)[place];
        const later = new Date(asOf.getTime() + laterMs);
        if (!delivery) throw new Error('The list is shorter than expected.');
        expect(broadcastById(delivery.broadcast.id, later)).toEqual(broadcastById(delivery.broadcast.id, asOf));
        const then = recipientsOf(delivery.id, later) ?? [];
        const past = then.map((row) => before(row, asOf.getTime())).filter(isEngaged);
        expect(recipientsOf(delivery.id, asOf)).toEqual(past);
        if (delivery.status === 'scheduled') return;
        for (const { id, type, rows } of contentsOf(delivery, later)) {
          const cut = rows.map((row) => before(row, asOf.getTime()));
          const isQuestion = ['poll', 'rating', 'quiz', 'form'].includes(type);
          expect(contentRecipientsOf(delivery.id, id, asOf)).toEqual(isQuestion ? cut : cut.filter(isEngaged));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('still answers for a delivery that has left the list', () => {
    const oldest = deliveriesAsOf(monday).at(-1);
    const later = '2027-11-15T08:00:00Z';
    expect(deliveriesAsOf(later).map(({ id }) => id)).not.toContain(oldest?.id);
    expect(recipientsOf(oldest?.id ?? '', later)?.length).toBeGreaterThan(0);
  });
});

describe('recipients', () => {
  it('are those who engaged, each with the earliest instants of their content rows, none of them to come', () => {
    fc.assert(
      fc.property(instants, fc.nat({ max: 60 }), (asOf, place) => {
        const delivery = deliveriesAsOf(asOf)[place];
        if (!delivery) throw new Error('The list is shorter than expected.');
        const contentRows = contentsOf(delivery, asOf).flatMap(({ rows }) => rows);
        const rows = recipientsOf(delivery.id, asOf) ?? [];
        const engaged = new Set(contentRows.filter(isEngaged).map(({ id }) => id));
        expect(new Set(rows.map(({ id }) => id))).toEqual(engaged);
        for (const row of rows) {
          const own = contentRows.filter(({ id }) => id === row.id);
          expect(ms(row.seenAt)).toBe(earliest(own.map(({ seenAt }) => seenAt)));
          expect(ms(row.respondedAt)).toBe(earliest(own.map(({ respondedAt }) => respondedAt)));
          expect(Math.max(ms(row.seenAt) ?? 0, ms(row.respondedAt) ?? 0)).toBeLessThanOrEqual(asOf.getTime());
          const deliverMs = plannedDelivery(delivery.id)?.deliverMs;
          expect(earliest([row.seenAt, row.respondedAt])).toBeGreaterThan(deliverMs ?? Number.NaN);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('carry a rating from 1 to 5 exactly where they responded to a rating', () => {
    const rated = deliveriesAsOf(monday).flatMap((delivery) => contentsOf(delivery, monday));
    for (const { type, rows } of rated) {
      for (const row of rows) {
        expect('rating' in row).toBe(type === 'rating');
        if (type === 'rating') expect(row.respondedAt === null ? [null] : [1, 2, 3, 4, 5]).toContain(row.rating);
      }
    }
    const given = new Set(rated.flatMap(({ rows }) => rows.map(({ rating }) => rating)));
    expect([1, 2, 3, 4, 5].filter((rating) => given.has(rating))).toEqual([1, 2, 3, 4, 5]);
  });

  it('are the audience of a question, and those who engaged with anything else', () => {
    const delivery = deliveriesAsOf(monday).find(({ broadcast }) => broadcast.name === 'Friday Five');
    if (!delivery) throw new Error('There is no Friday Five.');
    const audience = plannedDelivery(delivery.id)?.audience ?? 0;
    const lists = contentsOf(delivery, monday).map(({ type, rows }) => [type, rows.length, rows.every(isEngaged)]);
    expect(lists).toEqual([
      ['image', expect.any(Number), true],
      ['text', expect.any(Number), true],
      ['link', expect.any(Number), true],
      ['poll', audience, false],
      ['rating', audience, false],
    ]);
    expect(recipientsOf(delivery.id, monday)?.length).toBeLessThan(audience);
  });

  it('are the same on every machine', () => {
    const delivery = deliveriesAsOf(monday).find(({ broadcast }) => broadcast.name === 'Friday Five');
    expect(recipientsOf(delivery?.id ?? '', monday)?.slice(0, 2)).toEqual([
      { id: '40172', seenAt: '2026-11-14T08:23:46+00:00', respondedAt: '2026-11-14T08:25:31+00:00' },
      { id: '40091', seenAt: '2026-11-13T20:31:24+00:00', respondedAt: '2026-11-13T20:33:33+00:00' },
    ]);
  });

  it('date everything with the offset of UK local time, summer and winter', () => {
    const winter = viewsAsOf('2026-02-20T00:00:00Z');
    const summer = viewsAsOf('2026-08-20T00:00:00Z');
    expect(winter.length).toBeGreaterThan(500);
    expect(summer.length).toBeGreaterThan(500);
    for (const date of winter) expect(date).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    for (const date of summer) expect(date).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+01:00$/);
  });

  it('are none before a delivery is delivered', () => {
    const scheduled = deliveriesAsOf(monday).find(({ status }) => status === 'scheduled');
    if (!scheduled) throw new Error('Nothing is scheduled.');
    expect(recipientsOf(scheduled.id, monday)).toEqual([]);
    expect(contentsOf(scheduled, monday).map(({ rows }) => rows)).toEqual([[], [], []]);
  });
});

describe('what does not exist', () => {
  it.each(['', 'x', '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'])(
    'has no recipients: "%s"',
    (id) => {
      expect(recipientsOf(id, monday)).toBeUndefined();
      expect(contentRecipientsOf(id, '1130401', monday)).toBeUndefined();
      expect(contentTypeOf(id, '1130401', monday)).toBeUndefined();
    },
  );

  it.each(['', '0', '1', '99999', '113495', '9999999', '99999999999999999999', '113040.0', ' 113040'])(
    'is no broadcast: "%s"',
    (id) => {
      expect(broadcastById(id, monday)).toBeUndefined();
    },
  );

  it('is a broadcast before it was created', () => {
    expect(broadcastById('113502', '2026-11-13T15:37:18Z')).toBeUndefined();
    expect(broadcastById('113502', '2026-11-13T15:37:19Z')).toEqual({
      broadcast: {
        id: '113502',
        name: "What's new at Harbour Leisure 🏊",
        created: { by: { id: '2088', firstName: 'أحمد', lastName: 'الهاشمي' }, at: '2026-11-13T15:37:19+00:00' },
      },
      contents: [
        { id: '1135021', type: 'image' },
        { id: '1135022', type: 'text' },
        { id: '1135023', type: 'link' },
      ],
    });
  });
});
