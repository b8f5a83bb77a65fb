import { isEmptyDigest, longestNote, type Digest } from '../../domain/digest.ts';
import { addUp, figuresOf } from '../../domain/figures.ts';
import { filterFields } from '../../domain/report-filter.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { quoteName, showStatus, showType } from '../texts/names.ts';
import { sayDate } from './block.ts';
import { findNeeds } from './needs.ts';

/** The mail says so where more than this share of a list has no field for either date. */
const toleratedShare = 0.1;

/** Two lines for the end: until when figures are counted, and what else has to be known of them. */
export function sayNotes(input: SectionInput): string[] {
  const { digest, files, wording } = input;
  if (isEmptyDigest(digest)) return [sayRead('notes.asOf', input)];
  const lists = listsLackingFields(digest);
  const { totals, left } = digest;
  const separator = wording.say('separator.sentences');
  const qualifiers = [
    ...sayNoComparison(input),
    sayLate(input),
    left.deliveries > 0 && !left.isOld ? wording.count('notes.left', left.deliveries) : null,
    left.unjudged > 0 ? wording.count('notes.leftUnjudged', left.unjudged) : null,
    digest.onlyNewest ? wording.say('notes.onlyNewest') : null,
    lists > 0 ? wording.count('notes.lackingFields', lists) : null,
    totals.undated > 0 ? wording.count('notes.undated', totals.undated) : null,
    files === 'too-large' ? wording.say('notes.tooLarge') : null,
  ];
  const lines = [joinFacts([sayRead('notes.read', input), wording.say('notes.counted')], separator)];
  return [...lines, joinFacts(qualifiers, separator)].filter((line) => line !== null);
}

/** What is not seen yet, what of it is of unknown date, and what earlier broadcasts had in the period; `null` where there is none. */
export function sayBeside(input: SectionInput): string | null {
  const { digest, wording } = input;
  const { unknownDate } = digest;
  const older = digest.broadcasts.filter(
    ({ kind, inPeriod }) => kind === 'active' && (inPeriod === null || inPeriod.seen + inPeriod.responded > 0),
  );
  const { seen = null, responded = null } = figuresOf({ ...addUp(older), asks: null }, digest).inPeriod ?? {};
  const sums = [
    seen === null ? null : wording.count('count.views', seen),
    responded === null ? null : wording.count('count.responses', responded),
  ].filter((sum) => sum !== null);
  const facts = [
    sayUnseen(input),
    unknownDate > 0 ? wording.count('notes.unknownDate', unknownDate) : null,
    older.length > 0 && sums.length > 0
      ? wording.count('notes.older', older.length, { sums: wording.list(sums) })
      : null,
  ];
  return joinFacts(facts, wording.say('separator.sentences'));
}

/**
 * What nobody has seen yet, where nothing says that somebody should have; `null` where there is none. A broadcast of which other
 * deliveries are listed may have been seen: of it the page says what each delivery has.
 */
function sayUnseen(input: SectionInput): string | null {
  const { digest, limits, wording, figures } = input;
  const named = new Set(findNeeds(digest).map(({ broadcast }) => broadcast));
  const unseen = digest.broadcasts.filter(
    (broadcast) =>
      broadcast.kind === 'silent' && broadcast.listedDeliveries <= broadcast.deliveries.length && !named.has(broadcast),
  );
  if (unseen.length === 0) return null;
  const instant = figures.instant(digest.collectedAt);
  if (unseen.length > limits.names) return wording.count('notes.unseen', unseen.length, { instant });
  const names = unseen.map((broadcast) => {
    const date = sayDate(broadcast, input);
    return date === null ? quoteName(broadcast, input) : `${quoteName(broadcast, input)} (${date})`;
  });
  return wording.say('notes.unseenNamed', { instant, names: wording.list(names) });
}

/** Why figures are compared with none; nothing where they are. */
export function sayNoComparison({ digest, wording, figures }: SectionInput): string[] {
  const { totals, period } = digest;
  const { comparison } = totals;
  if (comparison.basis === 'kept') return [];
  const { reason, lacking } = comparison;
  return [wording.say(`comparison.${reason}`, { period: figures.period({ kind: period.kind, ...lacking }, 'long') })];
}

