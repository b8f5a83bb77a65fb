import { vi } from 'vitest';
import { serveOnLoopback } from '../../../infra/local/loopback.ts';
import { queryError, queryResult } from '../../../infra/local/emulators/aws-protocol.ts';
import { verificationResult } from '../../../infra/local/emulators/ses.ts';

type SesAction = 'GetSendQuota' | 'SendRawEmail';

/** How SES answers a request: as it should, with a fault of its own, or with a refusal by that name. */
type SesHealth = 'well' | 500 | 'AccessDenied' | 'MessageRejected';

/** At the rate of the scripted SES so many messages are on their way at once. */
export const widthAtItsRate = 4;

/**
 * Starts an SES on loopback whose behaviour is scripted, request by request, and which clients find by the environment. `close` takes
 * it out of the environment again. It takes 14 messages a second, and so many in a day, and stores none.
 */
export async function startScriptedSes() {
  const loopback = await serveOnLoopback(({ body }) => {
    const form = new URLSearchParams(body.toString());
    if (form.has('Identities.member.1')) return verificationResult(form, () => ses.hasVerified);
    const action = form.get('Action') === 'SendRawEmail' ? 'SendRawEmail' : 'GetSendQuota';
    ses.asked.push(action);
    const health = ses.health(action);
    if (health === 500) return { status: 500, headers: {}, body: '' };
    if (health !== 'well') return queryError(health === 'AccessDenied' ? 403 : 400, health, 'No.');
    if (action === 'GetSendQuota') {
      const quota = { Max24HourSend: String(ses.most), SentLast24Hours: String(ses.taken) };
      return queryResult(action, { MaxSendRate: '14', ...quota });
    }
    if (ses.taken >= ses.most) return queryError(400, 'Throttling', 'Daily message quota exceeded.');
    ses.taken += 1;
    return queryResult(action, { MessageId: `ses-${ses.asked.length}` });
  });
  const ses = {
    url: loopback.url,
    /** The actions of its requests. */
    asked: new Array<SesAction>(),
    health: (_action: SesAction): SesHealth => 'well',
    /** Whether it has verified the senders. That question is not among what it was asked. */
    hasVerified: true,
    /** How many messages it takes in 24 hours, and has taken in the last 24. */
    most: 50_000,
    taken: 0,
    /** Forgets what it was asked for, and is well. */
    recover: () => {
      Object.assign(ses, { asked: [], hasVerified: true, most: 50_000, taken: 0 });
      ses.health = () => 'well';
    },
    close: async () => {
      vi.unstubAllEnvs();
      await loopback.close();
    },
  };
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
  vi.stubEnv('AWS_ENDPOINT_URL_SES', ses.url);
  return ses;
}
