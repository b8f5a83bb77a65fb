import { setTimeout as sleep } from 'node:timers/promises';
import { GetSendQuotaCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { RunError } from '../failure.ts';

/** The result of handing a message to SES. */
export type Handover =
  | { outcome: 'accepted'; messageId: string }
  /** SES surely did not take it, and may take it later. */
  | { outcome: 'throttled' | 'daily-quota' | 'unreached' }
  /** SES surely did not take it, with this error name. */
  | { outcome: 'refused'; refusal: string }
  /** The answer was lost: nobody knows. */
  | { outcome: 'unknown' };

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
const triesOfRate = 3;

/**
 * A client for one invocation: SES has no idempotency key, so it never retries on its own, and an invocation's connections
 * are fresh, because one that slept through a freeze of the sandbox would lose its first message.
 */
export function createSesClient(): SESClient {
  const client = new SESClient({ maxAttempts: 1, requestHandler: { connectionTimeout: connectMs } });
  // It copies each message for a log that nothing reads.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/**
 * Messages a second that SES takes from this account; `null` where SES cannot be reached or does not answer. Throws a
 * `RunError` where it refuses to say.
 */
export async function readSendRate(client: SESClient): Promise<number | null> {
  for (let attempt = 1; attempt <= triesOfRate; attempt += 1) {
    // SES answers this once a second, for all runs of an account together.
    if (attempt > 1) await sleep(500 + 1_000 * Math.random());
    try {
      const { MaxSendRate = 1 } = await client.send(new GetSendQuotaCommand({}), inTime());
      return MaxSendRate > 0 ? MaxSendRate : 1;
    } catch (error) {
      const failure = readFailure(error);
      if (failure.outcome === 'refused') throw refusedRate(failure.refusal, error);
    }
  }
  return null;
}

function refusedRate(refusal: string, cause: unknown): RunError {
  const message = `SES refused GetSendQuota (${refusal}): nothing more is sent. Fix the cause, then run it again.`;
  return new RunError('ses-refused', message, cause);
}

function inTime(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(requestMs) };
}

/** Hands a message to SES once. SES's events carry the `tags`, which identify the message. */
export async function handToSes(
  client: SESClient,
  message: {
    raw: Uint8Array;
    from: string;
    to: string;
    configurationSet: string;
    tags: Readonly<Record<string, string>>;
  },
): Promise<Handover> {
  try {
    const { MessageId } = await client.send(
      new SendRawEmailCommand({
        Source: message.from,
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
  const status = httpStatusOf(error);
  // A 5xx may follow an acceptance, no status at all is a lost answer, and a 2xx is an acceptance that could not be read.
  if (status === undefined || status < 400 || status >= 500) return { outcome: 'unknown' };
  // SES has one code for the rate and the daily quota; only the message distinguishes them.
  if (/throttl/i.test(error.name)) return { outcome: /daily/i.test(error.message) ? 'daily-quota' : 'throttled' };
  return { outcome: 'refused', refusal: error.name };
}

function httpStatusOf(error: Error): number | undefined {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

/** After this many lost answers in a row SES counts as out of order: every further one would leave another mail unknown. */
const maxLostInARow = 3;

/** Stops sending where SES does not answer, over all messages that are on their way at once. */
export interface CircuitBreaker {
  /** Records what became of a message that was handed over. */
  record(outcome: Handover['outcome']): void;
  /** Whether SES has answered at all. Until it has, only one message at a time is risked. */
  hasAnswered(): boolean;
  /** Whether to hand over nothing more, because too many answers were lost in a row. */
  isOpen(): boolean;
}

/** A closed circuit breaker. An acceptance or a refusal is an answer; a message that never reached SES says nothing. */
export function createCircuitBreaker(): CircuitBreaker {
  let answered = false;
  let lostInARow = 0;
  return {
    record: (outcome) => {
      if (outcome === 'unreached') return;
      answered ||= outcome !== 'unknown';
      lostInARow = outcome === 'unknown' ? lostInARow + 1 : 0;
    },
    hasAnswered: () => answered,
    isOpen: () => lostInARow >= maxLostInARow,
  };
}
