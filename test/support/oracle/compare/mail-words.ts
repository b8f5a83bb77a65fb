import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import type { Digest, DigestBroadcast, Missing } from '../../../../functions/domain/digest.ts';
import type { Calendar } from '../../accounts/calendars.ts';
import type { KnownGroup } from '../groups.ts';
import type { Known } from '../known.ts';
import type { Answered, Engaged } from '../lists.ts';

/** What a mail says, piece by piece in its order: what each is about, and its words with what is not there between them. */
export type Said = Array<[about: string, ...words: Array<string | number | false | null>]>;

/** What one part of a mail is of; groups are in the digest's order. */
export type Mail = { known: Known; calendar: Calendar; digest: Digest; groups: readonly Shown[]; isHtml: boolean };

/** A group with figures; `views` are `null` where the service gives none. Its entry says which of several true reasons it gives. */
export type Shown = KnownGroup & Pick<DigestBroadcast, 'kind'> & ShownFigures;
type ShownFigures = { entry: DigestBroadcast; name: string; counted: Answered; views: number | null };

/** A message of the English mail with its values; a `count` decides its form. */
export function say(key: keyof typeof messages, values: Readonly<Record<string, string | number>> = {}): string {
  const message = messages[key];
  const form = typeof message === 'string' ? message : message[values['count'] === 1 ? 'one' : 'other'];
  return form.replaceAll('*', '').replaceAll(/\{(\w+)\}/g, (_brace, value: string) => String(values[value]));
}

/** A word of the service, such as `multiple_choice`, without regard to case. */
export function wordOf(word: string): string {
  return word === '' ? say('name.none') : word.replaceAll(/(\p{Ll})(?=\p{Lu})|[_\s-]+/gu, '$1 ').trim();
}

/** A name in a sentence. */
export function quote(name: string | null): string {
  return name === null ? say('name.none') : say('name.quoted', { name });
}

/** Why something is missing. */
export function reasonOf(gap: Pick<Missing, 'reason'> | undefined): string {
  return say(`reason.${gap?.reason ?? 'unknown'}`);
}

/** "a, b, and c" */
export const lists = new Intl.ListFormat('en', { type: 'conjunction' });

/** Views and responses, of which one may not be there. */
export function countsOf(seen: number | null, responded: number | null): string[] {
  const views = seen === null ? [] : [say('count.views', { count: seen })];
  return responded === null ? views : [...views, say('count.responses', { count: responded })];
}

/** A share in whole percent, which is 0 or 100 only where it is that. */
export function percentOf(part: number, whole = 1): string {
  const ratio = part / whole;
  if (ratio > 0 && ratio < 0.01) return '<1%';
  return ratio > 0.99 && ratio < 1 ? '>99%' : `${Math.round(100 * ratio + 1e-9)}%`;
}

/** How many people, and of how many where that is known. */
export function countOf(seen: number, audience: number | null): string {
  return audience === null ? String(seen) : say('seenOf', { seen, audience });
}

/** What is usual at an age, and that age. */
export function usualOf({ hours, usual }: NonNullable<Shown['atAge']>): { usual: string | number; age: string } {
  const age = hours < 24 ? say('age.hours', { count: hours }) : say('age.days', { count: hours / 24 });
  return { usual: usual?.share == null ? Math.round(usual?.seen ?? NaN) : percentOf(usual.share), age };
}

/** Responses without a single view say that the service does not give views. */
export function lacksViews(counted: Engaged | null): boolean {
  return counted !== null && counted.seen === 0 && counted.responded > 0;
}

const [day, year] = [{ day: 'numeric' } as const, { year: 'numeric' } as const];

/** The day of an instant, with its year where the period began in another. */
export function dayOf(instant: number | string, { timeZone, start }: Calendar): string {
  const at = new Date(instant);
  const isOfYear = [at, new Date(start)].map((each) => each.toLocaleString('en', { timeZone, ...year }));
  return at.toLocaleString('en', { timeZone, month: 'short', ...day, ...(isOfYear[0] === isOfYear[1] ? {} : year) });
}

type Span = Pick<Calendar, 'kind' | 'timeZone'> & Record<'start' | 'end', string | number>;

/** Some days or months; of a trend, months in short. */
export function periodOf({ kind, timeZone, start, end }: Span, length: 'long' | 'short' | 'of a trend'): string {
  const isOfDays = kind === 'day' || kind === 'week';
  const month = length === 'of a trend' || (isOfDays && length === 'short') ? 'short' : 'long';
  const hasYear = length === 'long' || (length === 'of a trend' && !isOfDays);
  const format = new Intl.DateTimeFormat('en', { timeZone, month, ...(isOfDays ? day : {}), ...(hasYear ? year : {}) });
  return format.formatRange(new Date(start), new Date(new Date(end).getTime() - 1));
}
