import { isDeepStrictEqual } from 'node:util';
import type { Digest, DigestBroadcast, DigestDelivery } from '../../../functions/digest/schema.ts';
import { dayMs, periodBefore } from '../../../functions/domain/period.ts';
import type { Account, Row } from '../accounts/account.ts';
import type { Answered } from '../accounts/serve.ts';
import { instantsOf, knownOf, signsOf, type Known, type Reading } from './known.ts';

/** Fewer views than one beside so many responses are no views at all. */
const fewestWithoutViews = 10;
const followedMs = 35 * dayMs;
/** Instants are kept to the step. */
const stepMs = 3_600_000;

const sumOf = (figures: ReadonlyArray<number | null>): number =>
  figures.reduce<number>((sum, one) => sum + (one ?? 0), 0);

interface Bounds {
  startMs: number;
  endMs: number;
}

/** What rows say that was done in a period: views and responses, and who did the second of both in it. */
function count(rows: readonly Row[], known: Known, { startMs, endMs }: Bounds) {
  const isIn = (at: number | null): boolean => at !== null && at >= startMs && at < endMs;
  const instantOf = instantsOf(rows, known);
  const dated = rows.map((row) => ({ seen: instantOf(row.seenAtMs), responded: instantOf(row.respondedAtMs) }));
  const both = dated.map(({ seen, responded }) => seen !== null && responded !== null && Math.max(seen, responded));
  const responded = dated.filter((row) => isIn(row.responded)).length;
  const hasViews = rows.some(({ seenAtMs }) => seenAtMs !== null);
  const isUnsaid = !hasViews && rows.filter((row) => row.respondedAtMs !== null).length >= fewestWithoutViews;
  if (isUnsaid && responded > 0) return { seen: null, responded, answered: null };
  return {
    seen: dated.filter(({ seen }) => isIn(seen)).length,
    responded,
    answered: both.filter((at) => at !== false && isIn(at)).length,
  };
}

/** Dates of rows that are set and say no instant. */
function undatedOf(rows: readonly Row[], known: Known) {
  const instantOf = instantsOf(rows, known);
  const isUndated = (at: Row['seenAtMs']): boolean => at !== null && instantOf(at) === null;
  return {
    seen: rows.filter(({ seenAtMs }) => isUndated(seenAtMs)).length,
    responded: rows.filter(({ respondedAtMs }) => isUndated(respondedAtMs)).length,
  };
}

/** When a delivery was first seen or responded to, as far as that was before an instant. */
function signBefore(known: Known, endMs: number): number | null {
  const { firstSignMs, list, firstListedMs } = known;
  const signs = list === null ? [] : signsOf(list.rows, known);
  const isTouched = list?.rows.some(({ seenAtMs, respondedAtMs }) => (seenAtMs ?? respondedAtMs) !== null);
  const firstMs = firstSignMs ?? (isTouched === true ? firstListedMs : Infinity);
  const sign = firstMs < endMs ? firstMs : (signs[0] ?? Infinity);
  return sign < endMs ? sign : null;
}

/**
 * Everything in which a digest differs from a count of what the service had answered when it was composed, a sentence each. It
 * counts rows by their dates, and judges nothing: neither which delivery is low, nor what is usual, nor which line stands.
 */
