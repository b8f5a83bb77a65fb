import type { DigestBroadcast } from '../../../../functions/domain/digest.ts';
import { addFigures, ratio, type Figures, type Known } from './known.ts';
import type { Statement } from './read-outputs.ts';

/** What the numbers at a message, a column or a label may be together. */
type Scope = (known: Known, statement: Statement) => readonly Figures[];

const entriesOf = ({ digest }: Known, { subject: { name } }: Statement): DigestBroadcast[] =>
  digest.broadcasts.filter((entry) => entry.name === name);

/** A broadcast, one of its items, or one of its deliveries. */
const ofSubject: Scope = (known, statement) => {
  const { item, delivery } = statement.subject;
  return entriesOf(known, statement).map((entry) => {
    if (item !== undefined) return known.item(entry, item - 1);
    return delivery === undefined ? known.broadcast(entry) : known.delivery(entry.deliveries[delivery - 1]);
  });
};

const ofItsDeliveries: Scope = (known, statement) =>
  entriesOf(known, statement).flatMap(({ deliveries }) =>
    deliveries.map((id) => Object.assign({}, known.delivery(id), { of: deliveries.length })),
  );

/** A broadcast that needs somebody, by the delivery that it is said of; whom to remind is known where it is the only one. */
const ofNeed: Scope = (known, { subject: { name } }) =>
  known.digest.needs.flatMap(({ deliveries: [id], listedDeliveries: of, usual }) => {
    const figures = known.delivery(id);
    const isNamed = known.digest.broadcasts.some((entry) => entry.name === name && entry.deliveries.includes(id ?? ''));
    const untouched = of > 1 ? null : (figures['untouched'] ?? null);
    return isNamed ? [{ ...figures, usualShare: usual?.share ?? null, untouched, part: 1, of }] : [];
  });

const ofNeedOrSubject: Scope = (known, statement) => [...ofNeed(known, statement), ...ofSubject(known, statement)];

/** What was seen at an age, beside what is usual then, or what earlier editions had. */
const ofAge: Scope = (known, statement) =>
  entriesOf(known, statement).map((entry) => {
    const { seen = null, usual = null, earlier = null } = entry.atAge ?? {};
    const { audience = null } = known.broadcast(entry);
    const share = ratio(seen, audience);
    const views = (earlier?.editions ?? []).map((edition) => edition.seen);
    return {
      seen,
      audience,
      share,
      usualShare: share === null || usual === null ? null : medianOf(usual.editions),
      fewest: earlier && Math.min(...views),
      most: earlier && Math.max(...views),
      editions: (usual ?? earlier)?.editions.length ?? null,
    };
  });

/** The share of its audience that the middle one of some editions had, or the mean of both in the middle. */
function medianOf(editions: ReadonlyArray<{ seen: number; audience: number | null }>): number {
  const shares = editions.map(({ seen, audience }) => seen / (audience ?? Number.NaN)).toSorted((a, b) => a - b);
  const middle = shares.slice(Math.ceil(shares.length / 2) - 1, Math.floor(shares.length / 2) + 1);
  return middle.reduce((sum, share) => sum + share, 0) / middle.length;
}

const ofEditions: Scope = (known, statement) =>
  entriesOf(known, statement)
    .flatMap(({ atAge }) => (atAge?.usual ?? atAge?.earlier)?.editions ?? [])
    .map(({ seen, responded, audience }) => ({ seen, responded, audience, share: ratio(seen, audience) }));

/** A figure of the period beside that of the one before: of the tile, or of the message that is within. */
const ofTotal: Scope = (known, { subject: { tile }, within, at }) => {
  const { seen, responded, broadcasts, comparison, previous: kept } = known.digest.totals;
  const previous = comparison.basis === 'kept' ? kept : null;
  const isOfResponses = [at, ...within].some((key) => key.endsWith('count.responses'));
  const key = at.startsWith('tile') ? tile : isOfResponses ? 'tile.responses' : 'tile.views';
  if (key === 'tile.reach') return [reachOf(known)];
  if (key === 'tile.responses') return [changeOf(responded, previous?.responded)];
  return [key === 'tile.views' ? changeOf(seen, previous?.seen) : changeOf(broadcasts, previous?.broadcasts)];
};

