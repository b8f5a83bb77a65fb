import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  SendRawEmailCommand,
  SESClient,
  SESServiceException,
} from '@aws-sdk/client-ses';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { identitiesOf } from '../../domain/configuration/fields.ts';
import { CodedError } from '../../domain/failures.ts';
import type { Handover } from './send-once.ts';

/** Codes of network failures before anything was sent. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** The same for the client's own connection timeout, which has no code. */
const notConnected = /did not establish a connection/;

const connectMs = 5_000;
/**
 * The time for a request up to the last byte of the answer. The client's own `requestTimeout` only warns, and ignores an
 * answer that has begun and never ends.
 */
const requestMs = 30_000;
const triesOfQuestion = 3;

/**
 * A client for one invocation: SES has no idempotency key, so it never retries on its own, and an invocation's connections
 * are fresh, because one that slept through a freeze of the sandbox would lose its first message.
 */
export function createSesClient(): SESClient {
  return new SESClient({ maxAttempts: 1, requestHandler: { connectionTimeout: connectMs } });
}

/** Who mail comes from, and the identity that it is sent under: by its ARN where another account owns it. */
export type MailSender = Pick<Configuration['mail'], 'from' | 'identity'>;

/**
 * What SES takes from this account; `null` where SES cannot be reached or does not answer. Throws a
 * `CodedError` where it refuses to say, and where it has not verified the sender: it would refuse every message.
 */
export async function readSendQuota(client: SESClient, { from, identity }: MailSender) {
  const question = new GetIdentityVerificationAttributesCommand({ Identities: identitiesOf(from) });
  const answer = await ask('GetIdentityVerificationAttributes', () => client.send(question, inTime()));
  if (answer === null) return null;
  const statuses = Object.values(answer.VerificationAttributes ?? {}).map((entry) => entry.VerificationStatus);
  // Where SES cannot tell for now, it may take the mail all the same. Of another account's identity it says nothing here.
  if (!('arn' in identity) && !statuses.some((status) => status === 'Success' || status === 'TemporaryFailure'))
    throw new CodedError('sender-unverified', unverified);
  const quota = await ask('GetSendQuota', () => client.send(new GetSendQuotaCommand({}), inTime()));
  if (quota === null) return null;
  // An account without a limit has -1. https://docs.aws.amazon.com/ses/latest/APIReference/API_GetSendQuota.html
  const { MaxSendRate = 1, Max24HourSend = -1, SentLast24Hours = 0 } = quota;
  // They roll, so it soon takes some again.
  const isUsedUp = Max24HourSend >= 0 && SentLast24Hours >= Max24HourSend;
  return { rate: MaxSendRate > 0 ? MaxSendRate : 1, isUsedUp };
}

/** Asks SES something up to three times; `null` where it gives no answer. */
async function ask<Answer>(action: string, send: () => Promise<Answer>): Promise<Answer | null> {
  for (let attempt = 1; attempt <= triesOfQuestion; attempt += 1) {
    // SES answers such questions once a second, for all runs of an account together.
    if (attempt > 1) await sleep(500 + 1_000 * Math.random());
    try {
      return await send();
    } catch (error) {
      const failure = readFailure(error);
      if (failure.outcome !== 'refused') continue;
      const refused = `SES refused ${action} (${failure.refusal}): nothing more is sent.`;
      throw new CodedError('ses-refused', `${refused} Fix the cause, then run it again.`, error);
    }
  }
  return null;
}

const unverified =
  'SES has verified neither the address of "mail.from" nor its domain. "npm run ops -- sender" says what to do.';

function inTime(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(requestMs) };
}

interface OutgoingMail {
  raw: Uint8Array;
  sender: MailSender;
  to: string;
  configurationSet?: string;
  tags: Readonly<Record<string, string>>;
}

/**
 * Hands a message to SES once. SES's events carry the `tags`, which identify the message. The identity of another account is
 * named for each use of the address: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
export async function handToSes(client: SESClient, message: OutgoingMail): Promise<Handover> {
  const { from, identity } = message.sender;
  try {
    const { MessageId } = await client.send(
      new SendRawEmailCommand({
        Source: from,
        ...('arn' in identity && { SourceArn: identity.arn, FromArn: identity.arn, ReturnPathArn: identity.arn }),
        Destinations: [message.to],
        ConfigurationSetName: message.configurationSet,
        RawMessage: { Data: message.raw },
        Tags: Object.entries(message.tags).map(([Name, Value]) => ({ Name, Value })),
      }),
      inTime(),
    );
    return MessageId === undefined ? { outcome: 'unknown' } : { outcome: 'accepted', messageId: MessageId };
  } catch (error) {
    return readFailure(error);
  }
}

function readFailure(error: unknown): Handover {
  if (!(error instanceof Error)) return { outcome: 'unknown' };
  if ('code' in error && typeof error.code === 'string' && unreached.has(error.code)) return { outcome: 'unreached' };
  if (notConnected.test(error.message)) return { outcome: 'unreached' };
  const status = error instanceof SESServiceException ? error.$metadata.httpStatusCode : undefined;
  // A 5xx may follow an acceptance, no status at all is a lost answer, and a 2xx is an acceptance that could not be read.
  if (status === undefined || status < 400 || status >= 500) return { outcome: 'unknown' };
  // SES has one code for the rate and the daily quota; only the message distinguishes them.
  if (/throttl/i.test(error.name)) return { outcome: /daily/i.test(error.message) ? 'daily-quota' : 'throttled' };
  return { outcome: 'refused', refusal: error.name };
}

/** After this many lost answers in a row SES counts as out of order: every further one would leave another mail unknown. */
const maxLostInARow = 3;

/**
 * Stops sending where SES does not answer, over all messages that are on their way at once; closed at first. An acceptance or a refusal is an answer; a message that never reached SES
 * says nothing.
 */
export function createCircuitBreaker() {
  let answered = false;
  let lostInARow = 0;
  return {
    record: (outcome: Handover['outcome']): void => {
      if (outcome === 'unreached') return;
      answered ||= outcome !== 'unknown';
      lostInARow = outcome === 'unknown' ? lostInARow + 1 : 0;
    },
    /** Whether SES has answered at all. Until it has, only one message at a time is risked. */
    hasAnswered: () => answered,
    /** Whether to hand over nothing more, because too many answers were lost in a row. */
    isOpen: () => lostInARow >= maxLostInARow,
  };
}
