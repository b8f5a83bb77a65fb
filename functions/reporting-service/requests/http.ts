import { setTimeout as sleep } from 'node:timers/promises';
import { createJsonReader, mostParsedBytes, TooLargeError, type BodyReader } from './body-reader.ts';
import type { Tally } from '../coverage.ts';
import { exchange, type RawHeaders } from './exchange.ts';
import { failureOfStatus, networkFailureOf, wordOf, type AttemptFailure } from './failure.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { attemptsAllowed, delayBeforeNext } from './retries.ts';
import { UnavailableError } from '../unavailable.ts';

/** One request to the service. `label` names it in errors: method and path without query. */
export interface ServiceRequest {
  endpoint: 'auth' | 'refresh' | 'users' | 'deliveries' | 'recipients' | 'broadcast' | 'content-recipients';
  method: 'GET' | 'POST';
  url: URL;
  /**
   * Gives the access token of each attempt, just before that is sent. A request without it is one for tokens: it does not
   * queue behind the requests that wait for these.
   */
  token?: () => Promise<string>;
  body?: Readonly<Record<string, string>>;
  /** How often the request is sent at most, however it fails. Default: five times, or eight where it is throttled. */
  attempts?: number;
}

/** A 2xx answer, and what was read of its body. */
export interface ServiceResponse<Body = unknown> {
  status: number;
  body: Body;
  headers: RawHeaders;
  /** When its attempt was sent, in milliseconds of `performance.now()`. */
  askedAt: number;
  /** When it was received, in epoch milliseconds: what the `Date` header is to be compared with. */
  receivedAt: number;
}

/** Sends requests, retries those whose failure may pass, and counts both. */
export interface Http {
  /** Throws `UnavailableError` where there is no usable answer. */
  ask(request: ServiceRequest): Promise<ServiceResponse>;
  /** Like `ask`, with a new reader for the body of each attempt. */
  read<Body>(request: ServiceRequest, createReader: () => BodyReader<Body>): Promise<ServiceResponse<Body>>;
}

/** The longest wait for one answer, whatever pause the service asks for. */
const longestWaitMs = 180_000;
/** A list larger than this is not read to its end. Its rows are parsed as they arrive; any other body is parsed whole. */
const largestList = 64 * 1024 * 1024;
const lists: ReadonlySet<string> = new Set(['users', 'deliveries', 'recipients', 'content-recipients']);

/** The outcome of one attempt. */
type Outcome<Body> = { answer: Omit<ServiceResponse<Body>, 'askedAt'> } | { failure: AttemptFailure };

/** The worker's time is up: another one has to ask for this again. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/**
 * HTTP for one worker: `timeoutMs` bounds each attempt from connecting to the last byte. From `deadline` on (milliseconds
 * of `performance.now()`, default never) no attempt begins; a request that would need one, or a pause beyond the deadline,
 * throws `OutOfTimeError`.
 */
export function createHttp(options: {
  timeoutMs: number;
  limiter: ConcurrencyLimiter;
  tally: Tally;
  deadline?: number;
}): Http {
  const { timeoutMs, limiter, tally, deadline = Infinity } = options;
  let givenUpInARow = 0;
  // The service asked for a pause that is too long to wait for: until then, requests fail without being sent.
  let closed = { until: 0, status: 0 };

  /** After how many milliseconds the request may be sent. Throws where that is too long to wait. */
  const pauseBefore = (request: ServiceRequest): number => {
    const now = performance.now();
    if (now < closed.until) throw failureOfStatus(labelOf(request), closed.status).error;
    const pauseMs = limiter.pausedForMs();
    if (now + pauseMs >= deadline) throw outOfTime(request);
    return pauseMs;
  };

  /** Waits until the request may be sent, and gives its token. While that is fetched, another pause may begin. */
  const tokenAfterPause = async (request: ServiceRequest): Promise<string | undefined> => {
    for (;;) {
      for (let pauseMs = pauseBefore(request); pauseMs > 0; pauseMs = pauseBefore(request)) await sleep(pauseMs);
      const token = await request.token?.();
      if (pauseBefore(request) === 0) return token;
    }
  };

  const read: Http['read'] = async (request, createReader) => {
    const begun = performance.now();
    const send = async () => {
      const token = await tokenAfterPause(request);
      const askedAt = performance.now();
      return { askedAt, outcome: await attemptOnce(request, token, timeoutMs, createReader()) };
    };
    for (let attempt = 1; ; attempt += 1) {
      const { askedAt, outcome } = await (request.token === undefined ? send() : limiter.run(send));
      if ('answer' in outcome) {
        tally.request(request.endpoint, String(outcome.answer.status));
        limiter.succeeded();
        givenUpInARow = 0;
        return { ...outcome.answer, askedAt };
      }
      const { failure } = outcome;
      tally.request(request.endpoint, failure.word);
      const now = performance.now();
      const delayMs = delayBeforeNext(failure, attempt);
      if (delayMs > longestWaitMs) closed = { until: now + delayMs, status: failure.error.unavailable.status ?? 0 };
      else if (failure.retry === 'throttled') limiter.slowDown(failure.retryAfterMs ?? 0, askedAt);
      const allowed = attemptsAllowed(failure, request.attempts, givenUpInARow);
      if (attempt >= allowed || now + delayMs - begun > longestWaitMs) {
        if (failure.retry !== 'never') givenUpInARow += 1;
        throw failure.error;
      }
      if (now + delayMs >= deadline) throw outOfTime(request);
      tally.retry();
      await sleep(delayMs);
    }
  };
  return { read, ask: (request) => read(request, createJsonReader) };
}

function outOfTime(request: ServiceRequest): OutOfTimeError {
  return new OutOfTimeError(`${labelOf(request)}: ran out of time.`);
}

function labelOf({ method, url }: ServiceRequest): string {
  return `[${method}] ${url.pathname}`;
}

async function attemptOnce<Body>(
  request: ServiceRequest,
  token: string | undefined,
  timeoutMs: number,
  reader: BodyReader<Body>,
): Promise<Outcome<Body>> {
  const label = labelOf(request);
  const largestBody = lists.has(request.endpoint) ? largestList : mostParsedBytes;
  const lost = (word: string, cause?: unknown): Outcome<Body> => ({
    failure: {
      word,
      error: new UnavailableError(label, word, { reason: word === 'no JSON' ? 'unreadable' : 'failed' }, cause),
      retry: 'soon',
      retryAfterMs: null,
    },
  });
  try {
    const { status, headers, isTooLarge, receivedAt } = await exchange(request.url, {
      method: request.method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(request.body === undefined ? {} : { body: request.body }),
      timeoutMs,
      largestBody,
      take: (chunk) => reader.write(chunk),
    });
    if (status < 200 || status > 299) return { failure: failureOfStatus(label, status, headers) };
    if (isTooLarge) throw new TooLargeError('the answer', largestBody);
    return { answer: { status, body: reader.end(), headers, receivedAt } };
  } catch (error) {
    if (error instanceof TooLargeError) {
      const refused = new UnavailableError(label, error.message, { reason: 'too-large' });
      return { failure: { word: 'too large', error: refused, retry: 'never', retryAfterMs: null } };
    }
    return lost(wordOf(error), networkFailureOf(error));
  }
}
