import type { DigestBroadcast } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { linkTo, sayOnly, sayReason, showName } from '../texts/names.ts';
import { deliveriesOf, sayDeliveries, sayFirstSeen, sayStatuses } from './deliveries.ts';
import { lacksViews, viewBar, viewTable } from './figures.ts';
import { viewItems } from './items.ts';
import { sayMore } from './more.ts';

/** The broadcasts whose first sign was in the period, the most seen first; `null` where nothing is new. */
export function viewNewBroadcasts(input: SectionInput) {
  const { digest, limits, wording } = input;
  const all = digest.broadcasts.filter(({ kind }) => kind === 'new');
  if (all.length === 0) return null;
  const heading = wording.count(`new.${digest.period.kind}`, all.length);
  return viewBroadcasts(all, { heading, note: null, shown: limits.broadcasts }, input);
}

/** The most older broadcasts that are named, and the fewest views in the period with which one is. */
const olderNamed = { most: 6, fewestViews: 2 };

/** Older broadcasts with what came of them in the period; `null` where there are none. */
export function viewStillRead(input: SectionInput) {
  const { digest, mail, wording } = input;
  // What is judged for the first time may have had nothing more in the period.
  const all = digest.broadcasts.filter(
    ({ kind, inPeriod }) => kind === 'active' && (inPeriod === null || inPeriod.seen + inPeriod.responded > 0),
  );
  if (all.length === 0) return null;
  const named = all
    .filter(
      (each) => ((lacksViews(each) ? each.inPeriod?.responded : each.inPeriod?.seen) ?? -1) >= olderNamed.fewestViews,
    )
    .slice(0, olderNamed.most);
  const rows = named.map((broadcast) => ({
    name: showName(broadcast, input),
    link: linkTo(mail.broadcastLink, broadcast),
    detail: broadcast.deliveries.length > 1 ? wording.count('count.deliveries', broadcast.deliveries.length) : null,
    seen: lacksViews(broadcast) ? null : (broadcast.inPeriod?.seen ?? 0),
    responded: broadcast.inPeriod?.responded ?? 0,
  }));
  const rest = all.filter((broadcast) => !named.includes(broadcast));
  return {
    heading: wording.say('stillRead.heading'),
    note: wording.say(`stillRead.${digest.period.kind}`),
    ...viewTable(wording.say('column.broadcast'), rows, input),
    /** Those that are not named. */
    more: sayMore(rest, rows.length === 0 ? 'more.older' : 'more.broadcasts', input),
  };
}

/** The first of some broadcasts, a block each, under a heading and with what is said of all of them. */
export function viewBroadcasts(
  all: readonly DigestBroadcast[],
  { heading, note, shown }: { heading: string; note: string | null; shown: number },
  input: SectionInput,
) {
  const broadcasts = all
    .slice(0, shown)
    .map((broadcast, index) => viewBroadcast(broadcast, input, index < input.limits.withItems));
  return {
    heading,
    note,
    legend: broadcasts.some(({ bar }) => bar !== null) ? viewLegend(all.slice(0, shown), input) : null,
    broadcasts,
    more: sayMore(all.slice(shown), 'more.broadcasts', input),
  };
}

/** The colours of the bars in words, and that some broadcasts have no bar. */
function viewLegend(broadcasts: readonly DigestBroadcast[], { wording }: Language) {
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: wording.say('legend.rest'),
    noBar: broadcasts.some(({ audience }) => audience === null) ? wording.say('legend.noBar') : null,
  };
}

/** A broadcast as a block: with its content items in a few figures, or, on a page, with its tables of details. */
function viewBroadcast(broadcast: DigestBroadcast, input: SectionInput, withItems: boolean) {
  const { seen, responded } = broadcast;
  const audience = lacksViews(broadcast) ? null : broadcast.audience;
  const whole = input.details?.get(broadcast) ?? null;
  const { items, notes } = viewItems(broadcast, input, withItems);
  return {
    name: showName(broadcast, input),
    link: linkTo(input.mail.broadcastLink, broadcast),
    details: sayDetails(broadcast, input),
    /** Of those whom it is for; `null` where it is not known how many they are. */
    bar: audience === null || seen === null || responded === null ? null : viewBar(responded, seen, audience),
    figures: sayFigures(broadcast, input),
    deliveries: whole === null ? sayDeliveries(broadcast, input) : null,
    items: whole === null ? items : null,
    notes: [...sayNoPeriod(broadcast, input), ...(whole === null ? notes : whole.notes)],
    whole,
  };
}

/** By whom, first seen when, text only, still counting. Of several deliveries each has its own date. */
function sayDetails(broadcast: DigestBroadcast, input: SectionInput): string | null {
  const { report, details, wording } = input;
  const { createdBy, deliveries, contents, asks, stillCounting } = broadcast;
  const creator = showForeignText(createdBy, 60);
  const types = contents?.map(({ type }) => type) ?? [];
  const whole = details?.get(broadcast);
  const statuses = report.statuses.length > 1 ? deliveriesOf(broadcast, input).map(({ status }) => status) : [];
  const said = [
    creator && wording.say('details.by', { creator }),
    whole?.created ?? null,
    deliveries.length > 1 ? null : sayFirstSeen(broadcast, input),
    asks === false && types.length > 0 ? sayOnly(types, input) : null,
    stillCounting ? wording.say('details.stillCounting') : null,
    sayStatuses(statuses, input),
    whole?.delivery ?? null,
  ];
  return joinFacts(said, wording.say('separator.details'));
}

/** That what came in the period is not known, where figures to date are. */
function sayNoPeriod({ seen, inPeriod, unavailable }: DigestBroadcast, language: Language): string[] {
  if (seen === null || inPeriod !== null) return [];
  return [language.wording.say('inPeriod.unavailable', { reason: sayReason(unavailable, language) })];
}

/** How many saw it, responded and have not seen it. There is no rate where nothing is asked. */
function sayFigures(broadcast: DigestBroadcast, language: Language) {
  const { audience, seen, responded, answered, asks, unavailable } = broadcast;
  const { wording, figures } = language;
  if (seen === null || responded === null) {
    return emphasize(wording.say('facts.unavailable', { reason: sayReason(unavailable, language) }));
  }
  if (lacksViews(broadcast)) return emphasize(wording.count('facts.noViews', responded));
  const known = audience === null || audience === 0 ? null : audience;
  const facts = [
    known === null
      ? wording.count('facts.seen', seen)
      : wording.count('facts.seenOf', seen, { audience: figures.count(known), rate: figures.rate(seen / known) }),
    asks === true && seen > 0 && answered !== null
      ? wording.count('facts.respondedRate', responded, { rate: figures.rate(answered / seen) })
      : wording.count('facts.responded', responded),
    known === null ? null : wording.count('facts.rest', Math.max(0, known - seen)),
  ];
  return emphasize(joinFacts(facts, wording.say('separator.details')) ?? '');
}

/**
 * A message in which what is between two asterisks is bold: `*36 of 93* saw it`. Only for messages that are filled with
 * figures: an asterisk in a name would be one of these.
 */
function emphasize(message: string): Array<{ text: string; strong: boolean }> {
  return message
    .split('*')
    .map((text, index) => ({ text, strong: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