/** Until when figures are counted. */
export function sayRead(key: 'notes.asOf' | 'notes.read', { digest, wording, figures }: SectionInput): string {
  const { period, collectedAt } = digest;
  const values = { instant: figures.instant(collectedAt), zone: period.timeZone };
  return wording.say(key, { ...values, period: figures.period(period, 'short') });
}

/** What only the page says: what is not counted, and what is no longer named. */
export function sayPageNotes(input: SectionInput): string[] {
  const { digest, wording } = input;
  const { unseenNotNamed, left } = digest;
  return [
    ...(left.deliveries > 0 && left.isOld ? [wording.count('notes.left', left.deliveries)] : []),
    ...sayOtherStatuses(input),
    ...(unseenNotNamed > 0 ? [wording.count('notes.unseenNotNamed', unseenNotNamed)] : []),
  ];
}

/** What the communications team says, quoted as theirs; `null` where that is nothing. */
export function sayTeamsNote({ digest, wording }: SectionInput): string | null {
  const text = showForeignText(digest.note?.text, longestNote);
  return text === null ? null : wording.say('note.team', { text });
}

/**
 * Which broadcasts a digest is about, where that is not all: in a sentence, or where each text that the report filters by has a
 * length, in UTF-16 units, in a few words for the subject.
 */
export function sayFilter(
  { digest, ...language }: Language & Pick<SectionInput, 'digest'>,
  length?: number,
): string | null {
  const { wording } = language;
  const isShort = length !== undefined;
  const { contentType, ...only } = digest.only ?? {};
  const texts = { ...only, contentType: contentType && showType(contentType, language) };
  const all = filterFields.flatMap((field) => {
    const text = showForeignText(texts[field], length);
    return text === null ? [] : wording.say(isShort ? `filter.short.${field}` : `filter.${field}`, { text });
  });
  const parts = all.join(wording.say('separator.list'));
  return parts === '' ? null : wording.say(isShort ? 'filter.short' : 'filter', { parts });
}

/** Engagement from before the period that came too late to be counted then; `null` where there is none, or it is not known. */
function sayLate({ digest, wording, figures }: SectionInput): string | null {
  const { late, period } = digest;
  if (late === null || late.seen + late.responded === 0) return null;
  const engaged = wording.list([
    ...(late.seen > 0 ? [wording.count('count.views', late.seen)] : []),
    ...(late.responded > 0 ? [wording.count('count.responses', late.responded)] : []),
  ]);
  const date = figures.day(period.start, period.start);
  return wording.count('notes.late', late.seen + late.responded, { engaged, date });
}

/** How many recipient lists have more rows with neither a `seenAt` nor a `respondedAt` than is tolerated. */
function listsLackingFields({ deliveries }: Digest): number {
  const lists = deliveries.flatMap((delivery) => [delivery, ...(delivery.contents ?? [])]);
  return lists.filter(({ listed, lackingFields = 0 }) => lackingFields > (listed ?? 0) * toleratedShare).length;
}

/** The deliveries with other statuses than the wanted ones; nothing where there are none. */
export function sayOtherStatuses(input: SectionInput): string[] {
  const { digest, limits, wording, figures } = input;
  const byCount = Object.entries(digest.otherStatuses).toSorted(([, one], [, other]) => other - one);
  if (byCount.length === 0) return [];
  const items = byCount.slice(0, limits.statuses).map(([word, count]) =>
    wording.say('notes.status', {
      status: showStatus(word, input) ?? wording.say('name.none'),
      count: figures.count(count),
    }),
  );
  const more = byCount.slice(limits.statuses).reduce((sum, [, count]) => sum + count, 0);
  if (more > 0) items.push(wording.count('notes.moreStatuses', more));
  return [wording.say('notes.otherStatuses', { items: items.join(wording.say('separator.list')) })];
}
