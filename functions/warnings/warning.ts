import { Temporal } from 'temporal-polyfill';
import { atAgeOf, editionsIn } from '../domain/editions.ts';
import type { Digest, DigestDelivery } from '../domain/digest.ts';
import type { Judgement, Warning } from '../domain/judgement.ts';
import { isGoneForGood, type Unavailable } from '../domain/reasons.ts';
import type { History } from '../ledger/runs/digests.ts';
import { instantText } from '../run/compose/compose-delivery.ts';
import { seriesOf } from '../domain/series.ts';
import { growthsOf } from '../run/compose/same-age.ts';
import type { Reading } from '../run/reading.ts';
import { stageOf } from './due.ts';
import { isBelowLimit, judge } from './judge.ts';
import { areItemsAudience, type JudgedReport } from './judged-report.ts';

/**
 * The early warning of a report: a report of its own, whose runs of every day are planned, collected, stored and sent as all are.
 *
 * - **What is due** (`due.ts`): each listed delivery when it is `afterHours` old, counted from its first sign, or, where nobody has
 *   seen it, from the run that first listed it. It is judged once, by the first run that can; for three days.
 * - **How it is judged** (`judge.ts`): by the limits of the report's settings, beside what is usual of its series at that age.
 * - **What waits**: with `weekdays`, what a weekend finds, until Monday.
 * - **What is kept**: `warning` of the run's digest and of its history (`noteWarning`), where the next run and the report's digests
 *   find it.
 * - **How it is said**: `render/sections/warnings.ts`. A run that has nothing to mail is skipped.
 *
 * This composes one: it judges what its run's digest includes, each delivery once, and names what fell below a limit. A run of an
 * earlier day than one that was made names nothing: that one did.
 *
 * @param digest of the deliveries that have reached the age since the run before
 * @param history what that digest leaves
 */
export function composeWarning(
  { digest, history }: { digest: Digest; history: History },
  reading: Reading,
  report: JudgedReport & { dating: RegExp },
): { warning: Warning; history: History } {
  const { until, settings, newest } = report;
  const { timeZone } = digest.period;
  const judgements = judgeDeliveries(digest, reading, report);
  const named = [...(reading.collected.history?.warning?.waiting ?? []), ...judgements.filter(isBelowLimit)];
  const { dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(timeZone);
  const warning: Warning = {
    report: settings.report,
    afterHours: settings.afterHours,
    until: instantText(until, timeZone),
    judgements,
    named: named.toSorted((one, other) => notReached(other) - notReached(one)),
    waits: reading.hasLater || (settings.weekdays && dayOfWeek > 5),
    newest,
  };
  return { warning, history: noteWarning(history, warning, reading, report) };
}

/** Most people not reached first; what is for nobody knows how many comes last. */
function notReached({ audience, seenToDate }: Judgement): number {
  return audience === null ? -1 : audience - (seenToDate ?? 0);
}

function judgeDeliveries(
  { deliveries }: Digest,
  reading: Reading,
  report: JudgedReport & { dating: RegExp },
): Judgement[] {
  const { settings, until, newest, history } = report;
  const audiences = new Map(deliveries.map((delivery) => [delivery.id, delivery.audience]));
  const collected = { ...reading.collected, history };
  const growths = new Map(growthsOf({ ...reading, collected }, (id) => audiences.get(id)));
  const isNothingSeen = growths.size === 0;
  for (const { id, broadcast } of deliveries.filter(({ kind }) => kind === 'silent')) {
    // Nobody has seen it: it is compared as if somebody had been about to when it came to count.
    const firstSign = until - settings.afterHours * 3_600_000;
    const curve: Array<[number, number, number]> = [[settings.afterHours, 0, 0]];
    growths.set(id, { broadcast, firstSign, audience: audiences.get(id) ?? null, curve });
  }
  const editions = editionsIn(growths, (name) => seriesOf(name, report.dating));
  return deliveries.map((delivery) => {
    const { id, broadcast, firstSign, seen: seenToDate } = delivery;
    const audience = audiences.get(id) ?? null;
    const place = report.digest?.broadcasts.findIndex((each) => each.id === broadcast.id) ?? -1;
    const judged = {
      delivery: id,
      broadcast: { id: broadcast.id, name: broadcast.name, createdBy: broadcast.createdBy },
      firstSign,
      audience,
      place: newest === null || place < 0 || broadcast.id === '' ? null : place + 1,
    };
    const unavailable = whyNotJudged(delivery, areItemsAudience(report) && audience === null);
    if (seenToDate === null || unavailable !== null) {
      const limits = judge(settings, unavailable === null ? 'too-late' : 'not-judged');
      return { ...judged, seen: null, seenToDate: null, usual: null, limits, ...(unavailable && { unavailable }) };
    }
    const edition = editions.of(id);
    const { seen = 0 } = (edition && atAgeOf(edition, settings.afterHours)) ?? {};
    const usual = edition && editions.usualOf(edition, settings.afterHours);
    const expected = usual === null ? null : usual.share * (audience ?? 0);
    const received = { seen, seenToDate, audience, usual: expected };
    return { ...judged, ...received, limits: judge(settings, isNothingSeen ? 'no-usual' : received) };
  });
}

/** Why nothing can be said of a delivery; `null` where something can be, and where it was too late to ask. */
function whyNotJudged(
  { seen, responded, inPeriod, contents, unavailable }: DigestDelivery,
  lacksItems: boolean,
): Unavailable | null {
  if (inPeriod === null) return unavailable ?? null;
  // The service does not say who saw it.
  if (seen === 0 && responded !== 0) return { reason: 'unreadable' };
  return lacksItems ? (unavailable ?? contents?.find((item) => item.unavailable)?.unavailable ?? null) : null;
}

/** What later runs have to know of this one, and of all before it, beside what every digest leaves. */
function noteWarning(history: History, warning: Warning, { collected }: Reading, report: JudgedReport): History {
  const { until } = report;
  const before = collected.history;
  const found = new Map(collected.recipients.map((each) => [each.delivery.id, each]));
  const final = warning.judgements.filter(({ unavailable }) => unavailable === undefined || isGoneForGood(unavailable));
  const [mailed, waiting] = warning.waits ? [[], warning.named] : [warning.named, []];
  const mailedById = new Map(mailed.map((each) => [each.delivery, { at: warning.until, seen: each.seenToDate ?? 0 }]));
  const deliveries = new Map(history.deliveries);
  for (const delivery of collected.wanted) {
    const { id } = delivery;
    const { warning: known = { listedAt: before === null ? null : until }, ...noted } = deliveries.get(id) ?? {};
    const isDone =
      final.some((each) => each.delivery === id) || stageOf(delivery, report, before, found.get(id)) === 'done';
    const last = mailedById.get(id);
    const noting = { ...known, ...(isDone ? { done: true as const } : {}), ...(last && { last }) };
    deliveries.set(id, { listedIn: until, ...noted, warning: noting });
  }
  return { ...history, deliveries, warning: { since: before?.warning?.since ?? until, waiting } };
}
