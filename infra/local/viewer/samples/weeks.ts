import { defaultInformingTypes } from '../../../../functions/domain/broadcasts/asks.ts';
import { countAsked, countBroadcasts } from '../../../../functions/domain/broadcasts/asked.ts';
import { groupBroadcasts } from '../../../../functions/domain/broadcasts/group.ts';
import { sumOfEngaged } from '../../../../functions/domain/broadcasts/sums.ts';
import type {
  Digest,
  DigestContent,
  DigestDelivery,
  Missing,
  TrendPeriod,
} from '../../../../functions/domain/digest.ts';
import { content, delivery, digest, engaged, unread } from './pieces.ts';

/** A delivery in a few figures. */
interface Sketch {
  broadcast: string;
  kind?: 'new' | 'silent' | 'active';
  /** How many people it is for, where the service says it. */
  audience?: number;
  seen: number;
  responded: number;
  /** Types of content items in their order. Each is seen by fewer than the one before it. */
  types?: readonly string[];
  /** Day of the month on which it was first seen. */
  day?: number;
}

const authors = ['Priya Shah', 'Tom O’Brien', 'Grace Lee', 'Ada King'];

/** The delivery of a sketch; `index` is its place among those of its digest. */
function draw(sketch: Sketch, index: number): DigestDelivery {
  const { broadcast, kind = 'new', seen, responded, types = ['text', 'poll'], day = 10 } = sketch;
  const silent = kind === 'silent';
  const share = kind === 'active' ? 0.1 : 1;
  return delivery({
    id: String(600 + index),
    kind,
    broadcast: {
      id: broadcast.toLowerCase().replaceAll(/\W+/g, '-'),
      name: broadcast,
      createdAt: kind === 'active' ? '2026-10-05T09:30:00+01:00' : '2026-11-09T09:30:00+00:00',
      createdBy: authors[broadcast.length % authors.length] ?? null,
    },
    firstSign: silent ? null : `2026-11-${String(day).padStart(2, '0')}T11:00:00+00:00`,
    listed: seen,
    seen,
    responded,
    inPeriod: { seen: Math.round(seen * share), responded: Math.round(responded * share) },
    medianResponseSeconds: responded === 0 ? null : 300,
    contents: types.map((type, place) => drawItem(type, place, sketch)),
  });
}

/** An item that is further down is seen by fewer people; only what asks gets more than a few responses. */
function drawItem(type: string, place: number, { audience, seen, responded }: Sketch): DigestContent {
  const asks = !defaultInformingTypes.includes(type);
  const [itemSeen, itemResponded] = [Math.round(seen * 0.9 ** place), asks ? Math.round(responded * 0.8 ** place) : 0];
  return content({
    id: String(place + 1),
    type,
    listed: audience ?? itemSeen,
    reach: audience === undefined ? null : itemSeen / audience,
    seen: itemSeen,
    responded: itemResponded,
    inPeriod: { seen: itemSeen, responded: itemResponded },
    ...(type === 'rating' && itemResponded > 0
      ? { ratings: { count: itemResponded, mean: 3.7, histogram: { '3': itemResponded } } }
      : {}),
  });
}

/** The digest of some deliveries: what it counts of the period is counted from them. */
function digestOf(deliveries: readonly DigestDelivery[], over: Partial<Digest> = {}): Digest {
  const broadcasts = groupBroadcasts(deliveries, {
    informingTypes: defaultInformingTypes,
    listedDeliveries: (id) => deliveries.filter(({ broadcast }) => broadcast.id === id).length,
    unseenSince: () => null,
  });
  const news = deliveries.filter(({ kind }) => kind === 'new');
  const { seen = null, responded = null } = sumOfEngaged(deliveries.map(({ inPeriod }) => inPeriod)) ?? {};
  return digest({
    totals: {
      ...digest().totals,
      deliveries: news.length,
      broadcasts: countBroadcasts(news),
      seen,
      responded,
      ...countAsked(broadcasts),
      previous: {
        deliveries: 6,
        broadcasts: 3,
        seen: 292,
        responded: 120,
        asked: engaged(152, 94),
        responseRate: 94 / 152,
      },
    },
    deliveries: [...deliveries],
    broadcasts,
    ...over,
  });
}

/** A week in which everything was seen, and little was sent. */
export function quietWeek(): Digest {
  return digestOf(
    [
      { broadcast: 'Rota & holiday requests', audience: 60, seen: 51, responded: 30, types: ['text', 'form'] },
      { broadcast: 'Pool opening hours', seen: 40, responded: 0, types: ['text'] },
      { broadcast: 'Welcome, new starters', kind: 'active' as const, seen: 120, responded: 80 },
    ].map(draw),
  );
}