export function faultsOfDigest(digest: Digest, account: Account, log: readonly Answered[]): string[] {
  const faults: string[] = [];
  const expect = (what: string, found: unknown, expected: unknown): void => {
    if (isDeepStrictEqual(found, expected)) return;
    faults.push(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
  };
  const [startMs, endMs] = [Date.parse(digest.period.start), Date.parse(digest.period.end)];
  const known = knownOf(account, log);
  const rows = new Map(
    digest.broadcasts.flatMap((row) => row.deliveries.map((delivery) => [delivery.id, { row, delivery }])),
  );
  const context = { digest, account, startMs, endMs, log, expect };
  for (const delivery of known) checkDelivery(delivery, rows.get(delivery.delivery.id)?.delivery, context);
  for (const [key, deliveries] of Map.groupBy(known, ({ broadcast }) => broadcast)) {
    const row = digest.broadcasts.find(({ id }) => id === key);
    checkGroup(deliveries, row, context);
  }
  checkTotals(known, context);
  checkNeeds(known, context);
  for (const id of rows.keys()) {
    if (!known.some(({ delivery }) => delivery.id === id)) expect(`delivery ${id}`, 'in the digest', 'never listed');
  }
  return faults;
}

interface Context extends Bounds {
  digest: Digest;
  account: Account;
  log: readonly Answered[];
  expect: (what: string, found: unknown, expected: unknown) => void;
}

/** A list without a row whose items' lists have some, or that may lack a field altogether, may be called unreadable. */
function mayBeUnreadable({ list, items }: Known, { form }: Account): boolean {
  const isEmptied = list?.rows.length === 0 && [...items.values()].some(({ rows }) => rows.length > 0);
  return form.areSparse || isEmptied;
}

/** Whether nothing could be known of a delivery beyond its last reading. */
function isOver({ goneMs, isListed, firstListedMs, firstSignMs, statuses }: Known, { endMs, log }: Context): boolean {
  const nowMs = log.at(-1)?.atMs ?? 0;
  const isFollowed = goneMs === null && nowMs + stepMs < Math.max(firstListedMs, firstSignMs ?? 0) + followedMs;
  const isUnwanted = ![...statuses].some((status) => /^delivered$/i.test(status));
  return (goneMs !== null && goneMs < endMs) || (!isListed && !isFollowed) || (isUnwanted && firstSignMs === null);
}

function checkDelivery(known: Known, row: DigestDelivery | undefined, context: Context): void {
  const { digest, account, startMs, endMs, expect } = context;
  const { list, delivery, firstListedMs } = known;
  const what = `delivery ${delivery.id}`;
  const isCurrent = list !== null && list.atMs >= endMs;
  const gap = digest.unavailable.some((one) => one.what === 'delivery' && one.delivery === delivery.id);
  if (gap) expect(`${what} is named as unavailable`, isCurrent && !mayBeUnreadable(known, account), false);
  const by = list === null ? null : count(list.rows, known, { startMs: -Infinity, endMs });
  const inPeriod = list === null ? null : count(list.rows, known, { startMs, endMs });
  if (row === undefined) {
    const sum = (inPeriod?.seen ?? 0) + (inPeriod?.responded ?? 0);
    // Of what is gone since, a reading that nobody could read is all that there will ever be.
    const isLost = known.goneMs !== null && mayBeUnreadable(known, account);
    if (sum > 0 && !isLost) expect(`${what} is in the digest, or named`, gap, true);
    const wasThere = firstListedMs < endMs && !isOver(known, context);
    if (!isCurrent && wasThere) expect(`${what} was not read, and is named`, gap, true);
    return;
  }
  if (row.unavailable !== undefined) {
    expect(`${what} is named`, gap, true);
    const { listed, seen, responded, answered, audience } = row;
    expect(`${what}, unavailable`, [listed, seen, responded, answered, audience], Array(5).fill(null));
    return;
  }
  if (list === null) return expect(what, 'figures', 'never read');
  expect(`${what} was read at the end or later, or is over`, isCurrent || isOver(known, context), true);
  expect(`${what} by the end`, { seen: row.seen, responded: row.responded, answered: row.answered }, by);
  expect(`${what} in the period`, row.inPeriod, { seen: inPeriod?.seen, responded: inPeriod?.responded });
  expect(`${what}, listed`, row.listed, list.rows.length);
  const { seen, responded } = undatedOf(list.rows, known);
  const undated = digest.undated.find((one) => one.delivery === delivery.id);
  expect(`${what}, undated`, [undated?.seen ?? 0, undated?.responded ?? 0], [seen, responded]);
  checkAudience(known, row, context);
  checkContents(known, row, context);
}

/** An audience is the length of a list that has people who did nothing, or may have. */
function checkAudience({ list, items, delivery }: Known, { audience }: DigestDelivery, { account, expect }: Context) {
  const { namesEverybody, items: ofItems } = account.form;
  const lengths = [...items.values()].map(({ rows }) => rows.length);
  const own = namesEverybody ? [list?.rows.length] : [];
  const possible = [null, ...own, ...(ofItems === 'everybody' || namesEverybody ? lengths : [])];
  if (!possible.includes(audience)) expect(`delivery ${delivery.id}, audience`, audience, possible);
}

function checkContents(known: Known, { contents }: DigestDelivery, { endMs, account, expect }: Context): void {
  for (const { id, unavailable, listed, seen, responded, answered, asOf, ratings } of contents ?? []) {
    if (unavailable !== undefined) continue;
    const reading: Reading = known.items.get(id) ?? { atMs: Infinity, rows: [] };
    const what = `item ${known.delivery.id}/${id}`;
    const by = count(reading.rows, known, { startMs: -Infinity, endMs });
    const holdsResponses = reading.rows.length > 0 && reading.rows.every(({ respondedAtMs }) => respondedAtMs !== null);
    const isSilent = seen === null && answered === null && holdsResponses;
    // Rows without any date's field are of people who did nothing, or of fields that nobody knows.
    const hasNoField =
      account.form.areSparse && reading.rows.every((row) => row.seenAtMs === null && row.respondedAtMs === null);
    const isUnknown = hasNoField && seen === null && responded === null;
    const found = isUnknown ? by : isSilent ? { ...by, responded } : { seen, responded, answered };
    expect(`${what} by the end`, found, by);
    if (known.items.has(id)) {
      if (listed !== null || responded !== 0) expect(`${what}, listed`, listed, reading.rows.length);
      if (listed !== null) expect(`${what} is as of its reading`, asOf !== undefined, reading.atMs < endMs);
    }
    const given = reading.rows.flatMap(({ rating }) => rating ?? []);
    const isRated = known.delivery.items.some((item) => item.id === id && item.type === 'rating');
    if (listed === null || !isRated || (account.form.ratings === 'filter' && ratings === null)) continue;
    expect(`${what}, ratings`, ratings?.count ?? 0, given.length);
    expect(`${what}, rated`, Math.round((ratings?.mean ?? 0) * given.length), sumOf(given));
  }
}

/** New, earlier and unseen follow from the first signs. */
function checkGroup(deliveries: readonly Known[], row: DigestBroadcast | undefined, context: Context): void {
  const { startMs, endMs, account, expect } = context;
  if (deliveries.some((known) => mayBeUnreadable(known, account))) return;
  const signs = deliveries.flatMap((known) => signBefore(known, endMs) ?? []);
  const first = signs.length === 0 ? null : Math.min(...signs);
  const expected = first === null ? 'unseen' : first >= startMs ? 'new' : 'earlier';
  const isEngaged = deliveries.some((known) => {
    const { seen, responded } = count(known.list?.rows ?? [], known, { startMs, endMs });
    return (seen ?? 0) + responded > 0;
  });
  if (row !== undefined || expected === 'new' || isEngaged) {
    expect(`broadcast ${deliveries[0]?.broadcast}`, row?.group, expected);
  }
}

/** Totals are the sum of the rows, and what all rows have that are dated in the period. */
function checkTotals(known: readonly Known[], { digest, startMs, endMs, account, expect }: Context): void {
  const { totals, broadcasts, unavailable, trend, period } = digest;
  const shown = broadcasts.filter(({ group }) => group !== 'unseen');
  const readable = known.filter((one) => one.list !== null && !mayBeUnreadable(one, account));
  const sumIn = (name: 'seen' | 'responded', bounds: Bounds): number =>
    sumOf(readable.map((one) => count(one.list?.rows ?? [], one, bounds)[name]));
  const precedingStart = periodBefore(period.kind, period.timeZone, period.start).start;
  const preceding = { startMs: Date.parse(precedingStart), endMs: startMs };
  const areAllRead = readable.length === known.length;
  for (const name of ['seen', 'responded'] as const) {
    const figure = totals[name];
    if (figure === null) {
      const isUndated = totals.undated.seen + totals.undated.responded > 2;
      const isUnsaid = shown.some((row) => row.deliveries.some((delivery) => delivery[name] === null));
      const hasNoViews = known.some((one) => count(one.list?.rows ?? [], one, { startMs, endMs })[name] === null);
      const hasReason = unavailable.length > 0 || isUndated || isUnsaid || hasNoViews;
      expect(`totals.${name} are unknown for a reason`, hasReason, true);
      continue;
    }
    const ofRows = sumOf(shown.flatMap((row) => row.deliveries.map(({ inPeriod }) => inPeriod[name])));
    expect(`totals.${name} are the sum of the rows`, figure, ofRows);
    if (areAllRead) expect(`totals.${name}`, figure, sumIn(name, { startMs, endMs }));
    const before = totals.previous?.[name] ?? null;
    if (before !== null && areAllRead) expect(`totals.previous.${name}`, before, sumIn(name, preceding));
    expect(`trend, ${name}`, trend.at(-1)?.[name], figure);
  }
  const news = broadcasts.filter(({ group }) => group === 'new');
  if (totals.broadcasts !== null) expect('totals.broadcasts', totals.broadcasts, news.length);
  const asking = news.filter(({ asks }) => asks === true).flatMap(({ deliveries }) => deliveries);
  const asked = {
    seen: sumOf(asking.map(({ seen }) => seen)),
    answered: sumOf(asking.map(({ answered }) => answered)),
  };
  if (totals.asked !== null) expect('totals.asked', totals.asked, asked);
}

/** What is said of needs is the sum of their deliveries by the end, and what stands beside them. */
function checkNeeds(known: readonly Known[], { digest, endMs, expect }: Context): void {
  const counted = (ids: readonly string[]) => {
    const found = known.filter(({ delivery }) => ids.includes(delivery.id));
    const parts = found.map((one) => {
      const rows = one.list?.rows ?? [];
      const { seen, responded } = count(rows, one, { startMs: -Infinity, endMs });
      const instantOf = instantsOf(rows, one);
      const isPast = (at: Row['seenAtMs']): boolean => at !== null && (instantOf(at) ?? -Infinity) < endMs;
      const reached = rows.filter(({ seenAtMs, respondedAtMs }) => isPast(seenAtMs) || isPast(respondedAtMs)).length;
      return { seen, responded, reached };
    });
    return {
      seen: parts.some(({ seen }) => seen === null) ? null : sumOf(parts.map(({ seen }) => seen)),
      reached: sumOf(parts.map(({ reached }) => reached)),
    };
  };
  const rows = new Map(digest.broadcasts.flatMap(({ deliveries }) => deliveries.map((row) => [row.id, row])));
  for (const { deliveries, seen, reached, audience, toRemind, reason } of digest.needs) {
    const what = `need of ${deliveries.join()}`;
    expect(what, { seen, reached }, counted(deliveries));
    if (reason === 'unseen') expect(`${what}, unseen`, reached, 0);
    if (toRemind !== null) expect(`${what}, to remind`, toRemind, (audience ?? 0) - reached);
    const beside = deliveries.flatMap((id) => rows.get(id) ?? []);
    if (beside.length < deliveries.length) continue;
    const audiences = beside.flatMap((row) => row.audience ?? []);
    expect(`${what}, audience`, audience, audiences.length < beside.length ? null : sumOf(audiences));
  }
  for (const { deliveries, now } of digest.since) {
    if (now !== null)
      expect(`since of ${deliveries.join()}`, { seen: now.seen, reached: now.reached }, counted(deliveries));
  }
}
