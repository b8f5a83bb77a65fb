import { isEmptyDigest } from '../domain/digest.ts';
import type { SectionInput } from './input.ts';
import { isIncomplete, lacksEverything, sayMissing, sayNothingKnown } from './sections/incomplete.ts';
import { sayFirstNeed } from './sections/needs.ts';
import { sayFilter, sayNoComparison } from './sections/notes.ts';
import { findChanges, sayEmpty, sayVerdict, type Change } from './sections/verdict.ts';
import { clip } from '../domain/wording.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { titleOf } from './texts/names.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const longestSubject = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const longestPreheader = 130;

/** So long may each text be that a report filters by, in UTF-16 units: the longest that fits is taken. */
const filterLengths = [longestSubject, 20, 10, 5];

/**
 * What needs somebody and the figures, the title and the period in at most 78 characters: a title that is too long is left out.
 * Where the report is not about all broadcasts, which ones in place of the title, with fewer figures or the texts cut.
 */
export function saySubject(input: SectionInput, test: boolean): string {
  const { digest, report, wording, figures } = input;
  const { warning } = digest;
  const allFigures = sayFigures(input);
  const write = (shown: readonly string[], title: string | null): string => {
    const joined = shown.join(wording.say('separator.list'));
    const values = {
      figures: test ? wording.say('test.title', { title: joined }) : joined,
      period:
        warning === undefined ? figures.period(digest.period, 'short') : figures.day(warning.until, warning.until),
    };
    return title === null ? wording.say('subject.noTitle', values) : wording.say('subject', { title, ...values });
  };
  const filters = filterLengths.flatMap((length) => sayFilter(input, length) ?? []);
  const subjects = [
    ...filters.flatMap((filter) => [allFigures, allFigures.slice(0, 1)].map((shown) => write(shown, filter))),
    write(allFigures, showForeignText(titleOf(report, wording))),
  ];
  // Two direction marks may come around a title that runs from right to left.
  const subject = subjects.find(({ length }) => length <= longestSubject - 2) ?? write(allFigures, null);
  return clip(subject.replaceAll('\u00a0', ' '), longestSubject);
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
  const [most = 'views'] = changes.map(({ what }) => what);
  const sayFigure = (what: Change['what']): string[] => {
    if (counts[what] === null) return [];
    const figure = wording.count(`count.${what}`, counts[what]);
    const { now = 0, before = 0 } = changes.find((change) => change.what === what) ?? {};
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
  if (digest.warning !== undefined) return clip(sayFirstNeed(input).join(''), longestPreheader);
  if (lacksEverything(digest)) return clip(sayNothingKnown(input), longestPreheader);
  const isEmpty = isEmptyDigest(digest) && !isIncomplete(digest);
  const verdict = isEmpty ? sayEmpty(input) : sayVerdict(input);
  const sentences = [...sayFirstNeed(input), ...verdict, ...sayMissing(input), ...sayNoComparison(input)];
  const inSubject = sayFigures(input).join(input.wording.say('separator.list'));
  return clip(sentences.find((sentence) => !sentence.startsWith(inSubject)) ?? '', longestPreheader);
}
