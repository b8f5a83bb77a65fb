import { figuresOf, ratioOf } from '../../../functions/digest/figures.ts';
import type {
  Digest,
  DigestBroadcast,
  DigestContent,
  DigestDelivery,
  Need,
  PeriodFigures,
} from '../../../functions/digest/schema.ts';

// The builder of digests: of the samples, which are written to `templates/samples/`, and of those of the tests. Totals are summed of rows.

const start = '2026-11-09T00:00:00+00:00';
const end = '2026-11-16T00:00:00+00:00';

type Counts = readonly [seen: number | null, responded: number | null];

/** A content item that so many saw and so many responded to. */
export function item(type: string, [seen, responded]: Counts, over: Partial<DigestContent> = {}): DigestContent {
  const answered = seen === null || responded === null ? null : Math.min(seen, responded);
  return { id: type, type, listed: seen, audience: null, seen, responded, answered, ...over };
}

/** A rating item with its histogram. */
export function rating([seen, responded]: Counts, histogram: Readonly<Record<string, number>>): DigestContent {
  const entries = Object.entries(histogram);
  const count = entries.reduce((sum, [, times]) => sum + times, 0);
  const mean = ratioOf(
    entries.reduce((sum, [value, times]) => sum + Number(value) * times, 0),
    count,
  );
  return item('rating', [seen, responded], { ratings: { count, mean, histogram, unreadable: 0 } });
}

let deliveries = 500;

/** A delivery that so many saw by the end, all of them in the period, and so many responded to. */
export function delivery([seen, responded]: Counts, over: Partial<DigestDelivery> = {}): DigestDelivery {
  const answered = seen === null || responded === null ? null : Math.min(seen, responded);
  deliveries += 1;
  return {
    id: String(deliveries),
    status: 'delivered',
    firstSign: seen === 0 || seen === null ? null : '2026-11-10T08:00:00+00:00',
    isLater: false,
    listed: over.audience ?? seen,
    audience: null,
    seen,
    responded,
    answered,
    inPeriod: { seen, responded },
    contents: [],
    ...over,
  };
}

/** A delivery that could not be read. */
export const unread = (over: Partial<DigestDelivery> = {}): DigestDelivery =>
  delivery([null, null], { listed: null, unavailable: { reason: 'failed', status: 500 }, ...over });

/** A broadcast with its deliveries: a new one that asks, unless said otherwise. */
export function broadcast(
  name: string | null,
  rows: readonly DigestDelivery[],
  over: Partial<DigestBroadcast> = {},
): DigestBroadcast {
  return {
    id: `b${rows[0]?.id}`,
    name,
    createdAt: '2026-11-09T09:30:00+00:00',
    createdBy: 'Priya Shah',
    group: 'new',
    asks: true,
    stillCounting: false,
    line: null,
    deliveries: [...rows],
    ...over,
  };
}

/** What is said of a broadcast that needs somebody: of some of its deliveries, all where none are given. */
export function need(
  row: DigestBroadcast,
  over: Partial<Need> = {},
  low: readonly DigestDelivery[] = row.deliveries,
): Need {
  const { seen, responded, answered, audience } = figuresOf(low, { minimumGroup: 0, asks: null });
  const reached = (seen ?? 0) + (responded ?? 0) - (answered ?? 0);
  const date = row.deliveries.flatMap(({ firstSign }) => firstSign ?? []).toSorted()[0] ?? row.createdAt;
  return {
    reason: reached === 0 ? 'unseen' : 'too-few',
    broadcast: { id: row.id, name: row.name, ...(date === null ? {} : { date }) },
    deliveries: low.map(({ id }) => id),
    ofDeliveries: row.deliveries.length,
    seen,
    reached,
    audience,
    usual: null,
    fewest: null,
    toRemind: audience === null || row.deliveries.length > 1 ? null : audience - reached,
    timesNamed: 0,
    isLastMention: false,
    ...over,
  };
}

