import { hourMs } from '../../domain/period.ts';
import { longestNote } from '../../domain/note.ts';
import { differenceOf, isCovered, isLargeChange } from '../row-figures.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { lastInstant } from '../texts/language.ts';
import { showStatus } from '../texts/names.ts';
import { sayGaps } from './incomplete.ts';

/** Hours after the end of a period in which phones and the service may still send what belongs to it. */
const nightHours = 6;

/** Up to when figures are counted, and what else has to be known of them: two lines. */
export function viewNotes(input: SectionInput): string[] {
  const { digest, files, wording, figures, join, countIfAny } = input;
  const { period, readAt, coveredSince, totals, unjudged, warning } = digest;
  const isEarly = Date.parse(readAt) - Date.parse(period.end) < nightHours * hourMs;
  const day = figures.weekday(lastInstant(period.end));
  const counted = [
    warning === null
      ? wording.say('notes.end', { day })
      : wording.say('notes.until', { day, time: figures.time(period.end) }),
    isEarly && warning === null ? wording.say('notes.read', { time: figures.time(readAt) }) : null,
    totals.seen === 0 ? null : wording.say('notes.counted'),
  ];
  const { seen, responded } = totals.undated;
  const qualifiers = [
    !isCovered(digest) && warning === null
      ? wording.say('notes.covered', { date: figures.day(coveredSince, period.start) })
      : null,
    saySaid(input),
    countIfAny('notes.undated', seen + responded),
    countIfAny('notes.unjudged', unjudged.length),
    ...sayGaps(input),
    digest.mayHoldOnlyNewest ? wording.say('notes.onlyNewest') : null,
    files === 'too-large' ? wording.say('notes.tooLarge') : null,
  ];
  return [join(counted, 'sentences'), join(qualifiers, 'sentences')].filter(Boolean);
}

/** What the digest of the period before said, where that is far from what is known of it now. */
function saySaid({ digest, wording, figures }: SectionInput): string | null {
  const { totals, period } = digest;
  const now = totals.previous?.seen ?? null;
  const said = totals.previous?.asSaid?.seen ?? null;
  const change = differenceOf(now, said);
  if (said === null || change === null || !isLargeChange(change, said)) return null;
  const before = wording.say(`before.${period.kind}`);
  return wording.say('notes.said', { period: before, said: figures.count(said), now: figures.count(now) });
}

/** What the communications team says, quoted as theirs; `null` where that is nothing. */
export function sayTeamsNote({ digest, wording }: SectionInput): string | null {
  const text = showForeignText(digest.note?.text, longestNote);
  return text === null ? null : wording.say('note.team', { text });
}

/** What only the page says: what nobody has seen for long, and the deliveries with other statuses than the wanted ones. */
export function sayPageNotes(input: SectionInput): string[] {
  const { digest, limits, wording, figures, join, countIfAny } = input;
  const byCount = Object.entries(digest.otherStatuses).toSorted(([, one], [, other]) => other - one);
  const items = byCount.slice(0, limits.statuses).map(([word, number]) => {
    const status = showStatus(word, input) ?? wording.say('name.none');
    return wording.say('notes.status', { status, count: figures.count(number) });
  });
  const more = byCount.slice(limits.statuses).reduce((sum, [, count]) => sum + count, 0);
  const others = join([...items, countIfAny('notes.moreStatuses', more)]);
  return [
    countIfAny('unseen.older', digest.olderUnseen),
    others === '' ? null : wording.say('notes.otherStatuses', { items: others }),
  ].filter((text) => text !== null);
}
