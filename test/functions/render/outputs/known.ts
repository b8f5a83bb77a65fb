import type {
  Digest,
  DigestBroadcast,
  DigestContent,
  DigestDelivery,
  Need,
} from '../../../../functions/domain/digest.ts';
import { deliveriesOf, type World } from './arbitrary-world.ts';
import { addFigures, audienceOf, countRows, withRates, type Figures } from './figures-of-rows.ts';

/** What is known of a digest's broadcasts, counted from the rows; `null` also for what the digest names as not available. */
export interface Known {
  digest: Digest;
  /** What the trend calls its periods. */
  periods: readonly string[];
  /** What the rows of a delivery say, and those of an item in one delivery. */
  counted: (id: string) => Figures;
  countedItem: (id: string, place: number) => Figures;
  broadcast: (entry: DigestBroadcast) => Figures;
  delivery: (id: string | undefined) => Figures;
  /** An item over the deliveries of an entry, by its place from 0; and in one delivery. */
  item: (entry: DigestBroadcast, place: number) => Figures;
  itemOf: (delivery: string, place: number) => Figures;
}

export function knownOf(world: World, digest: Digest, periods: readonly string[]): Known {
  const rows = new Map<string, { own: Figures; items: Figures[] }>();
  for (const delivery of deliveriesOf(world)) {
    const audience = audienceOf(delivery, world.isAudience);
    const items = delivery.items.map((list) => ofItem(countRows(list, delivery.rows), world.isAudience.items));
    rows.set(delivery.id, { own: { ...countRows(delivery.rows), audience }, items });
  }
  const inDigest = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const deliveryCounts = (id: string): Figures => without(rows.get(id)?.own ?? {}, inDigest.get(id));
  const itemCounts = (id: string, place: number): Figures =>
    without(rows.get(id)?.items[place] ?? {}, inDigest.get(id)?.contents?.[place]);
  const asksOf = (id: string) => digest.broadcasts.find(({ deliveries }) => deliveries.includes(id))?.asks ?? null;
  const item: Known['item'] = (entry, place) => {
    const all = addFigures(entry.deliveries.map((id) => itemCounts(id, place)));
    const { ratings } = entry.contents?.[place] ?? {};
    return withRates(ratings == null ? { ...all, ratings: null, total: null } : all, entry.asks);
  };
  return {
    digest,
    periods,
    counted: deliveryCounts,
    countedItem: itemCounts,
    broadcast: (entry) => {
      const { ratings = null, total = null } = entry.contents?.length === 1 ? item(entry, 0) : {};
      return withRates({ ...addFigures(entry.deliveries.map(deliveryCounts)), ratings, total }, entry.asks);
    },
    delivery: (id = '') => withRates(deliveryCounts(id), asksOf(id)),
    item,
    itemOf: (id, place) => withRates(itemCounts(id, place), asksOf(id)),
  };
}

/** An item is for those on its list, where the list says who of them saw it. */
function ofItem(counted: Figures, isAudience: boolean): Figures {
  const { seen = null, listed = null } = counted;
  return { ...counted, audience: isAudience && seen !== null ? listed : null };
}

/** Counts without those that a digest does not have. */
function without(counted: Figures, shown: DigestDelivery | DigestContent | undefined): Figures {
  if (shown === undefined || shown.listed === null) return {};
  const noPeriod = shown.inPeriod === null ? { seenNow: null, respondedNow: null, answeredNow: null } : {};
  const noRatings = 'ratings' in shown ? {} : { ratings: null, total: null };
  return { ...counted, ...noPeriod, ...noRatings };
}

/** In what a digest differs from the rows; `null` is what it has not. */
export function faultsOfDigest(known: Known): string[] {
  const faults: string[] = [];
  const compare = (at: string, shown: InDigest, counted: Figures): void => {
    const { answered, seen, total, ratings, audience, engaged } = counted;
    const expected: Figures = {
      ...counted,
      rate: (answered ?? Number.NaN) / (seen ?? Number.NaN),
      mean: (total ?? Number.NaN) / (ratings ?? Number.NaN),
      untouched: (audience ?? Number.NaN) - (engaged ?? Number.NaN),
    };
    for (const [name, figure] of Object.entries(figuresIn(shown))) {
      const isSame = Math.abs((figure ?? Number.NaN) - (expected[name] ?? Number.NaN)) < 1e-9;
      if (figure !== null && !isSame) faults.push(`digest.json: ${name} of ${at} is ${figure}, not ${expected[name]}`);
    }
  };
  const { deliveries, broadcasts, needs } = known.digest;
  for (const {
    deliveries: [id = ''],
    ...need
  } of needs)
    compare(`a need of ${id}`, need, known.counted(id));
  for (const delivery of deliveries) {
    const { id, contents } = delivery;
    compare(id, delivery, known.counted(id));
    for (const [place, item] of (contents ?? []).entries()) {
      compare(`${id} ${item.id}`, item, known.countedItem(id, place));
    }
  }
  for (const entry of broadcasts) {
    const [at, ids] = [`${entry.name} ${entry.kind}`, entry.deliveries];
    compare(at, entry, addFigures(ids.map(known.counted)));
    for (const [place, item] of (entry.contents ?? []).entries()) {
      compare(`${at} ${item.id}`, item, addFigures(ids.map((id) => known.countedItem(id, place))));
    }
  }
  return faults;
}

type InDigest =
  | Pick<Need, 'seen' | 'audience' | 'untouched'>
  | DigestDelivery
  | DigestContent
  | DigestBroadcast
  | NonNullable<DigestBroadcast['contents']>[number];

const others = {
  listed: null,
  responded: null,
  answered: null,
  responseRate: null,
  audience: null,
  inPeriod: null,
  ratings: null,
};

function figuresIn(shown: InDigest): Figures {
  const { responseRate: rate, inPeriod, ratings, ...counts } = { ...others, engaged: null, untouched: null, ...shown };
  const { listed, seen, responded, answered, audience, engaged, untouched } = counts;
  const { seen: seenNow = null, responded: respondedNow = null, answered: answeredNow = null } = inPeriod ?? {};
  const period = { seenNow, respondedNow, answeredNow };
  const { count = null, mean = null } = ratings ?? {};
  return { listed, seen, responded, answered, audience, engaged, untouched, rate, ...period, ratings: count, mean };
}
