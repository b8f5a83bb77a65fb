/** The waits for SES to come back, one after the other, in minutes. */
const waitsInARow = [1, 2, 4, 8, 16, 32];
/** Where SES comes and goes, because an execution's history is limited. */
const maxWaits = 24;

/**
 * Returns how many minutes to wait each time that SES is out of order; `null` where it is time to give up. After messages
 * were sent in between, the next wait is a short one again. With `settleMinutes` 0, as on embedded parts, nothing is
 * waited for.
 */
export function createOutageWaits(settleMinutes: number): (since: { sent: number }) => number | null {
  let inARow = 0;
  let inAll = 0;
  return ({ sent }) => {
    if (sent > 0) inARow = 0;
    const minutes = waitsInARow[inARow];
    if (settleMinutes === 0 || minutes === undefined || inAll === maxWaits) return null;
    inARow += 1;
    inAll += 1;
    return minutes;
  };
}
