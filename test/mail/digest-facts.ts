import { audienceOf } from '../../functions/domain/broadcasts/audience.ts';
import type { DigestBroadcast, Engaged } from '../../functions/domain/broadcasts/digest-broadcast.ts';
import type { Digest, DigestDelivery } from '../../functions/domain/digest.ts';
import type { RenderInput } from '../../functions/render/render.ts';

/** All numbers of a text, with the separators of English, German and French. */
export function numbersIn(text: string): number[] {
  const joined = text.replaceAll(/(?<=\d)[.,\u00a0](?=\d{3}(?!\d))/g, '');
  return (joined.match(/\d+(?:[.,]\d+)?/g) ?? []).map((figure) => Number(figure.replace(',', '.')));
}

/** The numbers that a mail may show of a new broadcast, as `digest.json` has them. */
export function figuresOfBroadcast(broadcast: DigestBroadcast, digest: Digest): Set<number> {
  const { audience, seen, responded, answered, contents, deliveries, firstSign } = broadcast;
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const items = contents ?? [];
  return setOf([
    seen,
    responded,
    audience,
    ...(audience === null || seen === null ? [] : [audience - seen, ...percentOf(seen, audience)]),
    ...percentOf(answered, seen),
    deliveries.length,
    deliveries.length - 6,
    ...own.map(({ seen: views }) => views),
    ...own.map(audienceOf),
    ...own.flatMap(({ firstSign: sign }) => datesOf(sign)),
    ...datesOf(firstSign),
    ...items.flatMap(({ seen: views, responded: answers, ratings, unavailable }, index) => [
      index + 1,
      views,
      answers,
      ratings?.count ?? null,
      ratings?.mean == null ? null : Number(ratings.mean.toFixed(1)),
      unavailable?.status ?? null,
    ]),
    items.filter((item) => item.seen === null).length,
    items.filter((item) => item.seen !== null).length,
    items.filter((item) => item.seen !== null).length - 8,
  ]);
}

/** The figures of each row of a page's tables: the content items of a broadcast, and its deliveries where there are several. */
export function rowsOfDetails(broadcast: DigestBroadcast, digest: Digest): number[][] {
  const { seen, responded, contents, deliveries } = broadcast;
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const items = seen === 0 && responded === 0 ? [] : (contents ?? []);
  return [
    ...items
      .filter((item) => item.seen !== null && item.responded !== null)
      .map(({ id }) => {
        const all = own.flatMap((delivery) => delivery.contents?.filter((item) => item.id === id) ?? []);
        const counts = new Map<string, number>();
        for (const [rating, count] of all.flatMap(({ ratings }) => Object.entries(ratings?.histogram ?? {}))) {
          counts.set(rating, (counts.get(rating) ?? 0) + count);
        }
        return figuresOfList(all).concat([...counts.values()]);
      }),
    ...(own.length < 2 ? [] : own.filter((each) => each.seen !== null).map((each) => figuresOfList([each]))),
  ];
}

/** Views and responses of some lists together, to date and within the period. */
function figuresOfList(lists: ReadonlyArray<Pick<DigestDelivery, 'seen' | 'responded' | 'inPeriod'>>): number[] {
  const sum = (of: (list: (typeof lists)[number]) => number | null | undefined) =>
    lists.reduce((all, list) => all + (of(list) ?? 0), 0);
  return [
    sum(({ seen }) => seen),
    sum(({ responded }) => responded),
    sum(({ inPeriod }) => inPeriod?.seen),
    sum(({ inPeriod }) => inPeriod?.responded),
  ];
}

/** The numbers that a page may show of a broadcast beside those of a mail. */
export function figuresOfDetails(broadcast: DigestBroadcast, digest: Digest): Set<number> {
  const { contents, deliveries, inPeriod, createdAt } = broadcast;
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const items = own.flatMap((delivery) => delivery.contents ?? []);
  const audiences = (contents ?? []).map(({ id }) =>
    items.filter((item) => item.id === id).reduce((sum, { listed }) => sum + (listed ?? 0), 0),
  );
  const rows = rowsOfDetails(broadcast, digest);
  return setOf([
    inPeriod?.seen ?? null,
    inPeriod?.responded ?? null,
    ...datesOf(createdAt),
    ...rows.flat(),
    ...rows.flatMap(([seen = 0, responded = 0]) => percentOf(responded, seen)),
    ...(contents ?? []).flatMap(({ seen }, index) => percentOf(seen, audiences[index] ?? null)),
    ...own.flatMap((delivery) => percentOf(delivery.seen, audienceOf(delivery))),
    ...own.map(({ unavailable }) => unavailable?.status ?? null),
    ...items.flatMap(({ ratings }) => Object.keys(ratings?.histogram ?? {}).map(Number)),
    ...[...own, ...items].flatMap(({ medianResponseSeconds: median }) =>
      median === null ? [] : [1, 60, 3_600, 86_400].map((unit) => Math.max(1, Math.round(median / unit))),
    ),
    (contents?.length ?? 0) - 200,
  ]);
}

