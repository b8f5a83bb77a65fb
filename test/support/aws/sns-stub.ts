import { serveOnLoopback } from '../../../infra/local/loopback.ts';
import { queryError, queryResult } from '../../../infra/local/emulators/aws-protocol.ts';

/** Starts SNS on loopback (Query protocol), which mails nobody. It knows Publish alone. */
export async function startSnsStub() {
  const loopback = await serveOnLoopback(({ body }) => {
    const form = new URLSearchParams(body.toString());
    if (stub.isRefusing || form.get('Action') !== 'Publish') return queryError(400, 'AuthorizationError', 'No.');
    const { TopicArn: topic, Subject: subject, Message } = Object.fromEntries(form);
    stub.published.push({ topic, subject, body: Message });
    return queryResult('Publish', { MessageId: `sns-${stub.published.length}` });
  });
  const stub = {
    ...loopback,
    published: new Array<Record<'topic' | 'subject' | 'body', string | undefined>>(),
    /** Whether it refuses notices. */
    isRefusing: false,
  };
  return stub;
}
