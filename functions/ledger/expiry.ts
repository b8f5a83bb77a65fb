/**
 * When an item that is written at `now` expires, in epoch seconds (DynamoDB's TTL attribute), `months` calendar months on: an
 * item's life begins when it is written, whatever its content is dated.
 */
export function expiresAfterMonths(months: number, now: Date): number {
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Math.floor(end.getTime() / 1000);
}

/** When an item that is written at `now` expires, in epoch seconds, `days` days on. `now` as above. */
export function expiresAfterDays(days: number, now: Date): number {
  return Math.floor(now.getTime() / 1000) + days * 86_400;
}
