import type { Account } from '../accounts/account.ts';
import { ageOf, atAge, editionOf, usualOf, type Edition, type Growths, type Usual } from './editions.ts';
import type { Sized } from './included.ts';
import { day, hour, isEngaged, isWithin, sum, type Bounds } from './rows.ts';

/** Hours for which a delivery is still counting, in every report of these tests. */
export const settleHours = 48;
export const settleMs = settleHours * hour;
const fewestUntouched = 10;

/** By what a delivery was judged, and whether it has reached too few, or nobody. */
export interface Judgement {
  judgedBy: 'silence' | 'half' | 'usual' | 'nothing' | null;
  needs: 'unseen' | 'too-few' | null;
  usual: (Usual & { hours: number }) | null;
}

const none: Judgement = { judgedBy: null, needs: null, usual: null };
const nothing: Judgement = { ...none, judgedBy: 'nothing' };

interface Court {
  account: Account;
  bounds: Bounds;
  growths: Growths;
  /** Whether the deliveries' own lists are audiences. */
  areAudiences: boolean;
  /** Deliveries that were judged by an earlier digest. */
  judged: ReadonlySet<string>;
  /** Broadcasts of which some delivery was engaged with. */
  engaged: ReadonlySet<string>;
}

/** Judges a delivery, or the edition that it is of. */
export function judge(delivery: Sized, court: Court): Judgement {
  if (!delivery.isWantedNow) return none;
  if (delivery.kind === 'silent') return judgeSilence(delivery, court);
  if (delivery.counted === null || delivery.counted.seen === null || delivery.isUndatable) return none;
  if (court.judged.has(delivery.id)) return none;
  const edition = editionOf(delivery.id, court.growths);
  const hours = edition && ageOf(edition, settleHours);
  if (edition !== null && hours !== null && edition.every((growth) => growth.engaged !== null)) {
    const usual = usualOf(edition, hours, court.growths);
    // An edition that can be held against a usual waits for all of it.
    const isSettled = edition.every(({ firstSign }) => court.bounds.end - firstSign >= settleMs);
    if (usual !== null) return isSettled ? judgeEdition(edition, { ...usual, hours }, court) : none;
  }
  return isInTime(delivery.firstSign, court.bounds) ? judgeAlone(delivery, court.account) : none;
}

/** Whether something with this first sign has settled, and is not too old. */
export function isInTime(firstSign: number | null, { end }: Bounds): boolean {
  return isWithin(firstSign, end - 14 * day, end - settleMs + 1);
}

function judgeSilence({ counted, audience, memory, broadcast }: Sized, court: Court): Judgement {
  const { account, areAudiences, engaged } = court;
  if (!(Date.parse(account.calendar.at) - memory.wantedSince >= settleMs) || audience === 0) return none;
  if (audience !== null && audience < account.minimumGroup) return nothing;
  const rows = counted?.rows ?? [];
  const isUntouched = rows.every((row) => !isEngaged(row) && (row.saysSeen || row.saysResponded));
  if (areAudiences ? !isUntouched : rows.length > 0) return nothing;
  const mayBeForFew = audience === null && broadcast.id !== '' && engaged.has(broadcast.id);
  return mayBeForFew ? nothing : { ...none, judgedBy: 'silence', needs: 'unseen' };
}

function judgeAlone({ audience, untouched, engaged }: Sized, { minimumGroup }: Account): Judgement {
  if (audience === null || untouched === null || audience < minimumGroup) return nothing;
  const areFew = untouched >= fewestUntouched && 2 * (engaged ?? 0) < audience;
  return { ...none, judgedBy: 'half', needs: areFew ? 'too-few' : null };
}

function judgeEdition(edition: Edition, usual: NonNullable<Judgement['usual']>, { bounds, account }: Court): Judgement {
  if (!edition.every(({ firstSign }) => isInTime(firstSign, bounds))) return none;
  const { audience, seen: then } = atAge(edition, usual.hours);
  if (audience === null || audience < account.minimumGroup) return nothing;
  const expected = usual.share * audience;
  const toDate = sum(edition.map(({ engaged }) => engaged)) ?? 0;
  const areFew = [then, toDate].every(
    // Shares are rounded: at a limit is within it.
    (count) => count <= 0.75 * expected + 1e-9 && expected - count >= fewestUntouched - 1e-9,
  );
  return { judgedBy: 'usual', needs: areFew && audience - toDate >= fewestUntouched ? 'too-few' : null, usual };
}
