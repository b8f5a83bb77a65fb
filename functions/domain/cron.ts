/** A parsed cron expression of Amazon EventBridge Scheduler. */
export interface Cron {
  /** The six fields as written, with one space between them. */
  text: string;
  /** The same wall times in the five fields of croner, which reads weekdays and steps differently. */
  pattern: string;
}

/** A text that is not a cron expression, or one that this program does not run. Its message has a sentence for each fault. */
export class CronError extends TypeError {
  override readonly name = 'CronError';
  readonly code = 'cron';
}

interface NumericField {
  name: string;
  min: number;
  max: number;
  /** Words for the numbers from `min` on. */
  words: readonly string[];
}

const MINUTES: NumericField = { name: 'minutes', min: 0, max: 59, words: [] };
const HOURS: NumericField = { name: 'hours', min: 0, max: 23, words: [] };
const DAY_OF_MONTH: NumericField = { name: 'day-of-month', min: 1, max: 31, words: [] };
const MONTH: NumericField = {
  name: 'month',
  min: 1,
  max: 12,
  words: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const WEEKDAYS: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Reads the six fields of EventBridge Scheduler's grammar: minutes, hours, day-of-month, month, day-of-week, year.
 * Numbers with lists, ranges and steps; months also by name; `L` for the last day of the month; weekdays by name only,
 * with lists, ranges and `MON#2`; the year `*`; and `?` in exactly one of the two day fields.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 * @throws CronError that names every faulty field, what was expected and what was found
 */
export function parseCron(text: string): Cron {
  const fields = text.trim().split(/\s+/);
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = fields;
  if (
    fields.length !== 6 ||
    text.includes('cron(') ||
    !minutes ||
    !hours ||
    !dayOfMonth ||
    !month ||
    !dayOfWeek ||
    !year
  ) {
    throw new CronError(
      `Expected the six fields minutes, hours, day-of-month, month, day-of-week and year, without "cron()" around ` +
        `them, such as "0 8 ? * MON *", found "${text}".`,
    );
  }
  const faults: string[] = [];
  const read = (parse: () => string): string => collectFault(parse, faults);
  const pattern = [
    read(() => numbers(minutes, MINUTES)),
    read(() => numbers(hours, HOURS)),
    read(() => daysOfMonth(dayOfMonth)),
    read(() => numbers(month, MONTH)),
    read(() => weekdays(dayOfWeek)),
  ].join(' ');
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) {
    faults.push(
      `Expected "?" in exactly one of day-of-month and day-of-week, found "${dayOfMonth}" and "${dayOfWeek}".`,
    );
  }
  if (year !== '*') faults.push(`Expected "*" as the year, found "${year}".`);
  if (faults.length > 0) throw new CronError(faults.join(' '));
  return { text: fields.join(' '), pattern };
}

function collectFault(parse: () => string, faults: string[]): string {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    faults.push(error.message);
    return '';
  }
}

function daysOfMonth(text: string): string {
  // croner reads "?" as the current day.
  if (text === '?') return '*';
  return text === 'L' ? 'L' : numbers(text, DAY_OF_MONTH);
}

/** Every number that the field means, in a list, so that croner has no ranges and steps to interpret. */
function numbers(text: string, field: NumericField): string {
  const all = text.split(',').flatMap((part) => numbersOfPart(part, field, text));
  return [...new Set(all)].toSorted((a, b) => a - b).join(',');
}

function numbersOfPart(part: string, field: NumericField, text: string): number[] {
  const match = /^(?:\*|(?<from>\w+)(?:-(?<to>\w+))?)(?:\/(?<step>\d{1,2}))?$/.exec(part);
  if (match === null) throw numericFault(field, text);
  const { from, to, step } = match.groups ?? {};
  const first = from === undefined ? field.min : numberOf(from, field, text);
  // "0/15" counts on from its number; "0" alone is that number only.
  const openEnd = from === undefined || step !== undefined ? field.max : first;
  const last = to === undefined ? openEnd : numberOf(to, field, text);
  const stride = step === undefined ? 1 : Number(step);
  if (last < first || stride < 1 || stride > field.max) throw numericFault(field, text);
  return Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, index) => first + index * stride);
}

function numberOf(text: string, field: NumericField, whole: string): number {
  const word = field.words.indexOf(text);
  if (word !== -1) return field.min + word;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= field.min && number <= field.max)) throw numericFault(field, whole);
  return number;
}

function numericFault(field: NumericField, text: string): CronError {
  const names = field.words.length > 0 ? ` or names from ${field.words[0]} to ${field.words.at(-1)}` : '';
  const others = field === DAY_OF_MONTH ? ', "L" or "?"' : '';
  return new CronError(
    `Expected numbers from ${field.min} to ${field.max}${names} in the ${field.name} field, ` +
      `with lists (1,2), ascending ranges (1-5) and steps (1/5, 1-9/2), or "*"${others}, found "${text}".`,
  );
}

/** Weekdays in croner's numbers, Sunday 0 to Saturday 6. */
function weekdays(text: string): string {
  if (text === '?' || text === '*') return '*';
  const nth = /^(?<name>[A-Z]{3})#(?<nth>[1-5])$/.exec(text)?.groups;
  if (nth) return `${weekdayOf(nth['name'] ?? '', text)}#${nth['nth']}`;
  const all = text.split(',').flatMap((part) => weekdaysOfPart(part, text));
  return [...new Set(all)].toSorted((a, b) => a - b).join(',');
}

/** A range of weekdays may go beyond the end of the week: FRI-MON. */
function weekdaysOfPart(part: string, text: string): number[] {
  const [from = '', to = from, ...more] = part.split('-');
  if (more.length > 0) throw weekdayFault(text);
  const first = weekdayOf(from, text);
  const length = ((weekdayOf(to, text) - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => (first + index) % 7);
}

function weekdayOf(name: string, text: string): number {
  const number = WEEKDAYS.indexOf(name);
  if (number === -1) throw weekdayFault(text);
  return number;
}

function weekdayFault(text: string): CronError {
  const why = /\d/.test(text.replaceAll(/#\d/g, ''))
    ? ' Numbers are not accepted: 2 is Monday to EventBridge and Tuesday to most other systems.'
    : '';
  return new CronError(
    `Expected names from SUN to SAT in the day-of-week field, with lists (MON,THU) and ranges (MON-FRI), ` +
      `one name with its place in the month (MON#2), "*" or "?", found "${text}".${why}`,
  );
}
