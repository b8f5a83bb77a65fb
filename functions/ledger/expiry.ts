/** When an item that is written now expires, in epoch seconds (DynamoDB's TTL attribute), `months` calendar months on. */
export function expiresAfterMonths(months: number, now = new Date()): number {
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Math.floor(end.getTime() / 1000);
}

/** When an item that is written now expires, in epoch seconds, `days` days on. */
export function expiresAfterDays(days: number, now = new Date()): number {
  return Math.floor(now.getTime() / 1000) + days * 86_400;
}
