import type { SectionInput } from './input.ts';
import { isIncomplete } from './sections/incomplete.ts';
import { findNeeds, sayFirstNeed } from './sections/needs.ts';
import { sayChangeOfViews } from './sections/tiles.ts';
import { sayEmpty, sayRate, sayVerdict } from './sections/verdict.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const SUBJECT_LENGTH = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const PREHEADER_LENGTH = 130;
/** The two direction marks around a title that runs from right to left. */
const ISOLATES = 2;

/** The figures, the title and the period in at most 78 characters, the figures first: a long title is cut. */
export function saySubject(input: SectionInput, test: boolean): string {
  const { digest, report, wording, figures } = input;
  const { start, end } = digest.period;
  const said = sayFigures(input);
  const values = {
    figures: test ? wording.say('test.title', { title: said }) : said,
    period: figures.days(start, end, 'short'),
  };
  const room = SUBJECT_LENGTH - wording.say('subject', { title: '', ...values }).length - ISOLATES;
  const subject = wording.say('subject', { title: showForeignText(report.title, room) ?? '', ...values });
  return clip(subject.replaceAll('\u00a0', ' '), SUBJECT_LENGTH);
}

function sayFigures(input: SectionInput): string {
  const { digest, wording } = input;
  const { totals, deliveries } = digest;
  if (isIncomplete(digest)) return wording.say('subject.incomplete');
  if (deliveries.length === 0 || totals.seen === null) return wording.say('subject.empty');
  const views = wording.count('count.views', totals.seen);
  const change = sayChangeOfViews(totals, input);
  const figure = change === null ? views : wording.say('subject.change', { figure: views, change });
  const { length: needs } = findNeeds(digest);
  return needs === 0 ? figure : [figure, wording.count('subject.needs', needs)].join(wording.say('separator.list'));
}

/** What an inbox shows beside the subject, in at most 130 characters: what the subject does not say. */
export function sayPreheader(input: SectionInput): string {
  const { digest, wording } = input;
  const isWhole = !isIncomplete(digest);
  const rate = isWhole ? sayRate(input) : [];
  const sentences =
    isWhole && digest.deliveries.length === 0
      ? sayEmpty(input)
      : [...(rate.length > 0 ? rate : sayVerdict(input)), ...sayFirstNeed(input)];
  return joinWithin(sentences, wording.say('separator.sentences'), PREHEADER_LENGTH);
}

/** The first sentence, clipped if need be, and those of the others that fit. */
function joinWithin([first = '', ...rest]: readonly string[], separator: string, length: number): string {
  return rest.reduce(
    (text, sentence) => {
      const longer = `${text}${separator}${sentence}`;
      return longer.length <= length ? longer : text;
    },
    clip(first, length),
  );
}
