/**
 * How long what is in the ledger is kept beside records of what happened. A decision, such as an opt-out, is kept until it ends.
 * `infra/docs/operating.md` says the same.
 */
export const kept = {
  /** What was read of an account. */
  factsMonths: 20,
  /** An access token is valid for minutes, a refresh token perhaps for weeks: one that is older is useless. */
  tokensDays: 60,
  /** What a trigger, a test or an observation worked with: long enough to examine one that failed. */
  workDays: 30,
  /** A link whose time is over: so long it is not taken for one that never was. */
  endedLinkDays: 365,
};

/**
 * When an item that is written at `now` expires, in epoch seconds (DynamoDB's TTL attribute), `months` calendar months on: an
 * item's life begins when it is written, whatever its content is dated.
 */
export function expiresAfterMonths(months: number, now: Date): number {
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Math.floor(end.getTime() / 1000);
}

/**
 * When a record of what happened expires, in epoch seconds: a run, its messages, digests and actions, the persons that they are
 * for, what SES told of them. `ledger.keepMonths` says how long each is kept.
 */
export const recordExpires = ({ keepMonths }: { keepMonths: number }, now: Date): number =>
  expiresAfterMonths(keepMonths, now);

/** When an item that is written at `now` expires, in epoch seconds, `days` days on. */
export function expiresAfterDays(days: number, now: Date): number {
  return Math.floor(now.getTime() / 1000) + days * 86_400;
}