/** The figures of a period that began at `start`. */
export function period(start: string, [seen, responded]: Counts, asked: PeriodFigures['asked'] = null): PeriodFigures {
  return { start, broadcasts: 4, seen, responded, asked, responseRate: asked && ratioOf(asked.answered, asked.seen) };
}

/** Weeks up to the one before, the latest last. */
const weeksBefore = (counts: readonly Counts[]): PeriodFigures[] =>
  counts.map((count, place) => {
    const startMs = Date.parse(start) - (counts.length - place) * 7 * 86_400_000;
    return period(new Date(startMs).toISOString().replace('.000Z', '+00:00'), count);
  });

interface Before {
  /** The weeks before, the latest last: the last one is what is compared with. */
  weeks?: readonly Counts[];
  asked?: PeriodFigures['asked'];
}

/** A digest of the week of 9 November 2026 whose totals are those of its rows. */
export function digestOf(broadcasts: DigestBroadcast[], over: Partial<Digest> = {}, before: Before = {}): Digest {
  const all = broadcasts.flatMap((row) => row.deliveries);
  const news = broadcasts.filter(({ group }) => group === 'new');
  const { inPeriod } = figuresOf(all, { minimumGroup: 0, asks: null });
  const asking = news.filter(({ asks }) => asks === true).flatMap((row) => row.deliveries);
  const figures = figuresOf(asking, { minimumGroup: 10, asks: true });
  const { seen, answered } = figures;
  const asked = seen === null || answered === null ? null : { seen, answered };
  const now = {
    broadcasts: inPeriod.seen === null ? null : news.length,
    ...inPeriod,
    asked,
    responseRate: figures.rate,
  };
  const earlier = weeksBefore(before.weeks ?? []);
  const last = earlier.at(-1);
  const previous =
    last === undefined ? null : { ...last, ...period(last.start, [last.seen, last.responded], before.asked) };
  const change = (name: 'seen' | 'responded'): number | null =>
    previous === null || now[name] === null || previous[name] === null ? null : now[name] - previous[name];
  const rate =
    now.responseRate === null || previous?.responseRate == null ? null : now.responseRate - previous.responseRate;
  return {
    schemaVersion: 5,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: { kind: 'week', start, end, timeZone: 'Europe/London' },
    readAt: '2026-11-16T08:00:04+00:00',
    coveredSince: '2026-06-01T08:00:00+01:00',
    only: null,
    except: null,
    leftOut: 0,
    noMatch: null,
    note: null,
    minimumGroup: 10,
    totals: {
      ...now,
      undated: { seen: 0, responded: 0 },
      previous: previous && { ...previous, asSaid: null },
      change: {
        seen: change('seen'),
        responded: change('responded'),
        responseRate: rate !== null && Math.abs(rate) >= 0.05 ? rate : null,
      },
      ...(inPeriod.seen === null ? { unavailable: { reason: 'incomplete' as const } } : {}),
    },
    trend: [...earlier, { start, ...now }],
    broadcasts,
    olderUnseen: 0,
    needs: [],
    season: null,
    since: [],
    unjudged: [],
    undated: [],
    otherStatuses: {},
    mayHoldOnlyNewest: false,
    unavailable: [],
    warning: null,
    ...over,
  };
}

const weeks: Counts[] = [
  [283, 156],
  [441, 233],
  [248, 115],
  [400, 171],
  [336, 139],
  [285, 176],
  [292, 180],
];

/** An earlier broadcast that so many saw in the period, of more before. */
export function earlierOne(
  name: string,
  [seen, responded]: Counts,
  over: Partial<DigestBroadcast> = {},
): DigestBroadcast {
  const before = { seen: 40 + (seen ?? 0), responded: 20 + (responded ?? 0), answered: 20 + (responded ?? 0) };
  const rows = [delivery([seen, responded], { ...before, firstSign: '2026-11-04T09:00:00+00:00' })];
  return broadcast(name, rows, { group: 'earlier', createdAt: '2026-11-03T09:00:00+00:00', ...over });
}

