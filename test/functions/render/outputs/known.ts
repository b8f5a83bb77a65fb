import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from '../../../../functions/domain/digest.ts';
import { deliveriesOf, type World } from './arbitrary-world.ts';
import { addFigures, audienceOf, countRows, withRates, type Figures } from './figures-of-rows.ts';

/** What is known of a digest's broadcasts, counted from the rows; `null` also for what the digest names as not available. */
export interface Known {
  digest: Digest;
  /** What the trend calls its periods. */
  periods: readonly string[];
  /** What the rows of a delivery say, and no more. */
  counted: (id: string) => Figures;
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
    const items = delivery.items.map((list) =>
      Object.assign({}, countRows(list), { audience: world.isAudience.items ? (list?.length ?? null) : null }),
    );
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
    broadcast: (entry) => {
      const { ratings = null, total = null } = entry.contents?.length === 1 ? item(entry, 0) : {};
      return withRates({ ...addFigures(entry.deliveries.map(deliveryCounts)), ratings, total }, entry.asks);
    },
    delivery: (id = '') => withRates(deliveryCounts(id), asksOf(id)),
    item,
    itemOf: (id, place) => withRates(itemCounts(id, place), asksOf(id)),
  };
}

/** Counts without those that a digest does not have. */
function without(counted: Figures, shown: DigestDelivery | DigestContent | undefined): Figures {
  if (shown === undefined || shown.seen === null) return {};
  const noPeriod = shown.inPeriod === null ? { seenNow: null, respondedNow: null, answeredNow: null } : {};
  const noRatings = 'ratings' in shown ? {} : { ratings: null, total: null };
  return { ...counted, ...noPeriod, ...noRatings };
}

/** In what a digest differs from the rows; `null` is what it has not. */
export function faultsOfDigest(known: Known): string[] {
  const faults: string[] = [];
  const compare = (at: string, shown: InDigest, counted: Figures): void => {
    for (const [name, figure] of Object.entries(figuresIn(shown))) {
      const expected = name === 'rate' ? rateOf(counted) : (counted[name] ?? Number.NaN);
      if (figure !== null && !(Math.abs(figure - expected) < 1e-9))
        faults.push(`digest.json: ${name} of ${at} is ${figure}, not ${expected}`);
    }
  };
  for (const delivery of known.digest.deliveries) {
    const { id, contents } = delivery;
    compare(id, delivery, known.delivery(id));
    for (const [place, item] of (contents ?? []).entries()) compare(`${id} ${item.id}`, item, known.itemOf(id, place));
  }
  for (const entry of known.digest.broadcasts) {
    const at = `${entry.name} ${entry.kind}`;
    compare(at, entry, known.broadcast(entry));
    for (const [place, item] of (entry.contents ?? []).entries())
      compare(`${at} ${item.id}`, item, known.item(entry, place));
  }
  return faults;
}

/** A digest has the rate of whatever was seen. */
function rateOf({ answered, seen }: Figures): number {
  return (answered ?? Number.NaN) / (seen ?? Number.NaN);
}

type InDigest = DigestDelivery | DigestContent | DigestBroadcast | NonNullable<DigestBroadcast['contents']>[number];

const others = { listed: null, answered: null, responseRate: null, audience: null, inPeriod: null, ratings: null };

/** The figures that a digest has. Views beside responses, and responses of nobody, are counted in it as they are listed. */
function figuresIn(shown: InDigest): Figures {
  const { listed, answered, responseRate, audience, inPeriod, ratings, seen, responded } = { ...others, ...shown };
  const { count = null, mean = null } = ratings ?? {};
  return {
    ...(seen === 0 && responded !== 0 ? {} : { seen, seenNow: inPeriod?.seen ?? null }),
    ...(responded === 0 ? {} : { responded, respondedNow: inPeriod?.responded ?? null }),
    answeredNow: inPeriod?.answered ?? null,
    listed,
    answered,
    rate: responseRate,
    audience,
    ratings: count,
    mean,
  };
}
