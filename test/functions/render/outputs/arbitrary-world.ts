import fc from 'fast-check';
import { countDelivery, countEngagement } from '../../../../functions/collect/engagement.ts';
import type { Digest } from '../../../../functions/domain/digest.ts';
import { boundsOf, precedingPeriod } from '../../../../functions/domain/period.ts';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import type { StoredFigures } from '../../../../functions/ledger/runs/digests.ts';
import { createTally } from '../../../../functions/reporting-service/coverage.ts';
import { at, collected, collectedAt, compose, figuresOf, history, week } from '../../run/compose/collected-samples.ts';

/** A row of a list of recipients, as the service answers it. */
export interface Row {
  seenAt: string | null;
  respondedAt: string | null;
  rating?: number;
}

const [before, within, later, after] = ['2026-11-04', '2026-11-11', '2026-11-12', '2026-11-16'].map(
  (day) => `${day}T05:00:00Z`,
);
const row = (seenAt: string | null = null, respondedAt: string | null = null): Row => ({ seenAt, respondedAt });
const few = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 3 }), fc.nat({ max: 25 }));
const many = fc.oneof({ weight: 4, arbitrary: few }, fc.integer({ min: 90, max: 1_300 }));

/** What people do, and how many of them. */
const deeds = {
  nothing: { row: row(), count: many },
  'saw before': { row: row(before), count: few },
  saw: { row: row(within), count: many },
  answered: { row: row(within, later), count: many },
  'responded unseen': { row: row(null, later), count: few },
  'saw before, answered': { row: row(before, later), count: few },
  'saw, answered after': { row: row(within, after), count: few },
  'saw at no readable time': { row: row('10/11/2026 10:00'), count: fc.oneof(fc.constant(0), few) },
};
const peopleArbitrary = fc
  .tuple(...Object.values(deeds).map(({ count }) => count))
  .map((counts) => Object.keys(deeds).flatMap((deed, nth) => (counts[nth] ? [[deed, counts[nth]] as const] : [])))
  .map((counts): Partial<Record<string, number>> => Object.fromEntries(counts));

/** A content item: every how manieth of a delivery's people did with it what they did, and how many more are on its list. */
const itemArbitrary = fc.record({
  type: fc.constantFrom('text', 'video', 'poll', 'rating', 'form'),
  every: fc.integer({ min: 1, max: 3 }),
  others: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constant(7)),
});

/** A delivery to some people, or one whose list is refused; and the places of items whose lists are. */
const deliveryArbitrary = fc.record({
  people: fc.oneof({ weight: 12, arbitrary: peopleArbitrary }, fc.constant(null)),
  refused: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.nat({ max: 3 })),
  listed: fc.constantFrom('long ago' as const, 'not judged yet' as const, 'now' as const),
});

const broadcastArbitrary = fc.record({
  items: fc.oneof({ weight: 12, arbitrary: fc.array(itemArbitrary, { maxLength: 4 }) }, fc.constant(null)),
  deliveries: fc.oneof(
    { weight: 2, arbitrary: fc.array(deliveryArbitrary, { minLength: 1, maxLength: 1 }) },
    fc.array(deliveryArbitrary, { minLength: 2, maxLength: 3 }),
  ),
});

/** Each is one word. */
const names = 'Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel'.split(' ');

/** What a service answers of a week, and what was kept of the weeks before, the latest first. */
export const worldArbitrary = fc.record({
  /** Whether lists have those who did nothing, too. */
  isAudience: fc.record({ deliveries: fc.boolean(), items: fc.boolean() }),
  broadcasts: fc.array(broadcastArbitrary, { maxLength: names.length }),
  before: fc.array(fc.record({ seen: fc.nat({ max: 3_000 }), responded: fc.nat({ max: 1_000 }) }), { maxLength: 5 }),
});
export type World = typeof worldArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** A delivery of a world with the rows of its own list and of those of its content items; `null` for what is refused. */
export interface Delivery {
  id: string;
  broadcast: string;
  rows: readonly Row[] | null;
  items: ReadonlyArray<readonly Row[] | null>;
  listed: World['broadcasts'][number]['deliveries'][number]['listed'];
}

