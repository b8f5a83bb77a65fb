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
   * Asked for the access token at every attempt, when it may leave. A request without one is a call for tokens: it does
   * not wait in the queue of those that wait for it.
   */
  token?: () => Promise<string>;
  body?: Readonly<Record<string, string>>;
  /** How often the request is sent at most, however it fails. Default: five times, where it is throttled eight times. */
  attempts?: number;
}

/** A 2xx answer: its status, what was read of its body, and its headers. */
export interface ServiceResponse<Body = unknown> {
  status: number;
  body: Body;
  headers: RawHeaders;
  /** When its attempt was sent, in milliseconds of `performance.now()`. */
  askedAt: number;
  /** When it was received, in epoch milliseconds: what the `Date` header is to be compared with. */
  receivedAt: number;
}

/** Sends requests, repeats those that failed in a passing way, and counts all of it. */
export interface Http {
  /** Throws `UnavailableError` where there is no usable answer. */
  ask(request: ServiceRequest): Promise<ServiceResponse>;
  /** As `ask`, with a reader of its own for the body of each attempt. */
  read<Body>(request: ServiceRequest, createReader: () => BodyReader<Body>): Promise<ServiceResponse<Body>>;
}

/** Nobody waits longer than this for one answer, whatever the service orders. */
const longestWaitMs = 180_000;
/** A list larger than this is not read to its end. Its rows are parsed as they arrive; any other body is parsed whole. */
const largestList = 64 * 1024 * 1024;
const lists: ReadonlySet<ServiceRequest['endpoint']> = new Set([
  'users',
  'deliveries',
  'recipients',
  'content-recipients',
]);

/** What one attempt came to: an answer, or a failure that says whether and when to try again. */
type Outcome<Body> = { answer: Omit<ServiceResponse<Body>, 'askedAt'> } | { failure: AttemptFailure };

/** The worker's time is up: what was being asked is to be asked again by another one. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/**
 * HTTP for one worker: `timeoutMs` bounds each attempt from connecting to the last byte. From `deadline` on (milliseconds
 * of `performance.now()`, default never) no attempt begins; what still wants one then, or after a pause that lasts longer,
 * throws `OutOfTimeError`. `onPause` is told of every pause that the service orders, in milliseconds.
 */
export function createHttp(options: {
  timeoutMs: number;
  limiter: ConcurrencyLimiter;
  tally: Tally;
  deadline?: number;
  onPause?: (pauseMs: number) => void;
}): Http {
  const { timeoutMs, limiter, tally, deadline = Infinity, onPause } = options;
  let givenUpInARow = 0;
  // The service ordered a pause that nobody waits for: what is asked until then is given up without being sent.
  let closed = { until: 0, status: 0 };

  /** After how many milliseconds the request may leave. Throws where nobody waits so long. */
  const pauseBefore = (request: ServiceRequest): number => {
    const now = performance.now();
    if (now < closed.until) throw failureOfStatus(labelOf(request), closed.status).error;
    const pauseMs = limiter.pausedForMs();
    if (now + pauseMs >= deadline) throw outOfTime(request);
    return pauseMs;
  };

  /** The token of the moment at which the request may leave: while one is fetched, another pause may be ordered. */
  const tokenToLeaveWith = async (request: ServiceRequest): Promise<string | undefined> => {
    for (;;) {
      for (let pauseMs = pauseBefore(request); pauseMs > 0; pauseMs = pauseBefore(request)) await sleep(pauseMs);
      const token = await request.token?.();
      if (pauseBefore(request) === 0) return token;
    }
  };

  const read: Http['read'] = async (request, createReader) => {
    const begun = performance.now();
    const send = async () => {
      const token = await tokenToLeaveWith(request);
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
      else if (failure.retry === 'throttled') {
        limiter.slowDown(failure.retryAfterMs ?? 0, askedAt);
        if (failure.retryAfterMs !== null) onPause?.(failure.retryAfterMs);
      }
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
  return new OutOfTimeError(`${labelOf(request)}: the time was up.`);
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
