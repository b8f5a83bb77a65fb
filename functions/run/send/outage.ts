/** What is waited for SES to come back, in minutes, one wait after the other. */
const waitsInARow = [1, 2, 4, 8, 16, 32];
/** In an SES that comes and goes: the history of an execution has no room for any number of waits. */
const mostWaits = 24;

/**
 * Gives how long to wait, in minutes, each time that SES was found out of order; `null` where it is no use any more. What
 * was sent in between makes the next wait a short one again. Where nothing is waited for (`settleMinutes` is 0, as on
 * embedded parts), neither is this.
 */
export function createOutageWaits(settleMinutes: number): (since: { sent: number }) => number | null {
  let inARow = 0;
  let inAll = 0;
  return ({ sent }) => {
    if (sent > 0) inARow = 0;
    const minutes = waitsInARow[inARow];
    if (settleMinutes === 0 || minutes === undefined || inAll === mostWaits) return null;
    inARow += 1;
    inAll += 1;
    return minutes;
  };
}
