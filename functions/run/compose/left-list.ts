import type { Digest } from '../../domain/digest.ts';
import type { DeliveryHistory, History } from '../../ledger/runs/digests.ts';
import type { Reading } from '../reading.ts';
import { unavailableList } from './missing.ts';

/** What left the service's list since the last run, and what later runs have to know of the list. */
export interface LeftList {
  left: Digest['left'];
  onlyNewest: boolean;
  /** Too much of the last period's views left with it for any comparison. */
  isTooMuch: boolean;
  list: History['list'];
}

/** In so many digests it is said that deliveries left the list; the page says it in every one. */
const mostSaid = 3;
/** From so many runs and views on, the list lost too much with more than a fifth of the views, and twice what it lost before. */
const tooMuch = { runs: 3, views: 20, part: 5, timesBefore: 2 };
/** A list of so many rows that is so often as long as before, and more than a third new, may hold only the newest. */
const newest = { rows: 10, times: 2, part: 3 };

/** Nobody knows how far the list reaches back: what is not listed any more is counted no further, which may change every figure. */
export function composeLeftList({ collected, earlier }: Reading): LeftList {
  const { history, wanted, others } = collected;
  const { rows, deliveries } = collected.list;
  const listed = new Set(deliveries.map(({ id }) => id));
  const lastStart = Date.parse(earlier.at(-1)?.start ?? '');
  const before = [...(history?.deliveries ?? [])].filter(([, { listedIn }]) => listedIn === lastStart);
  const isWhole = unavailableList(collected) === null;
  const gone = before.filter(([id]) => isWhole && !listed.has(id)).map(([, delivery]) => delivery);
  const viewsOf = ({ counted }: DeliveryHistory): number => (counted?.in === lastStart ? counted.inPeriod.seen : 0);
  const sumOfViews = (all: readonly DeliveryHistory[]): number => all.reduce((sum, each) => sum + viewsOf(each), 0);
  const [leftViews, allViews] = [sumOfViews(gone), sumOfViews(before.map(([, delivery]) => delivery))];
  const wasEngaged = gone.filter(({ counted }) => counted?.in === lastStart && sumOfEngaged(counted.inPeriod) > 0);
  const unjudged = gone.filter(({ awaitsJudgement }) => awaitsJudgement);
  const {
    leftSaid = 0,
    steady: steadyBefore = 0,
    rows: rowsBefore = 0,
    leftViews: leftBefore = 0,
  } = history?.list ?? {};
  // Of a report that is not about all deliveries nobody knows which others were listed before.
  const isOfAll = wanted.length + others.length === listed.size;
  const fresh = listed.size - (before.length - gone.length);
  const isSteady = isOfAll && rows >= newest.rows && rows === rowsBefore && fresh * newest.part > rows;
  const steady = isSteady ? steadyBefore + 1 : 0;
  return {
    left: { deliveries: wasEngaged.length, unjudged: unjudged.length, isOld: leftSaid >= mostSaid },
    onlyNewest: steady >= newest.times,
    isTooMuch:
      earlier.length + 1 >= tooMuch.runs &&
      allViews >= tooMuch.views &&
      leftViews * tooMuch.part > allViews &&
      leftViews >= tooMuch.timesBefore * leftBefore,
    list: {
      rows,
      steady,
      lostAll: before.length > 0 && gone.length === before.length,
      leftViews,
      leftSaid: leftSaid + Number(wasEngaged.length > 0),
    },
  };
}

function sumOfEngaged({ seen, responded }: { seen: number; responded: number }): number {
  return seen + responded;
}
