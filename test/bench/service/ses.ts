// An SES in a process of its own that takes so many messages a second, and costs next to nothing: it keeps none.
import { randomUUID } from 'node:crypto';
import { serveOnLoopback } from '../../../infra/local/emulators/loopback.ts';
import { queryError, queryResult } from '../../../infra/local/emulators/aws-protocol.ts';
import { limitRate, SesRefusal } from '../../../infra/local/emulators/ses.ts';

process.once('message', ({ sendRate }: { sendRate: number }) => void serve(sendRate));
process.once('disconnect', () => process.exit(0));

async function serve(sendRate: number): Promise<void> {
  const admit = limitRate(sendRate);
  const taken = { accepted: 0, throttled: 0, bytes: 0 };
  const { url } = await serveOnLoopback(({ body }) => {
    const action = /(?:^|&)Action=(\w+)/.exec(body.subarray(0, 200).toString('latin1'))?.[1] ?? '';
    if (action === 'GetSendQuota') {
      return queryResult(action, { Max24HourSend: '50000', MaxSendRate: String(sendRate), SentLast24Hours: '0' });
    }
    if (action !== 'SendRawEmail') return queryError(400, 'InvalidAction', 'This SES takes messages and nothing else.');
    try {
      admit();
    } catch (error) {
      if (!(error instanceof SesRefusal)) throw error;
      taken.throttled += 1;
      return queryError(400, error.code, error.message);
    }
    taken.accepted += 1;
    taken.bytes += body.length;
    return queryResult(action, { MessageId: randomUUID() });
  });
  process.on('message', () => process.send?.(taken));
  process.send?.({ url });
}