/** The first digest of a report: there is nothing to compare with. */
export function firstWeek(): Digest {
  const lacking = { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' };
  const { totals, ...rest } = quietWeek();
  return {
    ...rest,
    totals: { ...totals, previous: null, comparison: { basis: 'none', reason: 'first', lacking } },
  };
}

/** A week in which the service refused much of what was asked. */
export function incompleteWeek(): Digest {
  const refused = { reason: 'refused', status: 401 } as const;
  const read = [
    draw({ broadcast: 'Survey for everyone', seen: 39, responded: 17, types: ['text', 'poll', 'rating'] }, 0),
    draw({ broadcast: 'Late shift training', seen: 26, responded: 7, types: ['image', 'file'] }, 1),
    draw({ broadcast: 'Evacuation drill', kind: 'silent', audience: 40, seen: 0, responded: 0 }, 2),
  ];
  const unreadItem = { ...notRead, unavailable: refused };
  const deliveries = read.map((each) =>
    delivery({ ...each, contents: (each.contents ?? []).map(({ id, type }) => content({ id, type, ...unreadItem })) }),
  );
  const missing: Missing[] = [
    ...Array.from({ length: 40 }, (_, index): Missing => ({ what: 'content', content: String(index), ...refused })),
    ...Array.from({ length: 8 }, (_, index): Missing => ({ what: 'delivery', delivery: `u${index}`, ...refused })),
  ];
  const { totals, ...rest } = digestOf([
    ...deliveries,
    ...Array.from({ length: 8 }, (_, index) => delivery({ ...unread(`u${index}`), unavailable: refused })),
  ]);
  const none = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  const comparison = { basis: 'none', reason: 'incomplete-now', lacking: digest().period } as const;
  return {
    ...rest,
    missing,
    totals: { ...totals, ...none, previous: null, comparison, unavailable: { reason: 'incomplete' } },
  };
}

const notRead = {
  listed: null,
  seen: null,
  responded: null,
  reach: null,
  inPeriod: null,
  medianResponseSeconds: null,
};

/** A week of one broadcast that went to forty sites. */
export function fortyDeliveries(): Digest {
  return digestOf(
    Array.from({ length: 40 }, (_, index) =>
      draw(
        {
          broadcast: 'Evacuation drill: your site’s route',
          audience: 30 + index,
          seen: 60 - index,
          responded: 30 - Math.floor(index / 2),
          types: ['text', 'image', 'quiz'],
          day: 9 + (index % 5),
        },
        index,
      ),
    ),
  );
}

/** A week in which nothing was asked. */
export function textOnlyWeek(): Digest {
  return digestOf(
    ['Changing village: deep clean', 'Car park closed', 'New uniforms', 'Café menu'].map((broadcast, index) =>
      draw({ broadcast, seen: 200 - 40 * index, responded: index, types: ['text'], day: 9 + index }, index),
    ),
  );
}

/** A month of 63 deliveries: 18 new broadcasts, unseen ones, and older ones that are still read. */
export function busyMonth(): Digest {
  const types = [
    ['image', 'text', 'link', 'poll', 'rating'],
    ['text', 'form'],
    ['text', 'image', 'quiz'],
    ['text'],
    ['video', 'quiz', 'rating'],
    ['text', 'link', 'quiz', 'form', 'poll', 'rating', 'image', 'video', 'file'],
  ];
  const sketches = Array.from({ length: 63 }, (_, index): Sketch => {
    const topic = index % 24;
    const audience = topic % 4 === 3 ? undefined : 60 + ((index * 37) % 60);
    const kind = topic < 17 ? 'new' : topic < 20 ? 'silent' : 'active';
    const seen = kind === 'silent' ? 0 : 12 + ((index * 29) % 48);
    return {
      broadcast: `Broadcast ${topic + 1}: what everybody should know`,
      kind,
      ...(audience === undefined ? {} : { audience }),
      seen,
      responded: Math.round(seen * 0.6),
      types: types[topic % types.length] ?? [],
      day: 9 + (index % 6),
    };
  });
  return digestOf(sketches.map(draw), {
    run: 'monthly_2026-11',
    report: 'monthly',
    period: {
      kind: 'month',
      start: '2026-11-01T00:00:00+00:00',
      end: '2026-12-01T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    collectedAt: '2026-12-01T08:00:04+00:00',
  });
}

/** A week with views and rates of all eight periods, of which an earlier release counted one without a rate. */
export function eightWeeks(): Digest {
  const week = digestOf(
    [
      {
        broadcast: 'Friday Five',
        audience: 93,
        seen: 36,
        responded: 29,
        types: ['image', 'text', 'link', 'poll', 'rating'],
      },
      {
        broadcast: 'Induction week: quiz & verdict',
        audience: 127,
        seen: 70,
        responded: 45,
        types: ['video', 'quiz', 'rating'],
      },
      { broadcast: 'Changing village: deep clean', seen: 220, responded: 7, types: ['text'] },
      { broadcast: 'Plant room inspection', kind: 'silent' as const, audience: 68, seen: 0, responded: 0 },
      { broadcast: 'Café & bar: the new menu', kind: 'active' as const, seen: 90, responded: 40 },
    ].map(draw),
  );
  const { seen, responded, broadcasts, asked, responseRate } = week.totals;
  const earlier = [283, 441, 248, 400, 336, 285, 292].map(drawPeriod);
  const own = { start: week.period.start, seen, responded, broadcasts, asked, responseRate, complete: true };
  return { ...week, trend: [...earlier, own] };
}

/** More than a mail can show: 400 deliveries of as many broadcasts, each with eight content items. */
export function manyDeliveries(): Digest {
  const kinds = ['new', 'new', 'silent', 'active'] as const;
  const types = ['text', 'multiple_choice', 'image', 'rating', 'video', 'form', 'link', 'poll'];
  return digestOf(
    Array.from({ length: 400 }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? 'new';
      const [seen, responded] = kind === 'silent' ? [0, 0] : [450 - index, 300 - Math.round(index / 2)];
      const broadcast = `Broadcast ${index + 1}: what everybody at every site should know before the holidays`;
      return draw({ broadcast, kind, audience: 500, seen, responded, types }, index);
    }),
  );
}

function drawPeriod(seen: number, index: number): TrendPeriod {
  const asked = engaged(seen, Math.round(seen * (0.5 + index / 50)));
  const isRated = index > 0;
  return {
    start: new Date(Date.UTC(2026, 8, 21 + 7 * index)).toISOString().replace('.000Z', '+00:00'),
    seen,
    responded: asked.responded,
    broadcasts: isRated ? 3 : null,
    asked: isRated ? asked : null,
    responseRate: isRated ? asked.responded / seen : null,
    complete: true,
  };
}
