import { hash, randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { accountOf, stepMinutesOf, timeZoneOf } from '../../domain/configuration/account.ts';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { comparableSet } from '../../domain/folding.ts';
import { hourMs } from '../../domain/period.ts';
import { changeCurrent, readCurrent, type CurrentObservation, type ObservationKey } from '../../ledger/observations.ts';
import type { Dependencies } from '../dependencies.ts';
import { CodedError } from '../../domain/failures.ts';

/** Which observation will do: one that began at or after both instants, in epoch milliseconds. */
export interface Need {
  /** Up to when everything is counted, by the account's clock. */
  endMs: number;
  /** By our clock; without it any. */
  sinceMs?: number;
}

/** An observation whose facts and closing document are in the ledger. */
export type Observation = ObservationKey & { atMs: number };

/** What an execution does next: it has an observation, waits for another's, or makes one, from the newest before it. */
export type Turn =
  | ({ is: 'closed' } & Observation)
  | { is: 'others'; observation: string }
  | ({ is: 'own'; before: string | null } & Observation);

/** So long after it began, an observation is worth joining that could not read everything, or has not ended. */
const freshMs = hourMs;
/** Longer than a worker lives. */
const leaseMs = 20 * 60_000;

export type ShareOptions = Pick<Dependencies, 'configuration' | 'table' | 'isLocal' | 'accountClock'>;
type TurnOptions = ShareOptions & { owner: string; joined: string | null };

/** What decides how an observation reads. */
export function settingsOf(configuration: Configuration, now: Temporal.Instant) {
  const { service, reports } = configuration;
  const statuses = comparableSet(reports.flatMap((report) => report.statuses));
  return { service, statuses, timeZone: timeZoneOf(configuration), stepMinutes: stepMinutesOf(configuration, now) };
}

/** The same as one word. The address is not in it: the account is who it is by its name. */
function hashOfSettings(configuration: Configuration, now: Temporal.Instant): string {
  const { service, ...others } = settingsOf(configuration, now);
  return hash('sha256', JSON.stringify([{ ...service, baseUrl: '' }, others]));
}

/**
 * Joins the account's observation or begins one, in one step. `joined` is the one that was waited for: where it failed, so does who
 * waited. One whose lease has ended is taken over, and reads what was not read since it began.
 */
export async function takeTurn(need: Need, { owner, joined, ...options }: TurnOptions): Promise<Turn> {
  const { configuration, table, isLocal } = options;
  for (;;) {
    const now = Temporal.Now.instant();
    const { account, atMs, current } = await readPresent(options, now.epochMilliseconds);
    const settings = hashOfSettings(configuration, now);
    const willDo = (one: Pick<CurrentObservation, 'atMs' | 'begunMs' | 'settings'>, isLasting: boolean): boolean =>
      one.settings === settings &&
      one.atMs >= need.endMs &&
      one.begunMs >= (need.sinceMs ?? -Infinity) &&
      (isLasting || now.epochMilliseconds - one.begunMs < freshMs);
    const { closed } = current ?? {};
    if (current !== null && current.id === joined && current.failure !== undefined) {
      throw new CodedError(current.failure.code, current.failure.message);
    }
    if (closed !== undefined && willDo(closed, closed.isComplete)) {
      return { is: 'closed', account, observation: closed.id, atMs: closed.atMs };
    }
    const isOpen = current?.state === 'open';
    const isTakenOver = isOpen && willDo(current, false);
    if (isOpen && current.owner !== owner && isHeld(current.leaseMs, now.epochMilliseconds, isLocal)) {
      return { is: 'others', observation: current.id };
    }
    const begun = { id: randomUUID(), atMs, begunMs: now.epochMilliseconds, settings };
    const own = isTakenOver ? { id: current.id, atMs: current.atMs } : begun;
    const lease = leaseUntil(now.epochMilliseconds);
    if (await changeCurrent(table, account, current, { ...own, owner, leaseMs: lease, state: 'open' })) {
      return { is: 'own', account, observation: own.id, atMs: own.atMs, before: closed?.id ?? null };
    }
  }
}

/** Until when nobody takes an observation over that somebody is at now, in epoch milliseconds. */
export function leaseUntil(nowMs: number): number {
  return nowMs + leaseMs;
}

/** Whether a lease holds. On a laptop there is one process: what an earlier one held was left behind. */
function isHeld(untilMs: number, nowMs: number, isLocal: boolean): boolean {
  const isLeftBehind = isLocal && untilMs < leaseUntil(nowMs - process.uptime() * 1000);
  return untilMs > nowMs && !isLeftBehind;
}

/**
 * The account, its present, and its current observation. A service that says its own present may say an earlier one than it did:
 * that is a state of its own, never written over a later reading.
 */
async function readPresent({ configuration, table, accountClock }: ShareOptions, nowMs: number) {
  const account = accountOf(configuration.service);
  const current = await readCurrent(table, account);
  const newestMs = Math.max(current?.atMs ?? 0, current?.closed?.atMs ?? 0);
  // Two machines' clocks differ.
  if (accountClock === undefined) return { account, atMs: Math.max(nowMs, newestMs + 1), current };
  const instant = Temporal.Instant.from(accountClock);
  const atMs = instant.epochMilliseconds;
  if (atMs >= newestMs) return { account, atMs, current };
  const earlier = `${account}/${instant.toString()}`;
  return { account: earlier, atMs, current: await readCurrent(table, earlier) };
}
