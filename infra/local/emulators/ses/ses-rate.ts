import { performance } from 'node:perf_hooks';
import { SesRefusal } from './ses-message.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

/** The answer of GetSendQuota: messages in 24 hours, messages a second, and those sent in the last 24 hours. */
interface SendQuota {
  max24HourSend: number;
  maxSendRate: number;
  sentLast24Hours: number;
}

/** SES's two limits. `admit` counts a message, or throws the refusal that SES gives. */
export interface SendLimits {
  admit(): void;
  quota(): SendQuota;
}

/**
 * Limits messages a second and messages a day, both over a sliding window, so that no second, wherever it
 * begins, has more than `sendRate`. Without a limit, `quota` gives SES's usual ones for an account in production.
 *
 * @throws {RangeError} where a limit is not a positive number; a rate below one a second is one in so many seconds.
 */
export function limitSending(limits: { sendRate?: number; dailyQuota?: number }): SendLimits {
  const { sendRate, dailyQuota } = limits;
  for (const [name, value] of Object.entries({ sendRate, dailyQuota })) {
    if (value !== undefined && !(value > 0)) throw new RangeError(`"${name}" must be a positive number.`);
  }
  let sent: number[] = [];
  const sentWithin = (ms: number): number => sent.length - countUntil(sent, performance.now() - ms);
  return {
    admit() {
      sent = sent.slice(countUntil(sent, performance.now() - day));
      if (dailyQuota !== undefined && sent.length >= dailyQuota) {
        throw new SesRefusal('Throttling', 'Daily message quota exceeded.');
      }
      if (
        sendRate !== undefined &&
        sentWithin(Math.max(1, 1 / sendRate) * second) >= Math.max(1, Math.floor(sendRate))
      ) {
        throw new SesRefusal('Throttling', 'Maximum sending rate exceeded.');
      }
      sent.push(performance.now());
    },
    quota: () => ({
      max24HourSend: dailyQuota ?? 50_000,
      maxSendRate: sendRate ?? 200,
      sentLast24Hours: sentWithin(day),
    }),
  };
}

/** How many of the ascending instants are not after `limit`. */
function countUntil(instants: readonly number[], limit: number): number {
  const first = instants.findIndex((instant) => instant > limit);
  return first === -1 ? instants.length : first;
}