function changeOf(now: number | null = null, before: number | null = null): Figures {
  const change = now === null || before === null ? null : now - before;
  return { now, before, change, by: change && Math.abs(change) };
}

/** What new broadcasts of known audiences had by the end of the period. */
function reachOf({ digest, broadcast }: Known): Figures {
  const fresh = digest.broadcasts.filter(({ kind, audience }) => kind === 'new' && audience);
  const { seenNow = null, audience = null } = addFigures(fresh.map(broadcast));
  return { seen: seenNow, audience, share: ratio(seenNow, audience) };
}

const ofAsked: Scope = ({ digest: { totals } }, { at }) => {
  const { seen = null, answered = null } = (at.includes('/before/') ? totals.previous : totals)?.asked ?? {};
  return [{ answered, seen, rate: ratio(answered, seen) }];
};

/** New and older deliveries of a broadcast together, of all views. */
const ofAllOfIt: Scope = (known, statement) => {
  const entries = entriesOf(known, statement).map(known.broadcast);
  return [{ seenNow: entries.reduce((sum, { seenNow }) => sum + (seenNow ?? 0), 0), all: known.digest.totals.seen }];
};

const ofPeriod: Scope = ({ digest: { trend }, periods }, { subject: { period } }) =>
  trend.filter((_, place) => periods[place] === period).map(({ seen, responded }) => ({ seen, responded }));

/** By the name of a value, which figure of the scope it is, or one of which; `null` is none. */
type Meaning = readonly [at: RegExp, scope: Scope, figures: Readonly<Record<string, string | null>>];

/** Messages that count things or hours, not people: they are approved (approved.test.ts). */
export const countsThings =
  /(^|\/)((age|span|reason|missing|index|files|trend|legend|more|notes)\.|(needs\.(more\w*|judged)|subject\.needs|items\.unavailable|new\.(note\.\w+|others))$)/;

