import { clip } from '../domain/wording.ts';
import { isCovered, leastViews } from './row-figures.ts';
import type { SectionInput } from './input.ts';
import { lacksEverything, leads } from './sections/incomplete.ts';
import { newNeeds, sayFirstNeed } from './sections/needs.ts';
import { sayViews } from './sections/counts.ts';
import { sayAnswers, viewVerdict } from './sections/verdict.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { capitalize } from './texts/language.ts';
import { titleOf } from './texts/names.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const longestSubject = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const longestPreheader = 130;

/** What needs somebody and the views, the title and the period in at most 78 characters: a title that is too long is left out. */
export function saySubject(input: SectionInput, test: boolean): string {
  const { digest, report, wording, figures } = input;
  const { warning, period } = digest;
  const joined = sayHead(input).join(wording.say('separator.list'));
  const values = {
    figures: test ? wording.say('test.title', { title: joined }) : joined,
    period: warning === null ? figures.period(period, 'short') : figures.day(period.end, period.end),
  };
  const title = showForeignText(titleOf(report, wording));
  const untitled = wording.say('subject.noTitle', values);
  const subject = title === null ? untitled : wording.say('subject', { title, ...values });
  // Two direction marks may come around a title that runs from right to left.
  const shown = subject.length <= longestSubject - 2 ? subject : untitled;
  return clip(shown.replaceAll('\u00a0', ' '), longestSubject);
}

/** What needs somebody first, then the views, and the responses where nothing does and something asks. */
function sayHead(input: SectionInput): string[] {
  const { digest, wording } = input;
  const { totals, broadcasts, noMatch, warning } = digest;
  const needs = sayNeeds(input);
  if (warning !== null) return needs;
  if (leads(digest)) {
    return [wording.say(lacksEverything(digest) ? 'subject.nothing' : 'subject.incomplete'), ...needs];
  }
  if (noMatch !== null) return [wording.say('subject.noMatch')];
  const asks = (totals.responded ?? 0) > 0 || broadcasts.some((row) => row.group === 'new' && row.asks !== false);
  return [
    ...needs,
    sayTotal(input),
    ...(needs.length === 0 && asks ? [wording.count('count.responses', totals.responded ?? 0)] : []),
  ];
}

function sayTotal(input: SectionInput): string {
  const { digest, locale, wording } = input;
  const views = sayViews(digest.totals.seen ?? leastViews(digest) ?? 0, input);
  const isWhole = digest.totals.seen !== null && (isCovered(digest) || digest.totals.seen === 0);
  return isWhole ? views : capitalize(wording.say('atLeast', { count: views }), locale);
}

/** How many broadcasts newly need somebody, or that most reached fewer than usual; nothing where neither is so. */
export function sayNeeds({ digest, wording }: SectionInput): string[] {
  const count = newNeeds(digest).length;
  return [
    ...(digest.season === null ? [] : [wording.say('subject.season')]),
    ...(count === 0 ? [] : [wording.count('subject.needs', count)]),
  ];
}

/** What an inbox shows beside the subject, in at most 130 characters: the first need, else the answers, else the verdict. */
export function sayPreheader(input: SectionInput): string {
  return clip(sayFirstNeed(input) ?? sayAnswers(input) ?? viewVerdict(input).verdict, longestPreheader);
}
