import { audienceOf, reachOf, type Audiences } from './audience.ts';
import { readContents, type KnownContent } from './contents.ts';
import { isLater, isOfUnknownDate, readDelivery, type Sources, type Wanted } from './deliveries.ts';
import { isInTime, settleMs, type Judgement } from './judging.ts';
import { missingKey, unreadable } from './lists.ts';
import { isGoneAgain } from './memory.ts';
import { datedWithin, fieldsIn, isWithin } from './rows.ts';

type Kind = 'new' | 'silent' | 'active' | null;

/** A delivery that the digest has to show, with what can be known of it. */
export type KnownDelivery = Sized & Judgement;

export interface Sized extends Wanted {
  kind: Kind;
  stillCounting: boolean;
  reach: number | null;
  audience: number | null;
  /** Rows of its own list that saw it or responded; and the others of its audience. */
  engaged: number | null;
  untouched: number | null;
  /** With the reach of each. */
  contents: Array<KnownContent & { reach: number | null }> | null;
}

type Included = Wanted & Pick<KnownDelivery, 'kind' | 'stillCounting'> & { contents: KnownContent[] | null };

/** What the digest includes; and all that was collected, of which some own lists turn out to be unreadable. */
export function includedOf(read: readonly Wanted[], sources: Sources): { included: Included[]; wanted: Wanted[] } {
  const { bounds } = sources;
  // A run asks for the items of what it includes by the deliveries' own lists.
  const lists = read.map(({ row }) => row.recipients);
  const items = read
    .map((listed) => readDelivery(listed, sources, fieldsIn(lists)))
    .filter((delivery) => kindOf(delivery, sources) !== 'left out')
    .flatMap(({ row, broadcast }) => row.contents.slice(0, broadcast.items?.length ?? 0));
  const fields = fieldsIn([...lists, ...items]);
  const included: Included[] = [];
  const wanted = read.map((listed): Wanted => {
    const delivery = readDelivery(listed, sources, fields);
    const kind = kindOf(delivery, sources);
    if (kind === 'left out') return delivery;
    const { row, broadcast, createdAt, firstSign, counted } = delivery;
    const length = counted?.listed ?? 0;
    const contents = readContents(row, { ...broadcast, createdAt, listed: length, fields }, sources);
    const isContradicted = kind === 'silent' && length === 0 && contents?.some(({ hasEngaged }) => hasEngaged);
    const since = kind === 'silent' ? createdAt : firstSign;
    const known = isContradicted ? { ...delivery, counted: null, gap: unreadable } : delivery;
    const stillCounting = known.counted !== null && since !== null && bounds.end - since < settleMs;
    included.push({ ...known, kind: isContradicted ? null : kind, stillCounting, contents });
    return known;
  });
  return { included, wanted };
}

/** Whether a digest includes a delivery, and as what. */
function kindOf(delivery: Wanted, { bounds, earlier }: Sources): Kind | 'left out' {
  const { id, counted, firstSign, isUndatable, isWantedNow, gap, memory } = delivery;
  const { start, end } = bounds;
  if (isLater(delivery, bounds)) return 'left out';
  if (counted === null) {
    const isKnownToBeGone = gap !== null && isGoneAgain(missingKey('delivery', id), gap, earlier);
    return memory.isOlder || isKnownToBeGone ? 'left out' : null;
  }
  if (counted.engaged === 0) {
    const isNamed = isWantedNow && !memory.isNamedNoMore && !memory.wasEngaged && !memory.wasOfUnknownDate;
    return isNamed && !isOfUnknownDate(delivery, bounds) ? 'silent' : 'left out';
  }
  if (isWithin(firstSign, start, end) && !memory.wasNew) return 'new';
  if (isUndatable) return null;
  const { seen, responded } = datedWithin(counted.rows, start, end);
  if (seen + responded > 0) return 'active';
  if (firstSign === null) return memory.wasShown ? 'left out' : null;
  // What is to be judged is shown, and what no run had listed: to the first digest that would be everything.
  const isDue = isWantedNow && !memory.wasJudged && counted.seen !== null && isInTime(firstSign, bounds);
  return isDue || !(memory.wasRead || memory.isFirstDigest) ? 'active' : 'left out';
}

/** With what can be said of how many a delivery was for. */
export function withSizes(delivery: Included, audiences: Audiences): Sized {
  const { counted, contents } = delivery;
  const audience = audienceOf(delivery, audiences);
  const engaged = counted === null || counted.seen === null ? null : counted.engaged;
  const withReach = contents?.map((content) =>
    Object.assign({}, content, { reach: reachOf(content.counted, audiences.items(content.type)) }),
  );
  return {
    ...delivery,
    reach: reachOf(counted, audiences.deliveries),
    audience,
    engaged,
    untouched: audience === null || engaged === null ? null : audience - engaged,
    contents: withReach ?? null,
  };
}
