import { periodBefore, type Period } from '../../../../functions/domain/period.ts';
import type { Engagement, Found, ListedDelivery } from '../../../../functions/ledger/runs/collections.ts';
import {
  figuresOf as keptFiguresOf,
  type StoredDigest,
  type StoredFigures,
  type DeliveryHistory,
  type History,
} from '../../../../functions/ledger/runs/digests.ts';
import { composeDigest, type Composition } from '../../../../functions/run/compose/compose.ts';
import type { Collected } from '../../../../functions/run/collected.ts';
import { includeFor } from '../../../../functions/run/reading.ts';
import { dating } from '../../../support/dating.ts';
import { configured, reportOf } from '../configured.ts';

/** The week of 9 November 2026 in London. */
export const week: Period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');

/** Epoch milliseconds of an instant. */
export const at = (instant: string): number => Date.parse(instant);

/** An engagement of nobody; `over` says what is different. Each of whom it counts is on the list. */
export function engagement(over: Partial<Engagement> = {}): Engagement {
  const { seen = 0, responded = 0, untouched = 0 } = over;
  const { engaged = Math.max(seen, responded) } = over;
  return {
    listed: engaged + untouched,
    engaged,
    untouched,
    seen,
    responded,
    answered: 0,
    undated: 0,
    inPeriod: { seen: 0, responded: 0, answered: 0 },
    preceding: { seen: 0, responded: 0 },
    before: { seen: 0, responded: 0 },
    firstSign: null,
    ...over,
  };
}

/** The engagement of so many who saw it within the period, first at an instant of it. */
export function seenInPeriod(seen: number, firstSign = '2026-11-10T08:00:00Z'): Engagement {
  return engagement({ seen, inPeriod: { seen, responded: 0, answered: 0 }, firstSign: at(firstSign) });
}

/** A delivery `id` of the broadcast `b-<id>`. */
export function listedDelivery(id: string, status = 'delivered'): ListedDelivery {
  return { id, broadcast: { id: `b-${id}`, name: `Broadcast ${id}` }, status };
}

/** Such a delivery with its engagement, or why there is none. */
export function recipients(id: string, list: Omit<Found<'recipients'>, 'delivery'>): Found<'recipients'> {
  return { delivery: listedDelivery(id), ...list };
}

/** The broadcast of the delivery `id`. */
export function broadcast(
  id: string,
  createdAt: string | null,
  contents: Array<{ id: string; type: string }> = [],
): Found<'broadcasts'> {
  const names = { name: `Broadcast ${id}`, createdBy: 'Priya Shah' };
  return { id: `b-${id}`, broadcast: { ...names, createdAt: createdAt === null ? null : at(createdAt), contents } };
}

/** What the latest earlier digest left to know, by delivery: listed in the week before unless it says otherwise. */
export function history(deliveries: Readonly<Record<string, Partial<DeliveryHistory>>>): History {
  const listedIn = at('2026-11-02T00:00:00Z');
  const entries = Object.entries(deliveries).map(([id, known]) => [id, { listedIn, ...known }] as const);
  const list = { rows: entries.length, steady: 0, lostAll: false, leftSaid: 0 };
  return { list, readings: new Map(), asking: [], deliveries: new Map(entries), gone: new Set() };
}

/** What a collection found, given in lists. The deliveries with a wanted status are those whose recipients were asked for. */
export function collected(
  over: Partial<Omit<Collected, 'broadcasts' | 'contents' | 'list'>> & {
    broadcasts?: ReadonlyArray<Found<'broadcasts'>>;
    contents?: ReadonlyArray<Found<'contents'>>;
    unavailable?: Collected['list']['unavailable'];
  } = {},
): Collected {
  const { broadcasts = [], contents = [], recipients: lists = [], unavailable, others = [], ...rest } = over;
  const byDelivery = Map.groupBy(contents, ({ delivery }) => delivery);
  const wanted = lists.map(({ delivery }) => delivery);
  const deliveries = [...wanted, ...others];
  return {
    list: { rows: deliveries.length, deliveries, ...(unavailable === undefined ? {} : { unavailable }) },
    wanted,
    others,
    recipients: lists,
    undecided: new Map(),
    maybeExcepted: new Set(),
    leftOut: 0,
    unsaid: [],
    history: null,
    ...rest,
    broadcasts: new Map(broadcasts.map((answer) => [answer.id, answer])),
    contents: new Map(
      [...byDelivery].map(([delivery, lists]) => [delivery, new Map(lists.map((list) => [list.content, list]))]),
    ),
  };
}

/** How the digest of a period is composed, this week's unless another is given. */
export interface Composing {
  period?: Period;
  report?: object;
  /** Settings of the service. */
  service?: object;
  earlier?: readonly StoredFigures[];
}

/** When every collection began. */
export const collectedAt = at('2026-11-16T08:00:04Z');

/** What is composed, and what is kept of it also by its own names. */
export function compose(answers: Collected, options: Composing = {}): Composition & StoredDigest {
  const { period = week, earlier = [] } = options;
  const report = reportOf(options.report);
  const { service } = configured({ service: options.service ?? {} });
  const reading = includeFor(answers, period, { earlier: [...earlier], hasLater: false, report, collectedAt });
  const plan = { run: `weekly_${period.name}`, period };
  const composed = composeDigest(plan, { report, service, dating, reading, coverages: [] });
  return { ...composed.kept, ...composed };
}

/** The figures that a digest leaves for later ones. */
export function figuresOf(kept: StoredDigest): StoredFigures {
  return keptFiguresOf(kept, { run: kept.digest.run, digest: 'a' });
}