function aFullWeek(): Digest {
  const village = broadcast(
    'Changing village: deep clean',
    [delivery([220, 7], { contents: [item('text', [220, 0])] })],
    {
      asks: false,
    },
  );
  const induction = broadcast('Induction week: quiz & verdict', [
    delivery([51, 38], {
      audience: 90,
      contents: [item('video', [51, 0]), item('quiz', [41, 20]), rating([42, 24], { '3': 10, '4': 14 })],
    }),
    delivery([12, 7], {
      audience: 37,
      contents: [item('video', [12, 0]), item('quiz', [10, 3]), rating([10, 5], { '4': 5 })],
    }),
  ]);
  const five = broadcast('Midweek Five', [
    delivery([36, 31], {
      audience: 93,
      answered: 29,
      contents: [
        item('text', [29, 0]),
        item('link', [29, 12]),
        item('poll', [30, 18]),
        rating([25, 14], { '3': 6, '4': 8 }),
      ],
    }),
  ]);
  const briefing = broadcast(
    'Duty managers’ briefing',
    [delivery([10, 5], { contents: [item('text', [10, 0]), item('link', [9, 4])] })],
    {
      stillCounting: true,
    },
  );
  const letter = earlierOne('Sunday letter', [28, 20], {
    line: { reason: 'still-counting', before: { seen: 57, audience: 100 } },
  });
  letter.deliveries = letter.deliveries.map((row) => ({ ...row, seen: 85, audience: 100 }));
  const others = Array.from({ length: 11 }, (_, place) =>
    earlierOne(`News ${place + 1}`, place < 10 ? [4, 3] : [3, 1]),
  );
  const plant = broadcast('Plant room inspection', [delivery([0, 0], { audience: 64 })], {
    group: 'unseen',
    createdAt: '2026-11-11T10:00:00+00:00',
  });
  const old = (name: string, audience: number) => broadcast(name, [delivery([0, 0], { audience })]);
  const still = [
    old('Keys for the new lockers', 108),
    old('Lost property', 81),
    old('Parking on Friday', 40),
    old('Fire drill', 12),
  ];
  const choice = old('Members’ choice', 93);
  const counts = { audience: 93, reached: 36, seen: 36 };
  return digestOf(
    [village, induction, five, briefing, plant, letter, ...others],
    {
      needs: [
        need(five, { usual: 0.57 }),
        need(induction, { usual: 0.66 }, induction.deliveries.slice(1)),
        ...still.map((row, place) => need(row, { timesNamed: place === 0 ? 3 : 1, isLastMention: place === 0 })),
      ],
      since: [
        {
          ...need(choice, { reason: 'too-few' }),
          before: counts,
          now: { ...counts, seen: 52, reached: 52 },
        },
      ],
      olderUnseen: 5,
      otherStatuses: { scheduled: 3 },
    },
    { weeks, asked: { seen: 292, answered: 177 } },
  );
}

function anIncompleteWeek(): Digest {
  const week = aFullWeek();
  const gone = broadcast('Site walk on Thursday', [unread()], { createdAt: null });
  const half = broadcast('Winter rota', [delivery([40, 12], { audience: 60 }), unread()]);
  const rows = [...week.broadcasts.slice(0, 3), half, gone, ...week.broadcasts.slice(4)];
  return digestOf(
    rows,
    {
      needs: week.needs.slice(0, 1),
      unavailable: [half, gone].map((row) => ({
        what: 'delivery' as const,
        broadcast: { id: row.id, name: row.name },
        delivery: row.deliveries.at(-1)?.id ?? null,
        content: null,
        reason: 'failed' as const,
        status: 500,
      })),
    },
    { weeks },
  );
}

