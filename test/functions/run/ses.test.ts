import { GetSendQuotaCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSesClient, handToSes, readSendQuota } from '../../../functions/run/ses.ts';
import {
  cutShort,
  reset,
  startServiceStub,
  status,
  text,
  type ServiceStub,
  type StubAnswer,
} from '../../support/service-stub.ts';

const message = {
  raw: Buffer.from('Subject: Hello\r\n\r\nHello'),
  from: 'digest@example.com',
  to: 'ada@example.com',
  configurationSet: 'digest-events',
  tags: { run: 'weekly_2026-11-09', message: 'm-1', claim: 'c-1' },
};

/** An error as the client of SES throws it. */
function refusal(name: string, text: string, httpStatusCode: number): Error {
  return Object.assign(new Error(text), { name, $metadata: { httpStatusCode } });
}

describe('what the client of SES says', () => {
  const client = new SESClient({ region: 'eu-west-1' });
  const ses = mockClient(client);
  beforeEach(() => {
    ses.reset();
  });

  test('a message is handed over once, to its one subscriber, with the tags that its events carry', async () => {
    ses.on(SendRawEmailCommand).resolves({ MessageId: 'ses-1' });
    expect(await handToSes(client, message)).toEqual({ outcome: 'accepted', messageId: 'ses-1' });
    expect(ses.commandCalls(SendRawEmailCommand).map(({ args }) => args[0].input)).toEqual([
      {
        Source: 'digest@example.com',
        Destinations: ['ada@example.com'],
        ConfigurationSetName: 'digest-events',
        RawMessage: { Data: message.raw },
        Tags: [
          { Name: 'run', Value: 'weekly_2026-11-09' },
          { Name: 'message', Value: 'm-1' },
          { Name: 'claim', Value: 'c-1' },
        ],
      },
    ]);
  });

  test.each([
    { error: refusal('Throttling', 'Maximum sending rate exceeded.', 400), handover: { outcome: 'throttled' } },
    { error: refusal('ThrottlingException', 'Rate exceeded', 400), handover: { outcome: 'throttled' } },
    { error: refusal('Throttling', 'Daily message quota exceeded.', 400), handover: { outcome: 'daily-quota' } },
    {
      error: refusal('MessageRejected', 'Email address is not verified.', 400),
      handover: { outcome: 'refused', refusal: 'MessageRejected' },
    },
    {
      error: refusal('AccountSendingPausedException', 'Paused.', 400),
      handover: { outcome: 'refused', refusal: 'AccountSendingPausedException' },
    },
    { error: refusal('ServiceUnavailable', 'Try later.', 503), handover: { outcome: 'unknown' } },
    { error: refusal('InternalFailure', 'Throttling inside.', 500), handover: { outcome: 'unknown' } },
    { error: new Error('socket hang up'), handover: { outcome: 'unknown' } },
    { error: Object.assign(new Error('reset'), { code: 'ECONNRESET' }), handover: { outcome: 'unknown' } },
    { error: Object.assign(new Error('late'), { name: 'TimeoutError' }), handover: { outcome: 'unknown' } },
    { error: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), handover: { outcome: 'unreached' } },
    { error: Object.assign(new Error('no host'), { code: 'ENOTFOUND' }), handover: { outcome: 'unreached' } },
    { error: Object.assign(new Error('no host'), { code: 'EAI_AGAIN' }), handover: { outcome: 'unreached' } },
  ])('$error is $handover', async ({ error, handover }) => {
    ses.on(SendRawEmailCommand).rejects(error);
    expect(await handToSes(client, message)).toEqual(handover);
  });

  test('an acceptance without a message id is unknown', async () => {
    ses.on(SendRawEmailCommand).resolves({});
    expect(await handToSes(client, message)).toEqual({ outcome: 'unknown' });
  });

  test.each([
    { answer: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 49_990.5 }, quota: { rate: 14, left: 9 } },
    { answer: { MaxSendRate: 0, Max24HourSend: 10, SentLast24Hours: 20 }, quota: { rate: 1, left: 0 } },
    { answer: { MaxSendRate: 14, Max24HourSend: -1 }, quota: { rate: 14, left: Number.MAX_SAFE_INTEGER } },
    { answer: {}, quota: { rate: 1, left: 0 } },
  ])('a quota of $answer is $quota', async ({ answer, quota }) => {
    ses.on(GetSendQuotaCommand).resolves(answer);
    expect(await readSendQuota(client)).toEqual(quota);
  });
});

const errorBody = (code: string, words: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${words}</Message></Error></ErrorResponse>`;

function refused(code: string, words: string): StubAnswer {
  return (response) => void response.writeHead(400).end(errorBody(code, words));
}

describe('on the wire', () => {
  let stub: ServiceStub;
  const accepted =
    '<SendRawEmailResponse><SendRawEmailResult><MessageId>ses-1</MessageId></SendRawEmailResult></SendRawEmailResponse>';

  beforeEach(async () => {
    stub = await startServiceStub();
    process.env['AWS_ENDPOINT_URL_SES'] = stub.url;
    process.env['AWS_REGION'] = 'eu-west-1';
    process.env['AWS_ACCESS_KEY_ID'] = 'AKIATEST';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'x';
  });
  afterEach(async () => {
    for (const name of ['AWS_ENDPOINT_URL_SES', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
      delete process.env[name];
    await stub.close();
  });

  test.each([
    { what: 'an acceptance', answer: text(accepted), handover: { outcome: 'accepted', messageId: 'ses-1' } },
    {
      what: 'the rate',
      answer: refused('Throttling', 'Maximum sending rate exceeded.'),
      handover: { outcome: 'throttled' },
    },
    {
      what: 'the quota',
      answer: refused('Throttling', 'Daily message quota exceeded.'),
      handover: { outcome: 'daily-quota' },
    },
    {
      what: 'a rejection',
      answer: refused('MessageRejected', 'No.'),
      handover: { outcome: 'refused', refusal: 'MessageRejected' },
    },
    { what: 'a 500', answer: status(500), handover: { outcome: 'unknown' } },
    { what: 'a 503', answer: status(503), handover: { outcome: 'unknown' } },
    { what: 'a reset', answer: reset, handover: { outcome: 'unknown' } },
    {
      what: 'an answer cut short',
      answer: cutShort(accepted.slice(0, 40), accepted.length),
      handover: { outcome: 'unknown' },
    },
    { what: 'an acceptance that cannot be read', answer: text('{"ok":true}'), handover: { outcome: 'unknown' } },
    { what: 'an acceptance that is half there', answer: text(accepted.slice(0, 60)), handover: { outcome: 'unknown' } },
    { what: 'an empty acceptance', answer: text(''), handover: { outcome: 'unknown' } },
  ])('$what is $handover, after one request', async ({ answer, handover }) => {
    stub.answer('/', answer);
    const client = createSesClient();
    try {
      expect(await handToSes(client, message)).toEqual(handover);
    } finally {
      client.destroy();
    }
    expect(stub.requests).toHaveLength(1);
  });
});