/** What is meant at each message, in each column (its table's first one, then its own) and behind each label. */
export const meanings: readonly Meaning[] = [
  // Tables
  [/^(column\.(item|broadcast|delivery)|new\.others) column\.people\.seen$/, ofSubject, { shown: 'seen' }],
  [/^(column\.(broadcast|delivery)|new\.others) column\.audience$/, ofSubject, { shown: 'audience' }],
  [/^(column\.(broadcast|delivery)|new\.others) column\.share$/, ofSubject, { shown: 'share' }],
  [/^(column\.(item|broadcast|delivery)|new\.others) column\.people\.responded$/, ofSubject, { shown: 'responded' }],
  [/^column\.broadcast column\.counts\.seen$/, ofSubject, { shown: 'seenNow' }],
  [/^column\.broadcast column\.counts\.responded$/, ofSubject, { shown: 'respondedNow' }],
  [/^column\.broadcast column\.usual$/, ofAge, { shown: 'usualShare' }],
  [/column\.usual\/usual\.short$/, ofAge, { usual: 'usualShare' }],
  [/^column\.edition column\.within$/, ofEditions, { shown: 'seen' }],
  [/^column\.edition column\.audience$/, ofEditions, { shown: 'audience' }],
  [/^column\.edition column\.share$/, ofEditions, { shown: 'share' }],
  [/^column\.edition column\.people\.responded$/, ofEditions, { shown: 'responded' }],
  [/^column\.week tile\.views$|^period 0$/, ofPeriod, { shown: 'seen' }],
  [/^column\.week tile\.responses$|^period 1$/, ofPeriod, { shown: 'responded' }],
  // Of a broadcast, an item or a delivery
  [/^name 0$/, ofNeedOrSubject, { shown: 'seen' }],
  [/^(item\.name|ratings\.\w+) 0$/, ofSubject, { shown: 'seen' }],
  [/^seenOf 0$/, ofSubject, { shown: 'share' }],
  [/^name 1$/, ofSubject, { shown: 'share' }],
  [/^csv\.rating (\d+) 0$/, ofSubject, { shown: 'rated $1' }],
  [/^csv\.rating$/, ofSubject, { rating: null }],
  [/^seenOf$/, ofNeedOrSubject, { seen: 'seen', audience: 'audience' }],
  [/^facts\.seen$/, ofSubject, { count: 'seen' }],
  [/^facts\.seen\/count\/seenOf$/, ofSubject, { seen: 'seen', audience: 'audience' }],
  [/^facts\.seenOf$/, ofSubject, { count: 'seen', audience: 'audience', rate: 'share' }],
  [/^facts\.(responded|noViews)$/, ofSubject, { count: 'responded' }],
  [/^facts\.respondedRate$/, ofSubject, { count: 'responded', rate: 'rate' }],
  [/^facts\.respondedApart$/, ofSubject, { count: 'responded', answered: 'answered', rate: 'rate' }],
  [/^count\.seen$/, ofSubject, { count: 'seen' }],
  [/^count\.responded$/, ofSubject, { count: 'responded' }],
  [/^count\.views$|^inPeriod\.\w+\/counts\/count\.views$/, ofSubject, { count: 'seenNow' }],
  [/^count\.responses$|^inPeriod\.\w+\/counts\/count\.responses$/, ofSubject, { count: 'respondedNow' }],
  [/(^|\/)ratings\.mean$/, ofSubject, { count: 'ratings', mean: 'mean' }],
  [/(^|\/)ratings\.count$/, ofSubject, { count: 'ratings' }],
  [/^item\.name$/, ofSubject, { number: null }],
  [/^delivery\.name$/, ofItsDeliveries, { number: null, count: 'of' }],
  [/^deliveries\.lowest$/, ofItsDeliveries, { count: 'of' }],
  [/^deliveries\.lowest\/seen\/seenOf$/, ofItsDeliveries, { seen: 'seen', audience: 'audience' }],
  [/^stillRead\.earlier$/, ofItsDeliveries, { count: 'of' }],
  [/^usual\.line$/, ofAge, { now: 'share', usual: 'usualShare' }],
  [/^verdict\.reached$/, ofAge, { count: 'seen', audience: 'audience', rate: 'share', usual: 'usualShare' }],
  [/(^|\/)earlier\.views$/, ofAge, { count: 'editions', fewest: 'fewest', most: 'most' }],
  [/(^|\/)earlier\.views\/views\/count\.views$/, ofAge, { count: 'seen' }],
  [/^editions\.note$/, ofAge, { count: 'editions' }],
  // Of what needs somebody
  [/(^|\/)needs\.unseenOf$/, ofNeed, { count: 'audience' }],
  [/(^|\/)needs\.seenOf$/, ofNeed, { count: 'seen', audience: 'audience' }],
  [/(^|\/)needs\.seen$/, ofNeed, { count: 'seen' }],
  [/(^|\/)needs\.remind(Silent)?$/, ofNeed, { count: 'untouched' }],
  [/^needs\.usual$/, ofNeed, { usual: 'usualShare' }],
  [/(^|\/)needs\.part$/, ofNeed, { part: 'part', count: 'of' }],
  // Of the period
  [/^(verdict|subject).*\/count\.(views|responses)$/, ofTotal, { count: 'now' }],
  [/(^|\/)verdict\.(fewer|more)$/, ofTotal, { count: 'by' }],
  [/^verdict\.counts$/, ofTotal, { count: 'before' }],
  [/subject\.change$/, ofTotal, { change: 'change' }],
  [/^verdict\.(mostSeen|informing)$/, ofAllOfIt, { count: 'seenNow', all: 'all' }],
  [/^tile\.(views|responses|broadcasts) 0$/, ofTotal, { shown: 'now' }],
  [/^tile\.(more|fewer)\.word 0$/, ofTotal, { shown: 'by' }],
  [/^tile\.(views|responses|broadcasts) 1$/, ofTotal, { shown: 'by' }],
  [/^tile\.(more|fewer)$/, ofTotal, { count: 'by', previous: 'before' }],
  [/^tile\.reach 0$/, ofTotal, { shown: 'share' }],
  [/^tile\.reach\.week$/, ofTotal, { count: 'seen', audience: 'audience' }],
  [/^page\.rate(Before)?\/\w+\/seenOf\.rate$/, ofAsked, { seen: 'answered', audience: 'seen', rate: 'rate' }],
];
