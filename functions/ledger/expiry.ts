/**
 * When an item that is written at `now` expires, in epoch seconds (DynamoDB's TTL attribute), `months` calendar months on. By
 * default `now` is the machine's time: an item's life begins when it is written, whatever its content is dated.
 */
export function expiresAfterMonths(months: number, now = new Date()): number {
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Math.floor(end.getTime() / 1000);
}

/** When an item that is written at `now` expires, in epoch seconds, `days` days on. `now` as above. */
export function expiresAfterDays(days: number, now = new Date()): number {
  return Math.floor(now.getTime() / 1000) + days * 86_400;
}
