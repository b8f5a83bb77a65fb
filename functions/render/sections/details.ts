import type { DigestBroadcast, DigestDelivery } from '../../domain/digest.ts';
import type { PluralKey } from '../../domain/wording.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts } from '../texts/language.ts';
import { deliveriesOf, sayMedian, viewDeliveryRow } from './deliveries.ts';
import { nameColumns } from './figures.ts';
import { sayNoContents, viewItemRows } from './items.ts';
import { sayElsewhere } from './more.ts';

/** What a page shows of a broadcast beside what a mail does. */
export interface BroadcastDetails {
  /** The id of its heading in the page. */
  anchor: string;
  /** When it was created. */
  created: string | null;
  /** Which delivery it is, where there is only one. */
  delivery: string | null;
  /** What came in the period, and how soon responses came. */
  inPeriod: string | null;
  /** Its content items, and its deliveries where there are several. */
  tables: Array<{
    columns: ReturnType<typeof nameColumns>;
    rows: Array<ReturnType<typeof viewDeliveryRow> | ReturnType<typeof viewItemRows>[number]>;
  }>;
  /** What is not available or not shown of it. */
  notes: string[];
}

/** The details of the broadcasts that a page shows, with as many rows in all as the limits allow: the first ones have theirs. */
export function viewDetails(input: SectionInput): Map<DigestBroadcast, BroadcastDetails> {
  const { digest, limits, wording, figures } = input;
  let room = limits.rows;
  return new Map(
    digest.broadcasts.slice(0, limits.broadcasts).map((broadcast, place) => {
      const { createdAt } = broadcast;
      const deliveries = deliveriesOf(broadcast, input);
      const { tables, notes } = viewTables(broadcast, { deliveries, room }, input);
      room -= tables.reduce((sum, { rows }) => sum + rows.length, 0);
      const date = createdAt === null ? null : figures.day(createdAt, digest.period.start);
      return [
        broadcast,
        {
          anchor: `broadcast-${place + 1}`,
          created: date === null ? null : wording.say('details.created', { date }),
          delivery: sayDelivery(broadcast, input),
          inPeriod: sayInPeriod(broadcast, deliveries, input),
          tables,
          notes: [...(broadcast.contents === null ? sayNoContents(broadcast, input) : []), ...notes],
        },
      ];
    }),
  );
}

/** The tables of a broadcast. What nobody has seen has no items to tell apart, and a single delivery is the block itself. */
function viewTables(
  broadcast: DigestBroadcast,
  { deliveries, room }: { deliveries: readonly DigestDelivery[]; room: number },
  input: SectionInput,
): Pick<BroadcastDetails, 'tables' | 'notes'> {
  const { limits, wording } = input;
  const isRead = broadcast.seen !== 0 || broadcast.responded !== 0;
  const count = isRead ? (broadcast.contents?.length ?? 0) : 0;
  const items = viewItemRows(broadcast, { deliveries, most: Math.min(count, limits.items, room) }, input);
  const several = deliveries.length > 1 ? deliveries : [];
  const rows = several
    .slice(0, Math.min(limits.deliveries, room - items.length))
    .map((delivery) => viewDeliveryRow(delivery, input));
  const tables = [
    { columns: nameColumns(wording.say('column.item'), input), rows: items },
    { columns: nameColumns(wording.say('column.delivery'), input), rows },
  ];
  const rest = (count: number, key: PluralKey): string[] =>
    count === 0 ? [] : [sayElsewhere(wording.count(key, count), { count }, input)];
  return {
    tables: tables.filter((table) => table.rows.length > 0),
    notes: [
      ...rest(count - items.length, items.length === 0 ? 'items.all' : 'items.more'),
      ...rest(several.length - rows.length, 'deliveries.more'),
    ],
  };
}

function sayDelivery({ deliveries: [only, ...others] }: DigestBroadcast, { wording }: SectionInput): string | null {
  const id = others.length === 0 ? showForeignText(only, 40) : null;
  return id === null ? null : wording.say('details.delivery', { id });
}

/** What came in the period, and of a single delivery how soon responses came. */
function sayInPeriod(
  { kind, inPeriod }: DigestBroadcast,
  [only, ...others]: readonly DigestDelivery[],
  input: SectionInput,
): string | null {
  const { digest, wording } = input;
  const came =
    inPeriod === null || kind === 'silent'
      ? null
      : wording.say(`inPeriod.sum.${digest.period.kind}`, {
          views: wording.count('count.views', inPeriod.seen),
          responses: wording.count('count.responses', inPeriod.responded),
        });
  const median = only === undefined || others.length > 0 ? null : sayMedian(only.medianResponseSeconds, input);
  return joinFacts([came, median], wording.say('separator.details'));
}
