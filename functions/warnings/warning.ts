import { Temporal } from 'temporal-polyfill';
import type { Digest, DigestDelivery, Need } from '../domain/digest.ts';
import { atAgeOf, type Edition, editionsIn, type Growth, usualOf } from '../domain/editions.ts';
import { dateOf, hourMs, instantText } from '../domain/period.ts';
import { isGoneForGood, type Unavailable } from '../domain/reasons.ts';
import { seriesOf } from '../domain/series.ts';
import { type Judgement, mostNamed, type Verdict, type Warning } from '../domain/warning.ts';
import type { History } from '../ledger/runs/digests.ts';
import { needsOf } from '../run/compose/judge.ts';
import type { Reading } from '../run/reading.ts';
import { sinceOf, stageOf } from './due.ts';
import { areItemsAudience, type JudgedReport } from './judged-report.ts';
import { fewestUntouched } from '../domain/judging.ts';
import type { WarningSettings } from '../domain/configuration/configuration.ts';

/**
 * The early warning of a report: a report of its own, whose runs of every day are planned, collected, stored and sent as all are.
 *
 * - **What is due** (`due.ts`): each listed delivery when it is `afterHours` old, counted from its first sign, or, where nobody has
 *   seen it, from the first run of the report or its warning that listed it. The first run that can judge it does, and the last
 *   one three days later: then it is too late, which `digest.json` says. What had reached the age before the first run is left.
 * - **How it is judged**: by the limits of the settings. An edition with a usual is judged as a whole, once all of its
 *   deliveries are old enough; else each delivery is by itself. Where its audience is not known, `belowViews` alone judges.
 * - **What waits**: with `weekdays`, what a weekend finds. Every later run judges it again, until one of a working day mails what is
 *   still below its limit.
 * - **What is kept**: `warning` of the run's digest, and of its history what the next run has to know (`noteWarning`). The report's
 *   digests say of a delivery when its last warning was, if that was mailed (`judged-report.ts`).
 * - **How it is said**: as what needs somebody in any digest, `viewWarning` in `render/render.ts`. A run that has nothing to mail is
 *   skipped.
 *
 * This composes one. A run of an earlier day than one that was made judges nothing: that one did.
 *
 * @param digest of what is due
 * @param history what that digest leaves
 */
