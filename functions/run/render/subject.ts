import type { Digest } from '../../domain/digest.ts';
import { clip, showForeignText } from './texts/foreign-text.ts';
import { showChange } from './rows/headline.ts';
import type { Language } from './texts/language.ts';

/** RFC 5322, section 2.1.1: a line should have no more than 78 characters. */
const SUBJECT_LENGTH = 78;
/** Mail programs show about this much of a preheader, beside the subject. */
const PREHEADER_LENGTH = 130;
/** The two direction marks around a title that runs from right to left. */
const ISOLATES = 2;

/** Title, period and one figure in at most 78 characters: a long title is cut. */
export function saySubject(digest: Digest, title: string, empty: boolean, language: Language): string {
  const { wording } = language;
  const values = { period: sayDays(digest, language), figure: sayFigure(digest, empty, language) };
  const room = SUBJECT_LENGTH - wording.say('subject', { title: '', ...values }).length - ISOLATES;
  const subject = wording.say('subject', { title: showForeignText(title, room) ?? '', ...values });
  return clip(subject.replaceAll('\u00a0', ' '), SUBJECT_LENGTH);
}

function sayFigure({ totals }: Digest, empty: boolean, language: Language): string {
  const { wording } = language;
  if (empty) {
    return wording.say('subject.empty');
  }
  if (totals.seen === null) {
    return wording.say('subject.incomplete');
  }
  const figure = wording.count('count.views', totals.seen);
  const change = sayChangeOfViews(totals, language);
  return change === null ? figure : wording.say('subject.change', { figure, change });
}

/** What an inbox shows beside the subject: the main figures in 40 to 130 characters. */
export function sayPreheader(digest: Digest, empty: boolean, language: Language): string {
  const { wording } = language;
  const period = sayDays(digest, language);
  if (empty) {
    return clip(wording.say('preheader.empty', { period, zone: digest.period.timeZone }), PREHEADER_LENGTH);
  }
  const { deliveries, seen, responded } = digest.totals;
  if (deliveries === null || seen === null || responded === null) {
    return clip(wording.say('preheader.incomplete', { period }), PREHEADER_LENGTH);
  }
  const sentences = [
    wording.say('preheader.figures', {
      views: wording.count('count.views', seen),
      responses: wording.count('count.responses', responded),
      deliveries: wording.count('count.newDeliveries', deliveries),
      period,
    }),
    ...sayRateAndChange(digest, language),
  ];
  return joinWithin(sentences, wording.say('separator.sentences'), PREHEADER_LENGTH);
}

function sayRateAndChange({ totals }: Digest, language: Language): string[] {
  const { wording, figures } = language;
  const rate = totals.responseRate;
  const change = sayChangeOfViews(totals, language);
  return [
    ...(rate === null ? [] : [wording.say('preheader.rate', { rate: figures.fineRate(rate) })]),
    ...(change === null ? [] : [wording.say('preheader.change', { label: wording.say('headline.seen'), change })]),
  ];
}

function sayChangeOfViews({ seen, previous, comparison }: Digest['totals'], language: Language): string | null {
  const before = comparison.basis === 'none' ? null : (previous?.seen ?? null);
  return seen === null || before === null ? null : showChange('seen', seen, before, language);
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

function sayDays({ period }: Digest, { figures }: Language): string {
  return figures.days(period.start, period.end, 'short');
}
