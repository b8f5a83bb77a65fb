import type { Digest } from '../domain/digest.ts';
import { findNeeds, sayFirstNeed } from './sections/needs.ts';
import { isIncomplete } from './sections/incomplete.ts';
import { sayChangeOfViews } from './sections/tiles.ts';
import { sayEmpty, sayRate, sayVerdict, type EmptyInput } from './sections/verdict.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const SUBJECT_LENGTH = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const PREHEADER_LENGTH = 130;
/** The two direction marks around a title that runs from right to left. */
const ISOLATES = 2;

/** The figures, the title and the period in at most 78 characters, the figures first: a long title is cut. */
export function saySubject(
  digest: Digest,
  { title, test }: { title: string; test: boolean },
  language: Language,
): string {
  const { wording, figures } = language;
  const { start, end } = digest.period;
  const said = sayFigures(digest, language);
  const values = {
    figures: test ? wording.say('test.title', { title: said }) : said,
    period: figures.days(start, end, 'short'),
  };
  const room = SUBJECT_LENGTH - wording.say('subject', { title: '', ...values }).length - ISOLATES;
  const subject = wording.say('subject', { title: showForeignText(title, room) ?? '', ...values });
  return clip(subject.replaceAll('\u00a0', ' '), SUBJECT_LENGTH);
}

function sayFigures(digest: Digest, language: Language): string {
  const { wording } = language;
  const { totals, deliveries } = digest;
  if (isIncomplete(digest)) return wording.say('subject.incomplete');
  if (deliveries.length === 0 || totals.seen === null) return wording.say('subject.empty');
  const views = wording.count('count.views', totals.seen);
  const change = sayChangeOfViews(totals, language);
  const figure = change === null ? views : wording.say('subject.change', { figure: views, change });
  const { length: needs } = findNeeds(digest);
  return needs === 0 ? figure : [figure, wording.count('subject.needs', needs)].join(wording.say('separator.list'));
}

/** What an inbox shows beside the subject, in at most 130 characters: what the subject does not say. */
export function sayPreheader(input: EmptyInput, language: Language): string {
  const { digest } = input;
  const { wording } = language;
  if (digest.deliveries.length === 0 && !isIncomplete(digest)) {
    return joinWithin(sayEmpty(input, language), wording.say('separator.sentences'), PREHEADER_LENGTH);
  }
  const rate = isIncomplete(digest) ? [] : sayRate(digest, language);
  const sentences = [...(rate.length > 0 ? rate : sayVerdict(digest, language)), ...sayFirstNeed(digest, language)];
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
