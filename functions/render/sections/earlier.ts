import type { DigestBroadcast } from '../../digest/schema.ts';
import { filterFields, type Filter } from '../../domain/report-filter.ts';
import { rowsOf, sumsOf, type Row, type RowFigures } from '../row-figures.ts';
import type { SectionInput, WorkbookInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { lastInstant } from '../texts/language.ts';
import { quoteDated, quoteName, showType } from '../texts/names.ts';
import { sayOfAudience, saySums } from './counts.ts';
import { lacksEverything } from './incomplete.ts';

/** In small print what is not new: earlier broadcasts, what is not seen yet, and what the report is about; `null` for nothing. */
export function viewEarlier(input: SectionInput): string | null {
  const { digest } = input;
  if (digest.warning !== null) return null;
  const rows = lacksEverything(digest) ? [] : [...sayEarlier(input), ...sayUnseen(input)];
  return input.join([...rows, ...sayFilters(input)], 'sentences') || null;
}

/** The sum of the earlier ones, and those that have a line of their own. */
function sayEarlier(input: SectionInput): string[] {
  const { limits, wording } = input;
  const earlier = rowsOf(input.digest).filter(({ broadcast }) => broadcast.group === 'earlier');
  if (earlier.length === 0) return [];
  const sums = saySums(sumsOf(earlier), input);
  const shown = earlier.filter(({ broadcast }) => broadcast.line !== null).slice(0, limits.earlier);
  return [
    wording.count(sums === null ? 'earlier.unknown' : 'earlier.sums', earlier.length, { sums: sums ?? '' }),
    ...shown.map((row) => wording.say('sentence', { text: sayLine(row, input) })),
  ];
}

/** Why an earlier broadcast has a line, with what it had in the period where the line does not say that. */
function sayLine(row: Row, input: SectionInput): string {
  const { line, stillCounting } = row.broadcast;
  const { all } = row.figures;
  const { digest, wording, figures, join } = input;
  const name = quoteDated(row, input);
  if (line === null || line.reason === 'large') {
    const sums = saySums(all.inPeriod, input) ?? wording.say('figure.none');
    return join([wording.say('earlier.large', { name, sums }), sayAnswered(all, input)]);
  }
  if (line.reason !== 'still-counting') {
    const isAgain = line.reason === 'delivered-again';
    const seen = isAgain ? all.inPeriod.seen : all.seen;
    const views = seen === null ? wording.say('figure.none') : wording.count('count.seen', seen);
    const said = wording.say(`earlier.${line.reason}`, { name, views });
    return isAgain ? said : join([said, sayInPeriod(all, 0, input)]);
  }
  const date = figures.day(lastInstant(digest.period.end), digest.period.start);
  const [before, now] = [sayOfAudience(line.before, input), figures.count(all.seen)];
  const counts = wording.say('earlier.counting', { name, before, now, date });
  const inThis = sayInPeriod(all, line.before.seen ?? 0, input);
  return join([counts, inThis, stillCounting ? wording.say('row.still') : null]);
}

/** Of those who saw it, how many had responded, as of an open survey. */
function sayAnswered({ seen, answered, rate }: RowFigures['all'], { wording, figures }: SectionInput): string | null {
  if (seen === null || answered === null || rate === null) return null;
  return wording.say('earlier.answered', { answered: figures.count(answered), seen: figures.count(seen) });
}

/** What of its views came in the period, where that is not all since it had so many. */
function sayInPeriod({ seen, inPeriod }: RowFigures['all'], before: number, { wording }: SectionInput): string | null {
  if (seen === null || inPeriod.seen === null || seen - before === inPeriod.seen) return null;
  return wording.say('inPeriod', { counts: wording.count('count.views', inPeriod.seen) });
}

/** What nobody has seen yet, but for what is named as a need. */
function sayUnseen(input: SectionInput): string[] {
  const { digest, limits, wording } = input;
  const named = new Set(digest.needs.flatMap(({ deliveries }) => deliveries));
  const isNamed = ({ deliveries }: DigestBroadcast): boolean => deliveries.some(({ id }) => named.has(id));
  const unseen = digest.broadcasts.filter((broadcast) => broadcast.group === 'unseen' && !isNamed(broadcast));
  if (unseen.length === 0) return [];
  if (unseen.length > limits.names) return [wording.count('unseen.count', unseen.length)];
  return [wording.say('unseen.names', { names: wording.list(unseen.map((row) => quoteCreated(row, input))) })];
}

/** A name with its date, which is a fact of what nobody has seen. */
function quoteCreated(broadcast: DigestBroadcast, input: SectionInput): string {
  const { wording, figures, digest } = input;
  const name = quoteName(broadcast, input);
  if (broadcast.createdAt === null) return name;
  return `${name} ${wording.say('name.dated', { date: figures.day(broadcast.createdAt, digest.period.start) })}`;
}

/** Which broadcasts a digest is about, where that is not all, and which it leaves out. */
export function sayFilters(input: WorkbookInput): string[] {
  const { digest, wording } = input;
  const [only, except] = [sayFilter(digest.only, input), sayFilter(digest.except, input)];
  return [
    only && wording.say('filter.only', { parts: only }),
    except && wording.count('filter.except', digest.leftOut, { parts: except }),
  ].filter((text) => text !== null);
}

function sayFilter(filter: Filter | null, input: WorkbookInput): string | null {
  const { report, wording, join } = input;
  const { contentType, createdBy, ...names } = filter ?? {};
  const author = createdBy && (report.authors === 'named' ? createdBy : wording.say('filter.oneAuthor'));
  const texts = { ...names, createdBy: author, contentType: contentType && showType(contentType, input) };
  const parts = filterFields.flatMap((field) => {
    const text = showForeignText(texts[field]);
    return text === null ? [] : wording.say(`filter.${field}`, { text });
  });
  return join(parts) || null;
}
