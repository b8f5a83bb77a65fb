import { countEngagement } from '../../../functions/collect/engagement.ts';
import type { Engagement } from '../../../functions/ledger/runs/collections.ts';
import { isObject } from '../../../functions/reporting-service/json.ts';
import type { ListedDelivery } from '../../../functions/reporting-service/shapes.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { Pages } from '../../../functions/reporting-service/lists/pages.ts';
import type { RowSink } from '../../../functions/reporting-service/lists/rows.ts';
import { isSet } from '../../../functions/reporting-service/dates.ts';
import { attempt, type Account } from './account.ts';
import { fault, good, look, type Finding } from './finding.ts';
import { mask } from './mask.ts';

/** Deliveries that are asked, until one has recipients. */
const mostAsked = 8;

/** A recipient list as the checks look at it: its counts, and its rows as they came. */
export interface RecipientList {
  engagement: Engagement;
  rows: readonly unknown[];
  tally: Tally;
}

/** A delivery with its recipients. */
export interface SampleDelivery {
  delivery: ListedDelivery;
  list: RecipientList;
}

/** Recipient lists of some deliveries: rows and dates. Gives those that have recipients. */
export async function examineRecipients(
  account: Account,
  listed: readonly ListedDelivery[],
): Promise<{ findings: Finding[]; samples: SampleDelivery[] }> {
  const wanted = listed.filter(({ status }) => account.report.statuses.includes(status ?? ''));
  const samples: SampleDelivery[] = [];
  for (const delivery of (wanted.length > 0 ? wanted : listed).slice(0, mostAsked)) {
    const list = await attempt(() => readList(account, account.service.recipients(delivery.id)));
    if ('error' in list) return { findings: [fault('recipients', `${list.error.message}.`)], samples };
    if (list.value.engagement.listed > 0) samples.push({ delivery, list: list.value });
  }
  const [first] = samples;
  if (first === undefined) {
    const found =
      listed.length === 0
        ? 'There is no delivery to ask for.'
        : 'Nobody has engaged with the deliveries that were asked for.';
    return { findings: [look('recipients', found)], samples };
  }
  const sample = mask(first.list.rows.slice(0, 2), true);
  const rows = good(
    'recipients',
    `A recipient list has ${first.list.engagement.listed} rows${rowReading(first.list.tally)}.`,
  );
  const findings = [{ ...rows, sample }, ...describeRows(samples), ...describeDates(account, samples)];
  return { findings, samples };
}

/** Reads a recipient list whole, with a tally of its own. */
export async function readList(account: Account, pages: Pages): Promise<RecipientList> {
  const tally = createTally();
  const rows: unknown[] = [];
  /** Each page's rows are kept on their way to being counted. */
  const keeping = <Taken>(createSink: () => RowSink<Taken>): RowSink<Taken> => {
    const sink = createSink();
    return {
      take: (page) => {
        for (const row of page) rows.push(row);
        sink.take(page);
      },
      result: () => sink.result(),
    };
  };
  const into: Pages['into'] = (createSink) => pages.into(() => keeping(createSink));
  const always = { precedingStart: 0, start: 0, end: 0, timeZone: account.report.timeZone };
  return { engagement: await countEngagement({ into }, always, tally), rows, tally };
}

/** A row of a recipient list, bare or in its wrapper. */
export function recipientOf(row: unknown): Readonly<Record<string, unknown>> | null {
  if (!isObject(row)) return null;
  const inner = row['recipient'];
  return isObject(inner) ? inner : row;
}

function rowReading(tally: Tally): string {
  const [reading = 'bare'] = Object.keys(tally.coverage.readings['recipient row'] ?? {});
  return reading === 'bare' ? '' : `, each in ${reading}`;
}

function describeRows(samples: readonly SampleDelivery[]): Finding[] {
  const missing = new Set(samples.flatMap(({ list }) => Object.keys(list.tally.coverage.missingFields)));
  const rows = samples.flatMap(({ list }) => list.rows.map(recipientOf));
  const unseen = rows.filter((row) => row !== null && isSet(row['respondedAt']) && !isSet(row['seenAt'])).length;
  return [
    ...(missing.size === 0 ? [] : [fault('recipients', `Documented fields are missing: ${[...missing].join(', ')}.`)]),
    ...(unseen === 0
      ? []
      : [
          look(
            'responses',
            `${unseen} recipients responded without having seen anything: they count as responses alone.`,
          ),
        ]),
  ];
}

function describeDates({ report }: Account, samples: readonly SampleDelivery[]): Finding[] {
  const formats = new Map<string, number>();
  for (const { list } of samples) {
    for (const [format, times] of Object.entries(list.tally.coverage.readings['dates'] ?? {})) {
      formats.set(format, (formats.get(format) ?? 0) + times);
    }
  }
  if (formats.size === 0) return [];
  const met = [...formats.keys()].filter((format) => format !== 'unreadable').join(', ') || 'none that can be read';
  const unreadable = formats.get('unreadable') ?? 0;
  const zoned = formats.has('ISO 8601 without offset') || formats.has('date only');
  const setting = { name: 'reports[].timeZone', value: "the zone of the account's clock, where it is another" };
  return [
    zoned
      ? look('dates', `Dates are written as ${met}, which is read in ${report.timeZone}.`, setting)
      : good('dates', `Dates are written as ${met}.`),
    ...(unreadable === 0
      ? []
      : [look('dates', `${unreadable} dates cannot be read: they count as seen, and at no known instant.`)]),
  ];
}
