import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { isUnsaid, isWantedStatus, meetsFilter, type FilterField } from '../domain/report-filter.ts';
import type { DeliveryList, Found, ListedDelivery, Phase } from '../ledger/runs/collections.ts';
import type { History } from '../ledger/runs/digests.ts';

/** All that a collection found, and what earlier digests said of the same things. */
export interface Collected {
  list: DeliveryList;
  /** The deliveries of the report: those with a wanted status, and the others. */
  wanted: readonly ListedDelivery[];
  others: readonly ListedDelivery[];
  recipients: ReadonlyArray<Found<'recipients'>>;
  broadcasts: ReadonlyMap<string, Found<'broadcasts'>>;
  /** Deliveries of which nothing says whether the report is about their broadcast, with the field that is missing. */
  undecided: ReadonlyMap<string, FilterField>;
  /** Deliveries of which nothing says whether the report leaves out their broadcast: it does not. */
  maybeExcepted: ReadonlySet<string>;
  /** How many deliveries the report leaves out. */
  leftOut: number;
  /** Fields that the report filters by and that no broadcast says: what it is about is not known, and it has no delivery. */
  unsaid: readonly FilterField[];
  /** By delivery, then by content item. */
  contents: ReadonlyMap<string, ReadonlyMap<string, Found<'contents'>>>;
  /** What the latest earlier digest left to know; `null` where there is none. */
  history: History | null;
}

type Answers = Pick<Collected, 'list' | 'history'> & { [P in Phase]: ReadonlyArray<Found<P>> };

/** What was found, sorted by what the report wants of it. */
export function collectedOf(
  answers: Answers,
  report: Pick<ReportConfiguration, 'only' | 'except' | 'statuses' | 'warningOf'>,
): Collected {
  const broadcasts = new Map(answers.broadcasts.map((broadcast) => [broadcast.id, broadcast]));
  const listed = answers.list.deliveries.map((delivery) => {
    const texts = filteredTextsOf(delivery, broadcasts);
    const isExcepted = report.except !== undefined && meetsFilter(texts, report.except);
    return { delivery, texts, isAbout: meetsFilter(texts, report.only ?? {}), isExcepted };
  });
  const candidates = listed.filter(({ isExcepted }) => isExcepted !== true);
  const undecided = new Map(
    candidates.flatMap(({ delivery, isAbout }) => (typeof isAbout === 'string' ? [[delivery.id, isAbout]] : [])),
  );
  const areAllAsked = candidates.every(
    ({ delivery: { id, broadcast } }) => !undecided.has(id) || broadcast.id === '' || broadcasts.has(broadcast.id),
  );
  const unsaid = [...new Set(undecided.values())].filter(
    (field) => areAllAsked && candidates.every(({ texts }) => isUnsaid(field, texts)),
  );
  const chosen = unsaid.length > 0 ? [] : candidates.filter(({ isAbout }) => isAbout !== false);
  const deliveries = chosen.map(({ delivery }) => delivery);
  // What was delivered once counts in figures, whatever became of its status; nothing is warned of it.
  const isCounted = ({ id, status }: ListedDelivery): boolean => {
    const wantedAs = report.warningOf === undefined ? answers.history?.deliveries.get(id)?.wantedAs : undefined;
    return [status, wantedAs].some((known) => known !== undefined && isWantedStatus(known, report));
  };
  const { recipients, contents } = readableOf(answers);
  const itemsByDelivery = Map.groupBy(contents, ({ delivery }) => delivery);
  return {
    ...answers,
    recipients,
    wanted: deliveries.filter(isCounted),
    others: deliveries.filter((delivery) => !isCounted(delivery)),
    broadcasts,
    undecided,
    maybeExcepted: new Set(
      candidates.flatMap(({ delivery, isExcepted }) => (isExcepted === false ? [] : [delivery.id])),
    ),
    leftOut: listed.filter(({ isAbout, isExcepted }) => isAbout !== false && isExcepted === true).length,
    unsaid,
    contents: new Map(
      [...itemsByDelivery].map(([delivery, items]) => [delivery, new Map(items.map((item) => [item.content, item]))]),
    ),
  };
}

const unreadable = { unavailable: { reason: 'unreadable' } } as const;

/**
 * The lists that can be read. None can that has rows, where one of the two dates has another name in the whole run; nor can the
 * recipients of a delivery that are none while the lists of its content items have people who saw it or responded.
 */
function readableOf({ recipients, contents }: Pick<Answers, 'recipients' | 'contents'>) {
  const engagements = [...recipients, ...contents].flatMap(({ engagement }) => engagement ?? []);
  const isDateMissing = (['seenAt', 'respondedAt'] as const).some((field) =>
    engagements.every(({ listed, lacking }) => (lacking?.[field] ?? 0) === listed),
  );
  const engagedWith = new Set(contents.flatMap(({ delivery, engagement }) => (engagement?.engaged ? [delivery] : [])));
  const isUnreadable = ({ engagement }: Pick<Found<'recipients'>, 'engagement'>): boolean =>
    isDateMissing && engagement !== undefined && engagement.listed > 0;
  const isEmptied = ({ delivery, engagement }: Found<'recipients'>): boolean =>
    engagement?.listed === 0 && engagedWith.has(delivery.id);
  return {
    recipients: recipients.map((list): Found<'recipients'> =>
      isEmptied(list) || isUnreadable(list) ? { delivery: list.delivery, ...unreadable } : list,
    ),
    contents: contents.map((list): Found<'contents'> =>
      isUnreadable(list) ? { delivery: list.delivery, content: list.content, ...unreadable } : list,
    ),
  };
}

function filteredTextsOf({ broadcast: { id, name } }: ListedDelivery, broadcasts: Collected['broadcasts']) {
  const detail = broadcasts.get(id)?.broadcast;
  return {
    createdBy: [detail?.createdBy ?? ''],
    broadcastName: [name ?? detail?.name ?? ''],
    contentType: detail?.contents.map(({ type }) => type) ?? [''],
  };
}

/** When a delivery's broadcast was created, as an earlier run knew it or by its answer; `null` where that is not known. */
export function createdAtOf(
  { id, broadcast }: ListedDelivery,
  { broadcasts, history }: Pick<Collected, 'broadcasts' | 'history'>,
): number | null {
  return history?.deliveries.get(id)?.createdAt ?? broadcasts.get(broadcast.id)?.broadcast?.createdAt ?? null;
}

/** The key of a thing of the service, under which the history knows that it is gone. */
export function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** A share and a number of rows without a readable date up to which a figure of the period is given, with a note. */
const toleratedPercent = 10;
const toleratedRows = 2;

/**
 * Whether too many of the rows that came to some lists since the last run that could read them lack a readable date for any
 * figure of the period: it would be smaller than the truth.
 */
export function areDatesUnreadable(lists: Pick<Collected, 'recipients' | 'history'>): boolean {
  const { engaged, undated } = rowsSince(lists);
  return undated > toleratedRows && 100 * undated > toleratedPercent * engaged;
}

/** The rows with engagement that came to some lists since the last run that could read them, and those without a readable date. */
export function rowsSince({ recipients, history }: Pick<Collected, 'recipients' | 'history'>) {
  let [engaged, undated] = [0, 0];
  for (const { delivery, engagement } of recipients) {
    const counted = history?.deliveries.get(delivery.id)?.counted;
    engaged += Math.max(0, (engagement?.engaged ?? 0) - (counted?.engaged ?? 0));
    undated += Math.max(0, (engagement?.undated ?? 0) - (counted?.undated ?? 0));
  }
  return { engaged, undated };
}
