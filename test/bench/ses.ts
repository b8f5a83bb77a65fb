import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { serveOnLoopback } from '../../infra/local/loopback.ts';
import { queryError, queryResult } from '../../infra/local/emulators/aws-protocol.ts';
import { limitRate, verificationResult } from '../../infra/local/emulators/ses.ts';
import { launch } from './measurement.ts';

const started = v.object({ url: v.string() });
const counted = v.object({ accepted: v.number(), throttled: v.number() });

/** Starts an SES that takes `sendRate` messages a second, in a process of its own. It sends no events. */
export async function launchSes(sendRate: number) {
  const { ask } = launch('ses');
  const { url } = await ask({ sendRate }, started);
  return { url, taken: () => ask('taken', counted) };
}

async function serve(sendRate: number): Promise<void> {
  const admits = limitRate(sendRate);
  const taken = { accepted: 0, throttled: 0 };
  const { url } = await serveOnLoopback(({ body }) => {
    const action = /(?:^|&)Action=(\w+)/.exec(body.subarray(0, 200).toString('latin1'))?.[1] ?? '';
    if (action === 'GetIdentityVerificationAttributes')
      return verificationResult(new URLSearchParams(body.toString()), () => true);
    if (action === 'GetSendQuota') {
      return queryResult(action, { Max24HourSend: '50000', MaxSendRate: String(sendRate), SentLast24Hours: '0' });
    }
    if (action !== 'SendRawEmail') return queryError(400, 'InvalidAction', 'This SES takes messages and nothing else.');
    if (!admits()) {
      taken.throttled += 1;
      return queryError(400, 'Throttling', 'Maximum sending rate exceeded.');
    }
    taken.accepted += 1;
    return queryResult(action, { MessageId: randomUUID() });
  });
  process.on('message', () => process.send?.(taken));
  process.send?.({ url });
}

// In a process of its own, which costs next to nothing: it keeps no message.
if (import.meta.main) {
  process.once('message', ({ sendRate }: { sendRate: number }) => void serve(sendRate));
  process.once('disconnect', () => process.exit(0));
}
