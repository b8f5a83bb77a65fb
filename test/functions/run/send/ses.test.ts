import { GetSendQuotaCommand, SendRawEmailCommand, SESClient, SESServiceException } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSesClient, handToSes, readSendQuota } from '../../../../functions/run/send/ses.ts';
import * as http from '../../../support/http-stub.ts';

const message = {
  raw: Buffer.from('Subject: Hello\r\n\r\nHello'),
  sender: { from: 'digest@example.com', identity: { of: 'address' as const } },
  to: 'ada@example.com',
  configurationSet: 'digest-events',
  tags: { run: 'weekly_2026-W46', message: 'm-1', claim: 'c-1' },
};

/** An error as the client of SES throws it. */
function refusal(name: string, message: string, httpStatusCode: number): Error {
  return new SESServiceException({ name, message, $fault: 'client', $metadata: { httpStatusCode } });
}

const arn = 'arn:aws:ses:eu-west-1:111122223333:identity/example.com';

vi.mock('node:timers/promises', async () => (await import('../../../support/short-pauses.ts')).timers);

describe('what the client of SES says', () => {
  const client = new SESClient({ region: 'eu-west-1' });
  const ses = mockClient(client);
  const from = 'digest@mail.example.com';
  const quota = () => readSendQuota(client, { from, identity: { of: 'address' } });
  const haveVerified = (identity: string, VerificationStatus = 'Success') =>
    ses.onAnyCommand().callsFake(({ Identities }: { Identities?: string[] }) => ({
      VerificationAttributes: Identities?.includes(identity) === true ? { [identity]: { VerificationStatus } } : {},
    }));
  beforeEach(() => {
    ses.reset();
    haveVerified('digest@mail.example.com');
  });

  // What SES answers on the wire is below.
  test.each([
    { error: refusal('ThrottlingException', 'Rate exceeded', 400), outcome: 'throttled' },
    { error: refusal('InternalFailure', 'Throttling inside.', 500), outcome: 'unknown' },
    // What stops a run: "Stop a run that is mailing the wrong thing" in the runbook.
    { error: refusal('ConfigurationSetSendingPausedException', 'Disabled.', 400), outcome: 'refused' },
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code) => ({
      error: Object.assign(new Error(code), { code }),
      outcome: 'unreached',
    })),
    // As the client's request handler says that its time to connect is over.
    { error: new Error('the request socket did not establish a connection with the server'), outcome: 'unreached' },
  ])('$error is $outcome', async ({ error, outcome }) => {
    ses.on(SendRawEmailCommand).rejects(error);
    expect(await handToSes(client, message)).toMatchObject({ outcome });
  });

  test.each([
    { answer: { MaxSendRate: 14, Max24HourSend: 200, SentLast24Hours: 199 }, rate: 14, isUsedUp: false },
    { answer: { MaxSendRate: 14, Max24HourSend: 200, SentLast24Hours: 200 }, rate: 14, isUsedUp: true },
    // Of an account without a limit.
    { answer: { MaxSendRate: 0, Max24HourSend: -1, SentLast24Hours: 5 }, rate: 1, isUsedUp: false },
    { answer: {}, rate: 1, isUsedUp: false },
  ])('a quota of $answer is a rate of $rate a second, used up: $isUsedUp', async ({ answer, ...expected }) => {
    ses.on(GetSendQuotaCommand).resolves(answer);
    expect(await quota()).toEqual(expected);
  });

  test('a sender is verified as an address, or by its domain or one above, once SES says so or cannot tell', async () => {
    for (const identity of ['digest@mail.example.com', 'mail.example.com', 'example.com']) {
      haveVerified(identity, 'TemporaryFailure');
      expect(await quota()).toMatchObject({ rate: 1 });
      haveVerified(identity, 'Pending');
      await expect(quota()).rejects.toMatchObject({ name: 'sender-unverified' });
    }
    haveVerified('com');
    await expect(quota()).rejects.toMatchObject({ name: 'sender-unverified' });
    expect(await readSendQuota(client, { from, identity: { arn } })).toMatchObject({ rate: 1 });
  });

  test('a rate that it does not say is asked for three times, and then not known', async () => {
    const error = refusal('Throttling', 'Rate exceeded', 400);
    ses.on(GetSendQuotaCommand).rejects(error);
    expect(await quota()).toBeNull();
    expect(ses.commandCalls(GetSendQuotaCommand)).toHaveLength(3);
    ses.on(GetSendQuotaCommand).rejectsOnce(error).resolves({ MaxSendRate: 14 });
    expect(await quota()).toMatchObject({ rate: 14 });
  });
});

const errorBody = (code: string, words: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${words}</Message></Error></ErrorResponse>`;

function refused(code: string, words: string): http.StubAnswer {
  return (response) => void response.writeHead(400).end(errorBody(code, words));
}

describe('on the wire', () => {
  let stub: http.HttpStub;
  let client: SESClient;
  const accepted =
    '<SendRawEmailResponse><SendRawEmailResult><MessageId>ses-1</MessageId></SendRawEmailResult></SendRawEmailResponse>';

  beforeEach(async () => {
    stub = await http.startHttpStub();
    vi.stubEnv('AWS_ENDPOINT_URL_SES', stub.url);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    client = createSesClient();
  });
  afterEach(async () => {
    client.destroy();
    vi.unstubAllEnvs();
    await stub.close();
  });

  const unknown = { outcome: 'unknown' };
  test.each<[what: string, answer: http.StubAnswer, handover: object]>([
    ['an acceptance', http.text(accepted), { outcome: 'accepted', messageId: 'ses-1' }],
    ['the rate', refused('Throttling', 'Maximum sending rate exceeded.'), { outcome: 'throttled' }],
    ['the quota', refused('Throttling', 'Daily message quota exceeded.'), { outcome: 'daily-quota' }],
    ['a rejection', refused('MessageRejected', 'No.'), { outcome: 'refused', refusal: 'MessageRejected' }],
    ['a reset', http.reset, unknown],
    ['an answer cut short', http.cutShort(accepted.slice(0, 40), accepted.length), unknown],
    ['an acceptance that cannot be read', http.text('{"ok":true}'), unknown],
  ])('%s is recognized, after one request', async (_what, answer, handover) => {
    stub.answer('/', answer);
    expect(await handToSes(client, message)).toEqual(handover);
    expect(stub.requests).toHaveLength(1);
  });

  test('an identity of another account is named for the sender, the address in the mail and the return path', async () => {
    stub.answer('/', http.text(accepted));
    for (const identity of [{ of: 'domain' as const }, { arn }])
      await handToSes(client, { ...message, sender: { ...message.sender, identity } });
    const named = stub.requests.map(({ body }) => body.match(/\w+(?==arn%3Aaws%3Ases)/g)?.toSorted());
    expect(named).toEqual([undefined, ['FromArn', 'ReturnPathArn', 'SourceArn']]);
  });

  test('the beginning of an answer is unknown after thirty seconds, and the request is given up', async () => {
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    const asked = Promise.withResolvers<void>();
    const givenUp = Promise.withResolvers<void>();
    stub.answer('/', (response, request) => {
      response.once('close', () => givenUp.resolve());
      void http.stall(accepted.slice(0, 40))(response, request);
      asked.resolve();
    });
    const handover = handToSes(client, message);
    await asked.promise;
    deadline.abort();
    expect(await handover).toEqual({ outcome: 'unknown' });
    await givenUp.promise;
    expect(timeout.mock.calls).toEqual([[30_000]]);
    timeout.mockRestore();
  });
});