/** The numbers that a mail may show above its new broadcasts. */
export function figuresOfTop({ totals, broadcasts, missing, deliveries, period }: Digest): Set<number> {
  const { previous } = totals;
  const silent = broadcasts.filter(({ kind }) => kind === 'silent');
  const fresh = broadcasts.filter(({ kind }) => kind === 'new');
  const differences = (['seen', 'broadcasts'] as const).map((name) =>
    Math.abs((totals[name] ?? 0) - (previous?.[name] ?? 0)),
  );
  const rates = [totals.responseRate, previous?.responseRate ?? null].map((rate) => percentOf(rate, 1));
  return setOf([
    totals.seen,
    totals.broadcasts,
    previous?.seen ?? null,
    previous?.broadcasts ?? null,
    ...[totals, previous].flatMap(shareNotAsked),
    ...differences,
    ...rates.flat(),
    Math.abs((rates[0]?.[0] ?? 0) - (rates[1]?.[0] ?? 0)),
    totals.deliveries,
    totals.asked?.seen ?? null,
    totals.asked?.answered ?? null,
    (totals.seen ?? 0) - (totals.asked?.seen ?? 0),
    silent.length,
    silent.flatMap((each) => each.deliveries).length,
    fresh.length,
    ...broadcasts.flatMap(({ audience, seen, responded }) => [
      audience,
      seen,
      responded,
      (audience ?? 0) - (seen ?? 0),
    ]),
    ...broadcasts.flatMap(({ createdAt }) => datesOf(createdAt)),
    ...broadcasts.flatMap(({ firstSign }) => datesOf(firstSign)),
    ...broadcasts.flatMap(({ unseenSince }) => datesOf(unseenSince)),
    ...Array.from({ length: missing.length + deliveries.length }, (_, count) => count + 1),
    ...missing.flatMap(({ status }) => status ?? null),
    ...deliveries.map(({ unavailable }) => unavailable?.status ?? null),
    // What was looked at names a number of people.
    10,
    ...datesOf(period.start),
    ...datesOf(new Date(Date.parse(period.end) - 1).toISOString()),
  ]);
}

/** The numbers that a mail may show below its new broadcasts. */
export function figuresOfEnd({ digest, report }: RenderInput): Set<number> {
  const { broadcasts, trend, totals, otherStatuses, collectedAt, late, period, unseenNotNamed } = digest;
  const active = broadcasts.filter(({ kind }) => kind === 'active');
  const named = new Set(active.filter(({ inPeriod }) => inPeriod !== null && inPeriod.seen > 1).slice(0, 6));
  const older = active.filter((each) => !named.has(each));
  const fresh = broadcasts.filter(({ kind }) => kind === 'new');
  // Where there is little room fewer than ten are shown.
  const notShown = Array.from({ length: 11 }, (_, shown) => fresh.slice(shown));
  const statuses = Object.values(otherStatuses);
  return setOf([
    ...active.flatMap(({ inPeriod, deliveries }) => [
      inPeriod?.seen ?? null,
      inPeriod?.responded ?? null,
      deliveries.length,
    ]),
    ...[older, ...notShown].map(({ length }) => length),
    ...[older, ...notShown].flatMap((rest) => Object.values(sumOf(rest))),
    ...trend.map(({ seen }) => seen),
    ...trend.flatMap(({ responseRate }) => percentOf(responseRate, 1)),
    ...trend.flatMap(({ start }) => datesOf(start)),
    ...statuses,
    statuses
      .toSorted((one, other) => other - one)
      .slice(6)
      .reduce((sum, count) => sum + count, 0),
    report.settleHours,
    totals.undated,
    unseenNotNamed,
    digest.deliveries.length,
    ...datesOf(collectedAt),
    digest.unknownDate,
    late?.seen ?? null,
    late?.responded ?? null,
    ...datesOf(late && period.start),
    ...numbersIn(digest.run),
  ]);
}

function sumOf(broadcasts: readonly DigestBroadcast[]): Engaged {
  const sum = (name: keyof Engaged) => broadcasts.reduce((all, { inPeriod }) => all + (inPeriod?.[name] ?? 0), 0);
  return { seen: sum('seen'), responded: sum('responded') };
}

function shareNotAsked(of: Digest['totals']['previous']): number[] {
  return of === null || of.seen === null || of.asked === null ? [] : percentOf(of.seen - of.asked.seen, of.seen);
}

/** A share as it is rounded, and as it is shown where it only rounds to nothing or all. */
function percentOf(part: number | null, whole: number | null): number[] {
  if (part === null || whole === null || whole === 0) return [];
  return [Math.round((part / whole) * 100 + 1e-9), 1, 99].slice(0, part > 0 && part < whole ? 3 : 1);
}

/** The numbers of an instant in its own offset: year, days of it and of its neighbours, hours and minutes. */
function datesOf(instant: string | null): number[] {
  if (instant === null) return [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbersIn(instant.replaceAll(/[-T:.Z+]/g, ' '));
  const near = new Date(Date.UTC(year, month - 1, day - 1)).getUTCDate();
  return [year, year + 1, day, near, day + 1, hour, hour % 12 || 12, minute];
}

function setOf(figures: ReadonlyArray<number | null>): Set<number> {
  return new Set(figures.filter((figure) => figure !== null));
}
