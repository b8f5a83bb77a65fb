import { Temporal } from 'temporal-polyfill';
import { isWarning, judge, type Check, type Judgement } from '../../domain/check.ts';
import type { Digest, DigestDelivery } from '../../domain/digest.ts';
import { periodAt } from '../../domain/period.ts';
import { isGoneForGood, type Unavailable } from '../../domain/reasons.ts';
import type { History } from '../../ledger/runs/digests.ts';
import { areItemsAudience, stageOf } from '../check.ts';
import type { Watched } from '../earlier-figures.ts';
import type { Reading } from '../reading.ts';
import type { Composition } from './compose.ts';
import { instantText } from './compose-delivery.ts';
import { compareAtAge, growthsOf } from './same-age.ts';

/**
 * Judges what a check's digest includes, each delivery once, and warns of what fell below a limit. A check of an earlier day than
 * one that was made warns of nothing: that one did.
 *
 * @param composed the digest of the deliveries that have reached the age since the check before
 */
export function composeCheck(
  { kept, history, withheld }: Composition,
  reading: Reading,
  watched: Watched,
): Composition {
  const { digest } = kept;
  const { until, warns, newest } = watched;
  const { timeZone } = digest.period;
  const judged = judgeDeliveries(digest, reading, watched);
  const warnings = [...(reading.collected.history?.check?.waiting ?? []), ...judged.filter(isWarning)];
  const { dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(timeZone);
  const check: Check = {
    report: warns.report,
    afterHours: warns.afterHours,
    until: instantText(until, timeZone),
    judged,
    warnings: warnings.toSorted((one, other) => notReached(other) - notReached(one)),
    waits: reading.hasLater || (warns.weekdays && dayOfWeek > 5),
    newest,
  };
  return {
    kept: { ...kept, digest: { ...digest, check } },
    history: noteCheck(history, check, reading, watched),
    withheld: check.waits || warnings.length === 0 ? 'empty' : withheld === 'held' ? 'held' : null,
  };
}

/** Most people not reached first; what is for nobody knows how many comes last. */
function notReached({ audience, seenToDate }: Judgement): number {
  return audience === null ? -1 : audience - (seenToDate ?? 0);
}

function judgeDeliveries({ deliveries, period }: Digest, reading: Reading, watched: Watched): Judgement[] {
  const { warns, until, newest, history } = watched;
  const audiences = new Map(deliveries.map((delivery) => [delivery.id, delivery.audience]));
  const collected = { ...reading.collected, history };
  const growths = new Map(growthsOf({ ...reading, collected }, (id) => audiences.get(id)));
  const isNothingSeen = growths.size === 0;
  for (const { id, broadcast } of deliveries.filter(({ kind }) => kind === 'silent')) {
    // Nobody has seen it: it is compared as if somebody had been about to when it came to count.
    const firstSign = until - warns.afterHours * 3_600_000;
    growths.set(id, { broadcast, firstSign, audience: audiences.get(id) ?? null, curve: [[warns.afterHours, 0, 0]] });
  }
  const usualOf = compareAtAge(growths, periodAt(warns.every, period.timeZone, until));
  return deliveries.map((delivery) => {
    const { id, broadcast, firstSign, seen: seenToDate } = delivery;
    const audience = audiences.get(id) ?? null;
    const place = watched.digest?.broadcasts.findIndex((each) => each.id === broadcast.id) ?? -1;
    const of = {
      delivery: id,
      broadcast: { id: broadcast.id, name: broadcast.name, createdBy: broadcast.createdBy },
      firstSign,
      audience,
      place: newest === null || place < 0 || broadcast.id === '' ? null : place + 1,
    };
    const unavailable = whyNotJudged(delivery, areItemsAudience(watched) && audience === null);
    if (seenToDate === null || unavailable !== null) {
      const limits = judge(warns, unavailable === null ? 'too-late' : 'not-judged');
      return { ...of, seen: null, seenToDate: null, usual: null, limits, ...(unavailable && { unavailable }) };
    }
    const { seen = 0, usual = null } = usualOf([id], warns.afterHours) ?? {};
    const expected = usual === null ? null : usual.share === null ? usual.seen : usual.share * (audience ?? 0);
    const received = { seen, seenToDate, audience, usual: expected };
    return { ...of, ...received, limits: judge(warns, isNothingSeen ? 'no-usual' : received) };
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

/** What later checks have to know of this one, and of all before it, beside what every digest leaves. */
function noteCheck(history: History, check: Check, { collected }: Reading, watched: Watched): History {
  const { until } = watched;
  const before = collected.history;
  const found = new Map(collected.recipients.map((each) => [each.delivery.id, each]));
  const final = check.judged.filter(({ unavailable }) => unavailable === undefined || isGoneForGood(unavailable));
  const [given, waiting] = check.waits ? [[], check.warnings] : [check.warnings, []];
  const warned = new Map(given.map((each) => [each.delivery, { at: check.until, seen: each.seenToDate ?? 0 }]));
  const deliveries = new Map(history.deliveries);
  for (const delivery of collected.wanted) {
    const { id } = delivery;
    const { check: known = { listedAt: before === null ? null : until }, ...noted } = deliveries.get(id) ?? {};
    const isDone =
      final.some((each) => each.delivery === id) || stageOf(delivery, watched, before, found.get(id)) === 'done';
    const warning = warned.get(id);
    const noting = { ...known, ...(isDone ? { done: true as const } : {}), ...(warning && { warned: warning }) };
    deliveries.set(id, { listedIn: until, ...noted, check: noting });
  }
  return { ...history, deliveries, check: { since: before?.check?.since ?? until, waiting } };
}
