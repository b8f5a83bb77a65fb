import { isEmptyDigest } from '../domain/digest.ts';
import type { SectionInput } from './input.ts';
import { isIncomplete, lacksEverything, sayMissing, sayNothingKnown } from './sections/incomplete.ts';
import { sayFirstNeed } from './sections/needs.ts';
import { sayFilter, sayNoComparison } from './sections/notes.ts';
import { findChanges, sayEmpty, sayVerdict } from './sections/verdict.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import { titleOf } from './texts/names.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const SUBJECT_LENGTH = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const PREHEADER_LENGTH = 130;
/** The two direction marks around a title that runs from right to left. */
const ISOLATES = 2;

/** So long may each text be that a report filters by, in UTF-16 units: the longest that fits is taken. */
const FILTER_LENGTHS = [SUBJECT_LENGTH, 20, 10, 5];

/**
 * What needs somebody and the figures, the title and the period in at most 78 characters: a title that is too long is left out.
 * Where the report is not about all broadcasts, which ones in place of the title, with fewer figures or the texts cut.
 */
export function saySubject(input: SectionInput, test: boolean): string {
  const { digest, report, wording, figures } = input;
  const { warning } = digest;
  const said = sayFigures(input);
  const write = (parts: readonly string[], title: string | null): string => {
    const joined = parts.join(wording.say('separator.list'));
    const values = {
      figures: test ? wording.say('test.title', { title: joined }) : joined,
      period:
        warning === undefined ? figures.period(digest.period, 'short') : figures.day(warning.until, warning.until),
    };
    return title === null ? wording.say('subject.noTitle', values) : wording.say('subject', { title, ...values });
  };
  const filters = FILTER_LENGTHS.flatMap((length) => sayFilter(input, length) ?? []);
  const subjects = [
    ...filters.flatMap((filter) => [said, said.slice(0, 1)].map((parts) => write(parts, filter))),
    write(said, showForeignText(titleOf(report, wording))),
  ];
  const subject = subjects.find(({ length }) => length <= SUBJECT_LENGTH - ISOLATES) ?? write(said, null);
  return clip(subject.replaceAll('\u00a0', ' '), SUBJECT_LENGTH);
}

/** What needs somebody, and the figure that changed most; where nothing does, both figures. */
function sayFigures(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { totals, warning } = digest;
  if (warning !== undefined && digest.needs.length > 0) return [wording.count('subject.needs', digest.needs.length)];
  if (isIncomplete(digest)) return [wording.say(lacksEverything(digest) ? 'subject.nothing' : 'subject.incomplete')];
  if (digest.noMatch) return [wording.say('subject.noMatch')];
  if (isEmptyDigest(digest) || totals.seen === null) return [wording.say('subject.empty')];
  const changes = findChanges(totals);
  const counts = { views: totals.seen, responses: totals.responded };
  const [most = 'views'] = changes.map(({ of }) => of);
  const sayFigure = (of: 'views' | 'responses'): string[] => {
    if (counts[of] === null) return [];
    const figure = wording.count(`count.${of}`, counts[of]);
    const { now = 0, before = 0 } = changes.find((change) => change.of === of) ?? {};
    return [now === before ? figure : wording.say('subject.change', { figure, change: figures.change(now - before) })];
  };
  return digest.needs.length === 0
    ? [...sayFigure('views'), ...sayFigure('responses')]
    : [wording.count('subject.needs', digest.needs.length), ...sayFigure(most)];
}

/**
 * What an inbox shows beside the subject, in at most 130 characters: the first need, else the verdict's first sentence that the
 * subject does not say.
 */
export function sayPreheader(input: SectionInput): string {
  const { digest } = input;
  if (digest.warning !== undefined) return clip(sayFirstNeed(input).join(''), PREHEADER_LENGTH);
  if (lacksEverything(digest)) return clip(sayNothingKnown(input), PREHEADER_LENGTH);
  const isEmpty = isEmptyDigest(digest) && !isIncomplete(digest);
  const verdict = isEmpty ? sayEmpty(input) : sayVerdict(input);
  const all = [...sayFirstNeed(input), ...verdict, ...sayMissing(input), ...sayNoComparison(input)];
  const inSubject = sayFigures(input).join(input.wording.say('separator.list'));
  return clip(all.find((said) => !said.startsWith(inSubject)) ?? '', PREHEADER_LENGTH);
}
