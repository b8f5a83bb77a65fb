import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest, DigestDelivery } from '../../domain/digest.ts';
import { sayNoContents } from '../sections/items.ts';
import { sayElsewhere } from '../sections/more.ts';
import type { SectionInput } from '../sections/section-input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import type { PluralKey } from '../../domain/wording.ts';
import { sayMedian, viewDeliveryRows } from './delivery-rows.ts';
import type { DetailRowView } from './detail-row.ts';
import type { BroadcastDetails, DetailTableView } from './details-view.ts';
import { viewItemRows } from './item-rows.ts';

/** What the details of broadcasts are made from. */
type DetailsInput = Pick<SectionInput, 'digest' | 'report' | 'elsewhere' | 'limits'>;

/** Gives the details of each broadcast, with as many rows in all as the limits allow: the first ones have theirs. */
export function createDetails(
  input: DetailsInput,
  language: Language,
): (broadcast: DigestBroadcast) => BroadcastDetails {
  const { digest, limits } = input;
  const byId = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const places = new Map(digest.broadcasts.map((broadcast, place) => [broadcast, place]));
  let room = limits.rows;
  return (broadcast) => {
    const own = broadcast.deliveries.flatMap((id) => byId.get(id) ?? []);
    const { tables, notes } = viewTables(broadcast, own, { ...input, room }, language);
    room -= tables.reduce((sum, { rows }) => sum + rows.length, 0);
    return {
      anchor: anchorOf(places.get(broadcast) ?? 0),
      created: sayCreated(broadcast, digest, language),
      delivery: sayDelivery(broadcast, language),
      inPeriod: sayInPeriod(broadcast, own, digest, language),
      tables,
      notes: [...(broadcast.contents === null ? sayNoContents(broadcast, digest, language) : []), ...notes],
    };
  };
}

/** The id of the heading of the broadcast at a place in the digest, from 0. */
export function anchorOf(place: number): string {
  return `broadcast-${place + 1}`;
}

/** The tables of a broadcast. What nobody has seen has no items to tell apart, and a single delivery is the block itself. */
function viewTables(
  broadcast: DigestBroadcast,
  deliveries: readonly DigestDelivery[],
  { digest, report, elsewhere, limits, room }: DetailsInput & { room: number },
  language: Language,
): Pick<BroadcastDetails, 'tables' | 'notes'> {
  const { wording } = language;
  const { kind } = digest.period;
  const isRead = broadcast.seen !== 0 || broadcast.responded !== 0;
  const count = isRead ? (broadcast.contents?.length ?? 0) : 0;
  const items = viewItemRows(broadcast, deliveries, { kind, most: Math.min(count, limits.items, room) }, language);
  const several = deliveries.length > 1 ? deliveries : [];
  const shownDeliveries = several.slice(0, Math.min(limits.deliveries, room - items.length));
  const tables = [
    tableOf(wording.say('column.item'), items, language),
    tableOf(
      wording.say('column.delivery'),
      viewDeliveryRows(shownDeliveries, { period: digest.period, report }, language),
      language,
    ),
  ];
  const rest = (count: number, all: boolean, keys: readonly [some: PluralKey, none: PluralKey]): string[] =>
    count === 0 ? [] : [sayElsewhere(wording.count(keys[all ? 1 : 0], count), { count }, { elsewhere }, language)];
  return {
    tables: tables.filter(({ rows }) => rows.length > 0),
    notes: [
      ...rest(count - items.length, items.length === 0, ['items.more', 'items.all']),
      ...rest(several.length - shownDeliveries.length, false, ['deliveries.more', 'deliveries.more']),
    ],
  };
}

function tableOf(name: string, rows: DetailRowView[], { wording }: Language): DetailTableView {
  const columns = { name, seen: wording.say('column.seen'), responded: wording.say('column.responded') };
  return { columns, rows };
}

function sayCreated({ createdAt }: DigestBroadcast, { period }: Digest, { wording, figures }: Language): string | null {
  return createdAt === null ? null : wording.say('details.created', { date: figures.day(createdAt, period.start) });
}

function sayDelivery({ deliveries: [only, ...others] }: DigestBroadcast, { wording }: Language): string | null {
  const id = others.length === 0 ? showForeignText(only, 40) : null;
  return id === null ? null : wording.say('details.delivery', { id });
}

/** What came in the period, and of a single delivery how soon responses came. */
function sayInPeriod(
  { kind, inPeriod }: DigestBroadcast,
  deliveries: readonly DigestDelivery[],
  { period }: Digest,
  language: Language,
): string | null {
  const { wording } = language;
  const [only, ...others] = deliveries;
  const facts = [
    ...(inPeriod === null || kind === 'silent'
      ? []
      : [
          wording.say(`inPeriod.sum.${period.kind}`, {
            views: wording.count('count.views', inPeriod.seen),
            responses: wording.count('count.responses', inPeriod.responded),
          }),
        ]),
    ...(only === undefined || others.length > 0 ? [] : sayMedian(only, language)),
  ];
  return facts.length === 0 ? null : facts.join(wording.say('separator.details'));
}
