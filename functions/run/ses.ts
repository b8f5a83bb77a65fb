import { GetSendQuotaCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';

/** What became of handing a message to SES. */
export type Handover =
  | { outcome: 'accepted'; messageId: string }
  /** SES surely did not take it, and may take it later. */
  | { outcome: 'throttled' | 'daily-quota' | 'unreached' }
  /** SES surely did not take it, and gave this name for it. */
  | { outcome: 'refused'; refusal: string }
  /** The answer was lost: nobody knows. */
  | { outcome: 'unknown' };

/** Names of network failures before anything was sent. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * A client for one invocation: SES has no idempotency key, so it never retries on its own, and an invocation's connections
 * are fresh, because one that slept through a freeze of the sandbox would lose its first message.
 */
export function createSesClient(): SESClient {
  return new SESClient({ maxAttempts: 1 });
}

/** Messages a second and messages left today that SES takes from this account. No limit is `Infinity`. */
export async function readSendQuota(client: SESClient): Promise<{ rate: number; left: number }> {
  const { MaxSendRate = 1, Max24HourSend = 0, SentLast24Hours = 0 } = await client.send(new GetSendQuotaCommand({}));
  const left = Max24HourSend < 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(Max24HourSend - SentLast24Hours));
  return { rate: MaxSendRate > 0 ? MaxSendRate : 1, left };
}

/** Hands a message to SES once. `tags` come back in SES's events and tell which message they are of. */
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
    );
    return MessageId === undefined ? { outcome: 'unknown' } : { outcome: 'accepted', messageId: MessageId };
  } catch (error) {
    return readFailure(error);
  }
}

function readFailure(error: unknown): Handover {
  if (!(error instanceof Error)) return { outcome: 'unknown' };
  if ('code' in error && typeof error.code === 'string' && unreached.has(error.code)) return { outcome: 'unreached' };
  const status = httpStatusOf(error);
  // A 5xx may follow an acceptance, no status at all is a lost answer, and a 2xx is an acceptance that could not be read.
  if (status === undefined || status < 400 || status >= 500) return { outcome: 'unknown' };
  // SES uses one code for the rate and the daily quota; only the message tells them apart.
  if (/throttl/i.test(error.name)) return { outcome: /daily/i.test(error.message) ? 'daily-quota' : 'throttled' };
  return { outcome: 'refused', refusal: error.name };
}

function httpStatusOf(error: Error): number | undefined {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
