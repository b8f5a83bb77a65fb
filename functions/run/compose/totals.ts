import { broadcastAsks } from '../../domain/broadcasts/asks.ts';
import { countAsked, countBroadcasts } from '../../domain/broadcasts/asked.ts';
import type { PeriodFigures } from '../../domain/digest.ts';
import type { Collected } from '../collect/collected.ts';
import type { IncludedDelivery } from '../inclusion.ts';

/** The figures of a digest's period; `null`, all of them, where something is missing that would change them. */
export function composeTotals(
  included: readonly IncludedDelivery[],
  { broadcasts }: Pick<Collected, 'broadcasts'>,
  { complete, informingTypes }: { complete: boolean; informingTypes: readonly string[] },
): PeriodFigures {
  if (!complete) {
    return { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  }
  const dated = included.flatMap(({ found: { delivery, engagement } }) => {
    const contents = broadcasts.get(delivery.broadcast.id)?.broadcast?.contents;
    return engagement === undefined
      ? []
      : [{ asks: broadcastAsks(contents, informingTypes), inPeriod: engagement.inPeriod }];
  });
  const news = included.filter(({ kind }) => kind === 'new').map(({ found }) => found.delivery);
  return {
    deliveries: news.length,
    broadcasts: countBroadcasts(news),
    seen: dated.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: dated.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
    ...countAsked(dated),
  };
}
