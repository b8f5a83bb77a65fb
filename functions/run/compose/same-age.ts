import type { AtAge } from '../../domain/digest.ts';
import { sumOfCurves, type Curve } from '../../domain/curve.ts';
import { sumOf } from '../../domain/sums.ts';
import { boundsOf, precedingPeriod, type Period } from '../../domain/period.ts';
import { memoize } from '../../domain/wording.ts';
import type { Growth } from '../../ledger/runs/digests.ts';
import type { Reading } from '../reading.ts';
import { instantText } from './compose-delivery.ts';
import { rememberedMs } from './next-history.ts';

/** A broadcast's deliveries whose first signs lie in one period: what one compares, when they were equally old. */
interface Edition {
  broadcast: Growth['broadcast'];
  /** What its name has in common with others of a series; empty where that is nothing. */
  series: string;
  /** The start of that period, and the earliest first sign, in epoch milliseconds. */
  start: number;
  firstSign: number;
  deliveries: number;
  audience: number | null;
  curve: Curve;
}

/** The fewest editions that say what is usual, and the most that are looked at, the latest ones. */
const fewest = 3;
const most = 8;

/**
 * How every delivery grew that this collection or an earlier one read, by its id. What is on the list is counted anew.
 *
 * @param audienceOf how many people a delivery is for; `null` where the service contradicts itself, `undefined` where an
 *   earlier digest may know it
 */
export function growthsOf(
  { collected: { recipients, broadcasts, history } }: Reading,
  audienceOf: (delivery: string, listed: number) => number | null | undefined,
): ReadonlyMap<string, Growth> {
  const growths = new Map<string, Growth>();
  for (const [id, { growth }] of history?.deliveries ?? []) if (growth !== undefined) growths.set(id, growth);
  for (const { delivery, engagement, curve } of recipients) {
    if (engagement?.firstSign == null || curve === undefined) continue;
    const { id, name } = delivery.broadcast;
    const audience = audienceOf(delivery.id, engagement.listed);
    growths.set(delivery.id, {
      broadcast: { id, name: broadcasts.get(id)?.broadcast?.name ?? name },
      firstSign: engagement.firstSign,
      audience: audience === undefined ? (growths.get(delivery.id)?.audience ?? null) : audience,
      curve,
    });
  }
  return growths;
}

/**
 * Compares the deliveries of one broadcast, in the order of the digest, with what is usual: at the age `at`, in hours, or else the
 * oldest age that all of them have reached. Gives `null` where a delivery's growth is not known, or they are too young, or of
 * several periods, or so old that they are forgotten.
 */
export function compareAtAge(
  growths: ReadonlyMap<string, Growth>,
  period: Period,
): (deliveries: readonly string[], at?: number) => AtAge | null {
  const startOf = periodStarts(period);
  const groups = Map.groupBy(growths, ([delivery, { broadcast, firstSign }]) =>
    // A delivery without a broadcast's id cannot be said to belong to another.
    JSON.stringify([broadcast.id === '' ? [delivery] : broadcast.id, startOf(firstSign)]),
  );
  const editions = [...groups.values()]
    .map((group) => group.map(([, growth]) => growth))
    .flatMap((own) => editionOf(own, startOf) ?? [])
    .toSorted((a, b) => b.firstSign - a.firstSign);
  // A broadcast is compared with those of its id or series alone: looking through all of them for each would take an hour.
  const byId = Map.groupBy(editions, ({ broadcast }) => broadcast.id);
  const bySeries = Map.groupBy(editions, ({ series }) => series);
  return (deliveries, at) => {
    const own = deliveries.flatMap((id) => growths.get(id) ?? []);
    const edition = own.length < deliveries.length ? null : editionOf(own, startOf);
    const [hours, seen, responded] = edition?.curve.findLast(([age]) => at === undefined || age === at) ?? [];
    if (edition === null || hours === undefined || seen === undefined || responded === undefined) return null;
    const ofId = edition.broadcast.id === '' ? [] : latestAt(hours, edition, byId.get(edition.broadcast.id));
    const ofSeries = edition.series === '' ? [] : latestAt(hours, edition, bySeries.get(edition.series));
    return { hours, seen, responded, usual: usualOf(edition, ofId.length < fewest ? ofSeries : ofId, period.timeZone) };
  };
}

