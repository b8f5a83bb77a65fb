import { defaultInformingTypes } from '../../../../functions/domain/broadcasts/asks.ts';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import type { StoredFigures } from '../../../../functions/ledger/runs/figures.ts';
import type { DeliveryHistory } from '../../../../functions/ledger/runs/delivery-history.ts';
import { periodBefore, runName, type Period } from '../../../../functions/domain/period.ts';
import type { Collected } from '../../../../functions/run/collect/collected.ts';
import { composeDigest, type Composition } from '../../../../functions/run/compose/compose.ts';
import { reportOf } from '../configured.ts';

export type Engagement = NonNullable<Found<'recipients'>['engagement']>;

/** The week of 9 November 2026 in London. */
export const week: Period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');

/** Epoch milliseconds of an instant. */
export const at = (instant: string): number => Date.parse(instant);

/** An engagement of nobody; `over` says what is different. */
export function engagement(over: Partial<Engagement> = {}): Engagement {
  return {
    listed: 0,
    seen: 0,
    responded: 0,
    undated: 0,
    inPeriod: { seen: 0, responded: 0 },
    inPrecedingPeriod: { seen: 0, responded: 0 },
    firstSign: null,
    medianResponseSeconds: null,
    ratings: {},
    ...over,
  };
}

/** A delivery `id` of the broadcast `b-<id>`, with its engagement or why there is none. */
export function recipients(id: string, found: Omit<Found<'recipients'>, 'delivery'>): Found<'recipients'> {
  return { delivery: { id, broadcast: { id: `b-${id}`, name: `Broadcast ${id}` }, status: 'delivered' }, ...found };
}

/** The broadcast of the delivery `id`. */
export function broadcast(
  id: string,
  createdAt: string | null,
  contents: Array<{ id: string; type: string }> = [],
): Found<'broadcasts'> {
  const created = createdAt === null ? null : at(createdAt);
  return {
    id: `b-${id}`,
    broadcast: { name: `Broadcast ${id}`, createdAt: created, createdBy: 'Priya Shah', contents },
  };
}

/** What a collection found, given in lists. */
export function collected(
  over: Partial<Omit<Collected, 'broadcasts' | 'contents' | 'shown'>> & {
    broadcasts?: ReadonlyArray<Found<'broadcasts'>>;
    contents?: ReadonlyArray<Found<'contents'>>;
    shown?: Readonly<Record<string, DeliveryHistory>>;
  } = {},
): Collected {
  const { broadcasts = [], contents = [], shown = {}, ...rest } = over;
  const ofDelivery = Map.groupBy(contents, ({ delivery }) => delivery);
  return {
    list: { otherStatuses: {} },
    recipients: [],
    contentRecipients: 'auto',
    ...rest,
    broadcasts: new Map(broadcasts.map((found) => [found.id, found])),
    contents: new Map(
      [...ofDelivery].map(([delivery, found]) => [delivery, new Map(found.map((each) => [each.content, each]))]),
    ),
    shown: new Map(Object.entries(shown)),
  };
}

/** The digest of a period, this week's unless another is given. */
export function compose(
  found: Collected,
  options: {
    period?: Period;
    report?: object;
    informingTypes?: readonly string[];
    earlierFigures?: readonly StoredFigures[];
  } = {},
): Composition {
  const { period = week, earlierFigures = [] } = options;
  return composeDigest({
    run: runName('weekly', period),
    report: reportOf(options.report),
    informingTypes: options.informingTypes ?? defaultInformingTypes,
    period,
    collectedAt: '2026-11-16T08:00:04+00:00',
    collected: found,
    earlierFigures,
  });
}