/** A month of 63 deliveries of as many broadcasts. */
function oneBusyMonth(): Digest {
  const names = [
    'Rota for the week',
    'Keys for the new lockers',
    'Pool temperature',
    'Members’ choice',
    'Safety round',
    'Open day',
    'Staff meeting',
  ];
  const rows = Array.from({ length: 63 }, (_, place) => {
    const audience = 60 + ((place * 37) % 140);
    const seen = Math.round(audience * (0.35 + ((place * 29) % 50) / 100));
    const responded = Math.round(seen * 0.4);
    const contents = [
      item('text', [seen, 0]),
      item('poll', [seen - 3, responded]),
      ...(place % 3 === 0 ? [item('video', [seen - 6, 0])] : []),
    ];
    const name = `${names[place % names.length]}${place < names.length ? '' : `, part ${Math.ceil((place + 1) / names.length)}`}`;
    return broadcast(name, [delivery([seen, responded], { audience, contents })]);
  });
  const others = Array.from({ length: 24 }, (_, place) => earlierOne(`Earlier ${place}`, [6 + (place % 5), 2]));
  const sorted = rows.toSorted((a, b) => (b.deliveries[0]?.seen ?? 0) - (a.deliveries[0]?.seen ?? 0));
  const low = sorted.slice(-5);
  const needs = low.map((row) => need(row, { usual: 0.64 }));
  const digest = digestOf(
    [...sorted, ...others],
    { needs },
    { weeks: [[5400, 1970]], asked: { seen: 5100, answered: 1950 } },
  );
  const months = ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01'];
  const monthly = months.map((day, place) => period(`${day}T00:00:00+01:00`, [4200 + 400 * place, 1700 + 90 * place]));
  const first = '2026-11-01T00:00:00+00:00';
  const { seen, responded } = digest.totals;
  return {
    ...digest,
    run: 'monthly_2026-11',
    report: 'monthly',
    period: { kind: 'month', start: first, end: '2026-12-01T00:00:00+00:00', timeZone: 'Europe/London' },
    readAt: '2026-12-01T08:00:00+00:00',
    trend: [...monthly, { ...period(first, [seen, responded]), broadcasts: 63 }],
  };
}

/** One broadcast with forty deliveries, of which ten nobody has seen. */
function fortyDeliveries(): Digest {
  const rows = Array.from({ length: 40 }, (_, place) => {
    const seen = place < 10 ? 0 : 20;
    const contents = [item('text', [seen, 0]), item('quiz', [seen, Math.round(seen / 2)])];
    return delivery([seen, Math.round(seen / 2)], { audience: 30, contents });
  });
  const all = broadcast('Safety round at every site', rows);
  return digestOf([all], { needs: [need(all, {}, rows.slice(0, 10))] }, { weeks });
}

function aQuietWeek(): Digest {
  return digestOf([], {}, { weeks });
}

function aWarning(): Digest {
  const five = broadcast('Midweek Five', [delivery([8, 6], { audience: 93 })]);
  const keys = broadcast('Keys for the new lockers', [delivery([0, 0], { audience: 108 })]);
  return digestOf([five, keys], {
    run: 'early_warning_2026-11-12',
    report: 'early',
    period: {
      kind: 'day',
      start: '2026-11-11T08:00:00+00:00',
      end: '2026-11-12T08:00:00+00:00',
      timeZone: 'Europe/London',
    },
    readAt: '2026-11-12T08:00:03+00:00',
    trend: [],
    needs: [need(keys), need(five, { usual: 0.4 })],
    warning: { report: 'weekly', afterHours: 24 },
  });
}

/** A digest whose deliveries are numbered from 501, whatever was made before. */
export function numbered(make: () => Digest): Digest {
  deliveries = 500;
  return make();
}

/** The samples by their names. */
export function sampleDigests(): Record<string, Digest> {
  return {
    'a full week': numbered(aFullWeek),
    'an incomplete week': numbered(anIncompleteWeek),
    'a quiet week': numbered(aQuietWeek),
    'one busy month': numbered(oneBusyMonth),
    'forty deliveries': numbered(fortyDeliveries),
    'a warning': numbered(aWarning),
  };
}