/** The edition that deliveries are; `null` where their first signs lie in several periods, or none is remembered. */
function editionOf(growths: readonly Growth[], startOf: (instant: number) => number | null): Edition | null {
  const [first] = growths;
  const starts = new Set(growths.map(({ firstSign }) => startOf(firstSign)));
  const [start] = starts;
  if (first === undefined || start == null || starts.size > 1) return null;
  return {
    broadcast: first.broadcast,
    series: seriesOf(first.broadcast.name),
    start,
    firstSign: Math.min(...growths.map(({ firstSign }) => firstSign)),
    deliveries: growths.length,
    audience: sumOf(growths.map(({ audience }) => audience)),
    curve: sumOfCurves(growths.map(({ curve }) => curve)),
  };
}

/** Those before an edition, of `editions`, the latest first, that are like it and had reached an age: the latest eight. */
function latestAt(hours: number, edition: Edition, editions: readonly Edition[] = []) {
  const earlier: Array<Pick<Edition, 'firstSign' | 'audience'> & { seen: number; responded: number; share: number }> =
    [];
  for (const other of editions) {
    const { start, firstSign, audience, curve } = other;
    if (start >= edition.start) continue;
    if (earlier.length >= most && firstSign !== earlier.at(-1)?.firstSign) break;
    const [, seen, responded] = curve.find(([age]) => age === hours) ?? [];
    if (seen === undefined || responded === undefined) continue;
    const isAlike = edition.audience === null ? other.deliveries === edition.deliveries : audience !== 0;
    if ((audience === null) !== (edition.audience === null) || !isAlike) continue;
    earlier.push({ firstSign, audience, seen, responded, share: audience === null ? 0 : seen / audience });
  }
  // Where they began together the figures decide, and not the order in which the service answered.
  const latest = earlier.toSorted(
    (a, b) => b.firstSign - a.firstSign || b.seen - a.seen || b.responded - a.responded || a.share - b.share,
  );
  return latest.slice(0, most);
}

/** What earlier editions of a series had at the age of one: the same broadcast's, else those of the same name. */
function usualOf(edition: Edition, before: ReturnType<typeof latestAt>, timeZone: string): AtAge['usual'] {
  if (before.length < fewest) return null;
  return {
    of: before.length,
    editions: before.map(({ firstSign, seen, responded, audience }) => {
      return { firstSign: instantText(firstSign, timeZone), seen, responded, audience };
    }),
    seen: median(before.map(({ seen }) => seen)),
    responded: median(before.map(({ responded }) => responded)),
    share: edition.audience === null ? null : median(before.map(({ share }) => share)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[Math.floor(index)] ?? 0;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

/** Gives the start of the period that an instant before the end of a period lies in; `null` of what is forgotten. */
function periodStarts(period: Period): (instant: number) => number | null {
  const { start: newest } = boundsOf(period);
  const starts: number[] = [];
  let each = period;
  return (instant) => {
    if (newest - instant > rememberedMs) return null;
    while ((starts.at(-1) ?? Infinity) > instant) {
      starts.push(boundsOf(each).start);
      each = precedingPeriod(each);
    }
    return starts.find((start) => start <= instant) ?? null;
  };
}

/** The languages of the mail, in which the names of broadcasts have the names of months. */
const languages = ['en', 'de', 'fr'];
const monthsOf = memoize((locale: string): ReadonlySet<string> => {
  const formats = (['long', 'short'] as const).map(
    (month) => new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' }),
  );
  const firsts = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1));
  return new Set(formats.flatMap((format) => firsts.map((first) => wordOf(format.format(first)))));
});

function isMonth(word: string): boolean {
  return languages.some((locale) => monthsOf(locale).has(word));
}

/** What the editions of a series have in common: a name without its dates and numbers. Empty where nothing is left. */
export function seriesOf(name: string | null): string {
  const words = (name ?? '').split(/[\s/–—-]+/u).map(wordOf);
  return words.filter((word) => word !== '' && !/\p{N}/u.test(word) && !isMonth(word)).join(' ');
}

function wordOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