export function composeWarning(
  composed: { digest: Digest; history: History },
  reading: Reading,
  report: JudgedReport & { dating: RegExp },
): Required<Pick<Digest, 'warning' | 'needs' | 'judged'>> & { history: History } {
  const { digest } = composed;
  const { until, settings, newest } = report;
  const { timeZone } = digest.period;
  const judging = judgingOf(composed, reading, report);
  const judgements = digest.deliveries.flatMap((delivery) => judgeDelivery(delivery, judging) ?? []);
  const { dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(timeZone);
  const warning: Warning = {
    report: settings.report,
    afterHours: settings.afterHours,
    until: instantText(until, timeZone),
    judgements,
    waits: settings.weekdays && dayOfWeek > 5,
    newest,
  };
  const needs = findNeeds(judgements, judging);
  return {
    warning,
    needs,
    judged: { of: judgements.length, deliveries: judgements.filter(isJudged).length },
    history: noteWarning({ warning, needs }, judging),
  };
}

function isJudged({ limits }: Judgement): boolean {
  return Object.values(limits).some((verdict) => verdict === 'met' || verdict === 'not-met');
}

type Judging = ReturnType<typeof judgingOf>;

/** What deliveries are judged by, and beside: of the warning and its report, the one that followed a delivery longer knows how it grew. */
function judgingOf(
  { digest, history }: { digest: Digest; history: History },
  reading: Reading,
  report: JudgedReport & { dating: RegExp },
) {
  const growths = new Map<string, Growth>();
  for (const [id, { growth }] of [...history.deliveries, ...(report.history?.deliveries ?? [])]) {
    if (growth !== undefined && growth.curve.length > (growths.get(id)?.curve.length ?? -1)) growths.set(id, growth);
  }
  const editions = editionsIn(growths, (name) => seriesOf(name, report.dating));
  const engagedBroadcasts = new Set([...growths.values()].map(({ broadcast }) => broadcast.id));
  const recipients = new Map(reading.collected.recipients.map((list) => [list.delivery.id, list]));
  return { digest, history, collected: reading.collected, report, growths, editions, engagedBroadcasts, recipients };
}

/** `null` where an edition is judged as a whole, and not all of its deliveries are old enough. */
function judgeDelivery(delivery: DigestDelivery, judging: Judging): Judgement | null {
  const { digest, report, growths, editions } = judging;
  const { settings, newest, until } = report;
  const { id, broadcast, firstSign, seen, engaged, audience } = delivery;
  const place = report.digest?.broadcasts.findIndex((shown) => shown.id === broadcast.id) ?? -1;
  const facts = {
    delivery: id,
    broadcast: { id: broadcast.id, name: broadcast.name },
    firstSign,
    seen,
    engaged,
    audience,
    place: newest === null || place < 0 || broadcast.id === '' ? null : place + 1,
  };
  const unavailable = whyUnread(delivery, report);
  if (unavailable !== null || seen === null || engaged === null) {
    const limits = judge(settings, unavailable === null ? 'too-late' : 'not-judged', digest.minimumGroup);
    return { ...facts, seenAtAge: null, usual: null, limits, ...(unavailable && { unavailable }) };
  }
  const hours = settings.afterHours;
  const edition = editions.get(id) ?? null;
  const usual = edition && usualOf(edition, hours);
  const isYoung = edition !== null && edition.lastSign + hours * hourMs > until;
  if (isYoung && (usual !== null || (audience !== null && edition.audience === null))) return null;
  const ofEdition = edition && usual && receivedBy(edition, usual.share, judging);
  const received = whyUnknown(delivery, judging) ?? { audience, seen, engaged, usual: ofEdition };
  const limits = judge(settings, received, digest.minimumGroup);
  const [, seenAtAge = engaged === 0 ? 0 : null] = growths.get(id)?.curve.find(([age]) => age === hours) ?? [];
  return {
    ...facts,
    seenAtAge,
    usual: ofEdition && usual && { share: usual.share, hours, editions: usual.editions.length },
    limits,
  };
}

/** What an edition has beside what is usual of it; `null` where it is not known what it had at the age that the warning judges. */
function receivedBy(edition: Edition, share: number, { collected, report, recipients }: Judging): Received['usual'] {
  const atAge = atAgeOf(edition, report.settings.afterHours);
  if (atAge === null) return null;
  const engagedOf = (id: string): number => {
    const histories = [collected.history, report.history];
    const counted = histories.map((history) => history?.deliveries.get(id)?.counted?.engaged ?? 0);
    return recipients.get(id)?.engagement?.engaged ?? Math.max(...counted);
  };
  return {
    expected: share * (edition.audience ?? 0),
    seenAtAge: atAge.seen,
    engaged: edition.deliveries.reduce((sum, id) => sum + engagedOf(id), 0),
  };
}

/** Why nothing can be said of a delivery; `null` where something can be, and where it was too late to ask. */
function whyUnread(
  { engaged, seen, audience, contents, unavailable }: DigestDelivery,
  report: JudgedReport,
): Unavailable | null {
  if (engaged === null) return unavailable ?? null;
  // The service does not say who saw it.
  if (seen === null) return { reason: 'unreadable' };
  if (audience !== null || !areItemsAudience(report)) return null;
  return unavailable ?? contents?.find((item) => item.unavailable)?.unavailable ?? null;
}

/** Why it is not said of a delivery that nobody has seen it; `null` where it is, and where somebody has. */
function whyUnknown({ engaged, audience, broadcast }: DigestDelivery, judging: Judging): Verdict | null {
  if (engaged !== 0) return null;
  if (judging.growths.size === 0) return 'no-usual';
  // Others have seen it: this delivery may be for one who is new.
  return audience === null && judging.engagedBroadcasts.has(broadcast.id) ? 'no-audience' : null;
}

function findNeeds(judgements: readonly Judgement[], { digest, editions }: Judging): Need[] {
  const below = new Map(
    judgements.flatMap((judgement) => (isBelowLimit(judgement) ? [[judgement.delivery, judgement]] : [])),
  );
  const needy = digest.deliveries.flatMap((delivery) => {
    const judgement = below.get(delivery.id);
    if (judgement === undefined) return [];
    const usual = judgement.limits['belowUsual'] === 'met' && judgement.engaged ? judgement.usual : null;
    return { delivery, reason: judgement.engaged === 0 ? ('unseen' as const) : ('too-few' as const), usual };
  });
  const listed = new Map(digest.broadcasts.map(({ id, listedDeliveries }) => [id, listedDeliveries]));
  return needsOf(needy, { editions, listedDeliveries: (id) => listed.get(id) ?? 1, timesNamed: () => 0 });
}

/** What later runs have to know of this one, and of all before it, beside what every digest leaves. */
function noteWarning(
  { warning, needs }: { warning: Warning; needs: readonly Need[] },
  { digest, history, collected, report, recipients }: Judging,
): History {
  const { until } = report;
  const before = collected.history;
  const due = new Set(digest.deliveries.map(({ id }) => id));
  const judgements = new Map(warning.judgements.map((judgement) => [judgement.delivery, judgement]));
  const mailed = new Set(warning.waits ? [] : needs.slice(0, mostNamed).flatMap((need) => need.deliveries));
  const day = dateOf(digest.period.start);
  const deliveries = new Map(history.deliveries);
  for (const delivery of collected.wanted) {
    const { id } = delivery;
    const noted = deliveries.get(id);
    const judgement = judgements.get(id);
    const waits = due.has(id) && (judgement === undefined || (warning.waits && isBelowLimit(judgement)));
    const isDone =
      judgement === undefined ? stageOf(delivery, report, before, recipients.get(id)) === 'done' : isFinal(judgement);
    if (noted === undefined) continue;
    const last = mailed.has(id) ? { last: { at: warning.until, seen: judgement?.seen ?? 0, day } } : {};
    const mark = waits ? { waiting: until } : isDone ? { done: true as const } : {};
    deliveries.set(id, { ...noted, warning: { listedAt: until, ...noted.warning, ...mark, ...last } });
  }
  const since = sinceOf(report, before);
  return { ...history, deliveries, warning: { since, firstRun: before?.warning?.firstRun ?? until } };
}

/** Whether no later run can judge a delivery: what could not be read is asked for again. */
function isFinal({ unavailable }: Judgement): boolean {
  return unavailable === undefined || isGoneForGood(unavailable);
}

const limitNames = ['belowUsual', 'belowShare', 'belowViews'] as const;
type LimitName = (typeof limitNames)[number];
type Limits = Pick<WarningSettings, LimitName>;

/** What a delivery is judged by. */
export interface Received {
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
  /** To date: its views, and how many saw it or responded. */
  seen: number;
  engaged: number;
  /** The views that are usual of its edition, and what that had when it was as old, and to date; `null` where nothing is usual. */
  usual: { expected: number; seenAtAge: number; engaged: number } | null;
}

/**
 * Judges a delivery by each limit that there is: by what it has to date, and by what is usual also at the age that the warning
 * judges. Where it is not judged, every limit has that verdict.
 */
export function judge(limits: Limits, received: Verdict | Received, minimumGroup: number): Judgement['limits'] {
  const judgeBy = (name: LimitName): Verdict =>
    typeof received === 'string' ? received : verdictOf(name, limits, received, minimumGroup);
  const names = limitNames.filter((name) => limits[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, judgeBy(name)]));
}

