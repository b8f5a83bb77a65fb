import { serveOnLoopback, type Loopback } from '../../../infra/local/emulators/loopback.ts';
import { queryError, queryResult } from '../../../infra/local/emulators/aws-protocol.ts';

/** A notice as SNS took it. */
interface PublishedNotice {
  topic: string;
  subject: string;
  body: string;
}

/** An SNS that mails nobody. */
export interface SnsStub extends Loopback {
  published: PublishedNotice[];
  /** Whether it refuses notices. */
  isRefusing: boolean;
}

const parameters = new Set(['Action', 'Version', 'TopicArn', 'Subject', 'Message']);

/**
 * Starts SNS on loopback (Query protocol). It knows Publish to a topic, with a subject, and refuses the rest.
 * https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */
export async function startSnsStub(): Promise<SnsStub> {
  const loopback = await serveOnLoopback(({ body }) => {
    const form = new URLSearchParams(body.toString());
    const call = Object.fromEntries(form);
    const { Action: action = '', TopicArn: topic = '', Subject: subject = '', Message: message = '' } = call;
    if (action !== 'Publish') return queryError(400, 'InvalidAction', `The stub has no ${action}.`);
    const stranger = [...form.keys()].find((name) => !parameters.has(name));
    if (stranger !== undefined) return queryError(400, 'InvalidParameter', `The stub does not emulate ${stranger}.`);
    const fault = faultOf(subject, message);
    if (fault !== undefined) return queryError(400, 'InvalidParameter', `Invalid parameter: ${fault}`);
    if (stub.isRefusing) return queryError(400, 'AuthorizationError', 'No.');
    stub.published.push({ topic, subject, body: message });
    return queryResult(action, { MessageId: `sns-${stub.published.length}` });
  });
  const stub: SnsStub = { ...loopback, published: [], isRefusing: false };
  return stub;
}

function faultOf(subject: string, message: string): string | undefined {
  if (!/^[!-~][ -~]{0,98}$/.test(subject)) return 'Subject';
  if (message === '') return 'Empty message';
  return Buffer.byteLength(message) > 262_144 ? 'Message too long' : undefined;
}
