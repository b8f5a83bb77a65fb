import type { Account } from '../accounts/account.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import { asksOf } from './groups.ts';
import { rateOf, type Answered, type Counted, type Engaged } from './lists.ts';

export interface KnownTotals extends Engaged {
  deliveries: number;
  /** Broadcasts of the new deliveries. */
  broadcasts: number;
  /** Of what asks for a response; `null` where it is not known of something that was engaged with. */
  asked: Answered | null;
  responseRate: number | null;
}

/** The part of a delivery that counts for the figures of a period. */
interface Dated {
  id: string;
  kind: string | null;
  counted: Counted | null;
  broadcast: Pick<KnownBroadcast, 'id' | 'items'>;
}

/** The figures of the period over complete answers. */
export function totalsOf(deliveries: readonly Dated[], account: Account): KnownTotals {
  const news = deliveries.filter(({ kind }) => kind === 'new');
  const engaged = deliveries.map(({ counted, broadcast }) => ({
    ...(counted?.inPeriod ?? { seen: 0, responded: 0, answered: 0 }),
    asks: asksOf(broadcast.items, account),
  }));
  const isUnsure = engaged.some(({ asks, seen, responded }) => asks === null && (seen > 0 || responded > 0));
  const asked = isUnsure ? null : sumOf(engaged.filter(({ asks }) => asks === true));
  const names = new Set(
    news.map(({ id, broadcast }) => (broadcast.id === '' ? `delivery ${id}` : `id ${broadcast.id}`)),
  );
  const { seen, responded } = sumOf(engaged);
  return {
    deliveries: news.length,
    broadcasts: names.size,
    seen,
    responded,
    asked,
    responseRate: asked === null ? null : rateOf(asked),
  };
}

function sumOf(those: readonly Answered[]): Answered {
  return {
    seen: those.reduce((sum, each) => sum + each.seen, 0),
    responded: those.reduce((sum, each) => sum + each.responded, 0),
    answered: those.reduce((sum, each) => sum + each.answered, 0),
  };
}