export function deliveriesOf({ broadcasts, isAudience }: World): Delivery[] {
  return broadcasts.flatMap(({ deliveries, items }, nth) =>
    deliveries.map(({ people, refused, listed }, place) => {
      const doers = Object.entries(people ?? {}).flatMap(([deed, count]) =>
        Array.from({ length: count ?? 0 }, () => Object.entries(deeds).find(([key]) => key === deed)?.[1].row ?? row()),
      );
      return {
        id: `${names[nth]}-${place}`,
        broadcast: names[nth] ?? '',
        rows: people && listOf(doers, isAudience.deliveries),
        items: (items ?? []).map(({ type, every, others }, item) => {
          if (people === null || item === refused) return null;
          const some = doers.map((doer, person) => (person % every === 0 ? rated(doer, type, person) : row()));
          return listOf([...some, ...Array.from({ length: others }, () => row())], isAudience.items);
        }),
        listed,
      };
    }),
  );
}

/** Who responded to a rating gave one. */
function rated(doer: Row, type: string, person: number): Row {
  return type === 'rating' && doer.respondedAt !== null ? { ...doer, rating: 1 + (person % 5) } : doer;
}

function listOf(people: readonly Row[], isAudience: boolean): Row[] {
  return people.filter(({ seenAt, respondedAt }) => isAudience || seenAt !== null || respondedAt !== null);
}

const createdAt = '2026-11-03T05:00:00Z';
const bounds = boundsOf(week);
const pages = (rows: readonly Row[]) => [{ rows: rows.map((each) => ({ ...each })), mayBeCutOff: false }];
const failed = { unavailable: { reason: 'failed', status: 500 } } as const;

/** The digest that the product makes of what is answered. */
export async function digestOf(world: World): Promise<Digest> {
  const { broadcasts, isAudience } = world;
  const tally = createTally();
  const counting = { bounds, createdAt: at(createdAt), readAt: collectedAt };
  const recipients: Array<Found<'recipients'>> = [];
  const contents: Array<Found<'contents'>> = [];
  const deliveries = deliveriesOf(world);
  for (const { id, broadcast, rows, items } of deliveries) {
    const found = rows === null ? failed : await countDelivery(pages(rows), counting, tally);
    recipients.push({ delivery: { id, broadcast: { id: broadcast, name: broadcast }, status: 'delivered' }, ...found });
    for (const [item, list] of items.entries()) {
      const counted = list === null ? failed : { engagement: await countEngagement(pages(list), counting, tally) };
      contents.push({ delivery: id, content: `item ${item}`, ...counted });
    }
  }
  const known = deliveries.flatMap(({ id, listed }) =>
    listed === 'now'
      ? []
      : [[id, { wantedAt: at(createdAt), ...(listed === 'long ago' ? { judged: true as const } : {}) }] as const],
  );
  const { digest } = compose(
    collected({
      recipients,
      contents,
      broadcasts: broadcasts.map(({ items }, nth) => {
        const id = names[nth] ?? '';
        const contents = items?.map(({ type }, item) => ({ id: `item ${item}`, type }));
        if (contents === undefined) return Object.assign({ id }, failed);
        return { id, broadcast: { name: id, createdAt: at(createdAt), createdBy: 'Ada', contents } };
      }),
      history: history(Object.fromEntries(known)),
    }),
    {
      earlier: figuresBefore(world),
      service: {
        deliveryRecipients: isAudience.deliveries ? 'audience' : 'engaged',
        contentRecipients: isAudience.items ? 'audience' : 'engaged',
      },
    },
  );
  return digest;
}

/** The figures that the digests of the weeks before kept, the oldest first. */
function figuresBefore({ before }: World): StoredFigures[] {
  let period = week;
  const kept = before.map(({ seen, responded }) => {
    period = precedingPeriod(period);
    const figures = figuresOf(compose(collected(), { period }));
    const asked = { seen, responded, answered: Math.min(seen, responded) };
    const series = [{ key: 'alfa', name: 'Alfa', seen, responded }];
    return { ...figures, totals: { ...figures.totals, deliveries: 3, broadcasts: 2, seen, responded, asked, series } };
  });
  return kept.toReversed();
}