function verdictOf(
  name: LimitName,
  limits: Limits,
  { audience, seen, engaged, usual }: Received,
  minimumGroup: number,
): Verdict {
  const limit = limits[name] ?? 0;
  if (audience === null) return name === 'belowViews' ? metIf(isBelow(seen, limit)) : 'no-audience';
  if (name === 'belowViews') return 'has-audience';
  if (audience < minimumGroup) return 'small-group';
  if (audience - engaged < fewestUntouched) return 'not-met';
  // Nobody has seen it: that is below every share.
  if (engaged === 0) return 'met';
  if (name === 'belowShare') {
    // A place where little is usual is not named again and again.
    return usual !== null && limits.belowUsual !== undefined ? 'has-usual' : metIf(isBelow(engaged, limit * audience));
  }
  if (usual === null) return 'no-usual';
  const { expected, seenAtAge } = usual;
  const isLow = (count: number): boolean =>
    isBelow(count, limit * expected) && !isBelow(expected, count + fewestUntouched);
  return metIf(isLow(seenAtAge) && isLow(usual.engaged));
}

function metIf(isMet: boolean): Verdict {
  return isMet ? 'met' : 'not-met';
}

/** Exactly at a limit is not below it: they are compared in millionths, because 0.55 × 100 is a little more than 55. */
function isBelow(count: number, limit: number): boolean {
  return Math.round(count * 1e6) < Math.round(limit * 1e6);
}

export function isBelowLimit({ limits }: Judgement): boolean {
  return Object.values(limits).includes('met');
}
