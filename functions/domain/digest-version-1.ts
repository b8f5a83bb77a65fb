import * as v from 'valibot';
import { countAsked, countBroadcasts } from './broadcasts/asked.ts';
import { defaultInformingTypes } from './broadcasts/asks.ts';
import { groupBroadcasts } from './broadcasts/group.ts';
import { digestSchema, type Digest, type TrendPeriod } from './digest.ts';

const count = v.nullable(v.number());

/** Figures of a period as version 1 has them. Its response rate also counts what asks nothing. */
const figures = { deliveries: count, seen: count, responded: count, responseRate: count };

const sameInBoth = v.omit(digestSchema, ['schemaVersion', 'totals', 'trend', 'broadcasts', 'unseenNotNamed']);
const sameOfTotals = v.omit(digestSchema.entries.totals, [
  'deliveries',
  'broadcasts',
  'seen',
  'responded',
  'asked',
  'responseRate',
  'previous',
]);

/** The digest of releases before broadcasts were in it. */
export const digestVersion1Schema = v.object({
  ...sameInBoth.entries,
  schemaVersion: v.literal(1),
  totals: v.object({ ...sameOfTotals.entries, ...figures, previous: v.nullable(v.object(figures)) }),
  trend: v.exactOptional(
    v.array(v.object({ start: v.string(), seen: count, responded: count, complete: v.boolean() })),
  ),
});
export type DigestVersion1 = v.InferOutput<typeof digestVersion1Schema>;

/** A stored digest of this release or of an earlier one, as this release has it. */
export const readableDigestSchema = v.union([
  digestSchema,
  v.pipe(
    digestVersion1Schema,
    v.transform((digest) => upgradeDigest(digest)),
  ),
]);

/** Views and responses of earlier periods still compare; their response rate is of something else. */
const notCounted = { broadcasts: null, asked: null, responseRate: null };

/**
 * A digest of version 1 as one of version 2. Its broadcasts are derived from its deliveries, by the default informing types:
 * it is from before there was a setting. What it does not say of earlier periods is `null`.
 */
export function upgradeDigest(digest: DigestVersion1): Digest {
  const { trend, ...rest } = digest;
  const { totals, deliveries } = rest;
  const broadcasts = groupBroadcasts(deliveries, {
    informingTypes: defaultInformingTypes,
    listedDeliveries: () => null,
    unseenSince: () => null,
  });
  const complete = totals.seen !== null;
  const newDeliveries = deliveries.filter(({ kind }) => kind === 'new');
  const added = complete ? { broadcasts: countBroadcasts(newDeliveries), ...countAsked(broadcasts) } : notCounted;
  return {
    ...rest,
    schemaVersion: 2,
    totals: { ...totals, ...added, previous: totals.previous && { ...totals.previous, ...notCounted } },
    ...(trend === undefined ? {} : { trend: upgradeTrend(trend, added) }),
    broadcasts,
    unseenNotNamed: null,
  };
}

/** The last period of a trend is the digest's own. */
function upgradeTrend(
  trend: ReadonlyArray<Pick<TrendPeriod, 'start' | 'seen' | 'responded' | 'complete'>>,
  own: Pick<TrendPeriod, 'broadcasts' | 'asked' | 'responseRate'>,
): TrendPeriod[] {
  return trend.map((period, index) => ({ ...period, ...(index === trend.length - 1 ? own : notCounted) }));
}
