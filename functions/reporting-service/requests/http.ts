import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import { ofetch } from 'ofetch';
import type { Tally } from '../coverage.ts';
import { failureOfError, failureOfStatus, type AttemptFailure } from './failure.ts';
import { attemptsAllowed, delayBeforeNext, longestWaitMs } from './retries.ts';
import {
  labelOf,
  OutOfTimeError,
  UnavailableError,
  type Ask,
  type Authorization,
  type ServiceRequest,
  type ServiceResponse,
} from './request.ts';

/** A request that has gone on for longer says what it waits for. */
const longWaitMs = 5_000;

/**
 * HTTP for one worker, with at most `concurrency` requests in flight: `timeoutMs` bounds each attempt from connecting to the
 * last byte. From `deadline` on (milliseconds of `performance.now()`, default never) no attempt begins; a request that would
 * need one, or a pause beyond the deadline, throws `OutOfTimeError`. `onWait` is told in words what a request waits for that
 * takes long, and `null` once that is over.
 */
export function createHttp(options: {
  timeoutMs: number;
  concurrency: number;
  tally: Tally;
  deadline?: number;
  onWait?: (wait: string | null) => Promise<void>;
}): Ask {
  const { timeoutMs, concurrency, tally, deadline = Infinity, onWait } = options;
  const limiter = createConcurrencyLimiter(concurrency);
  // The service asked for a pause that is too long to wait for: until then, requests fail without being sent.
  let closed = { until: 0, status: 0 };

  const send = async (request: ServiceRequest, authorization?: Authorization): Promise<Attempt> => {
    for (;;) {
      const token = await authorization?.token();
      const now = performance.now();
      if (now < closed.until) throw failureOfStatus(labelOf(request), closed.status).error;
      const pauseMs = limiter.pausedForMs();
      if (now + pauseMs >= deadline) throw outOfTime(request);
      if (pauseMs === 0) return await exchange(request, timeoutMs, token);
      await sleep(pauseMs);
    }
  };

  return async (request) => {
    await using waits = new AsyncDisposableStack();
    const authorization = request.authorize?.();
    let begun = performance.now();
    for (let attempts = 1; ; attempts += 1) {
      const attempt = await (authorization === undefined
        ? send(request)
        : limiter.run(() => send(request, authorization)));
      if (!('failure' in attempt)) {
        tally.request(request.endpoint, String(attempt.status));
        limiter.succeeded();
        return attempt;
      }
      const { failure, begunAt } = attempt;
      tally.request(request.endpoint, failure.word);
      const now = performance.now();
      if (authorization?.mayRenew(failure.error.unavailable.status) === true) {
        attempts = 0;
        begun = now;
        tally.retry();
        continue;
      }
      const delayMs = delayBeforeNext(failure, attempts);
      if (delayMs > longestWaitMs) closed = { until: now + delayMs, status: failure.error.unavailable.status ?? 0 };
      else if (failure.retry === 'throttled') limiter.slowDown(failure.retryAfterMs ?? 0, begunAt);
      const allowed = attemptsAllowed(failure, request.attempts);
      if (attempts >= allowed || now + delayMs - begun > longestWaitMs) throw failure.error;
      if (now + delayMs >= deadline) throw outOfTime(request);
      tally.retry();
      if (onWait !== undefined && now + delayMs - begun > longWaitMs) {
        const lack = failure.word === 'no answer in time' ? 'no answer' : `nothing usable (${failure.word})`;
        const seconds = Math.round((now - begun) / 1000);
        await onWait(`${lack} from the service for ${seconds} s, attempt ${attempts + 1} of ${allowed}`);
        waits.defer(() => onWait(null));
      }
      await sleep(delayMs);
    }
  };
}

function outOfTime(request: ServiceRequest): OutOfTimeError {
  return new OutOfTimeError(`${labelOf(request)}: ran out of time`);
}

/** One attempt: its answer, or why there is none. */
type Attempt = ServiceResponse | { begunAt: number; failure: AttemptFailure };

/** A larger body is not read to its end: a worker's memory is limited. A list of 400,000 recipients is smaller. */
const largestBody = 64 * 1024 * 1024;

/** Sends a request once; redirects are not followed. */
async function exchange(request: ServiceRequest, timeoutMs: number, token?: string): Promise<Attempt> {
  const label = labelOf(request);
  const begunAt = performance.now();
  const askedAt = Date.now();
  const abort = new AbortController();
  const timeOut = (): void => abort.abort(new DOMException('No answer arrived in time.', 'TimeoutError'));
  // Cleared with the answer: the timer of an `AbortSignal.timeout` would keep the answer in memory until it fires.
  const timer = setTimeout(timeOut, timeoutMs);
  try {
    const response = await ofetch.raw(request.url.href, {
      method: request.method,
      headers: { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      responseType: 'stream',
      // The caller retries: it counts that, and slows other requests down.
      retry: false,
      ignoreResponseError: true,
      signal: abort.signal,
    });
    const { status, headers } = response;
    const bytes = await readUpTo(largestBody, response);
    if (!response.ok) return { begunAt, failure: failureOfStatus(label, status, headers) };
    if (bytes === null) {
      // It would be as large the next time.
      const error = new UnavailableError(label, 'the answer is larger than 64 MiB', { reason: 'too-large' });
      return { begunAt, failure: { word: 'too large', error, retry: 'never', retryAfterMs: null } };
    }
    // Without a byte order mark. No content is an empty list.
    const text = status === 204 ? '[]' : decoderOf(bytes, headers).decode(bytes);
    return { status, headers, text, body: parseExactJson(text), askedAt };
  } catch (error) {
    return { begunAt, failure: failureOfError(label, error) };
  } finally {
    clearTimeout(timer);
    // Closes the connection where the body was not read to its end.
    abort.abort();
  }
}

/**
 * The decoder of a body: of the charset that it declares, else of UTF-8, in which JSON is (RFC 8259, section 8.1). Many servers declare
 * a Latin charset without meaning it: what is UTF-8 is read as that.
 */
function decoderOf(bytes: Buffer, headers: Headers) {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  try {
    const declared = new TextDecoder(charset);
    if (declared.encoding !== 'windows-1252' || !isUtf8(bytes)) return declared;
  } catch {
    // A charset that nobody knows.
  }
  return new TextDecoder();
}

/** The bytes of a body; `null` where it has more than `most`. */
async function readUpTo(most: number, { body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Parses JSON like `JSON.parse`, except that integers beyond 2^53 become text, digit for digit: identifiers of the service
 * are text, and a rounded one would name another thing. Throws a `SyntaxError` where the text is not JSON.
 */
function parseExactJson(text: string): unknown {
  // With sixteen digits and more, numbers reach beyond 2^53.
  return /[[:,\s]-?\d{16,}/.test(text) ? JSON.parse(text, keepLongInteger) : JSON.parse(text);
}

function keepLongInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}

/** By how much the limit grows while as many calls succeed as it allows at once. */
const increaseOfRound = 2;

/**
 * A limiter of at most `limit` calls in flight, shared by all calls of a worker, and the pause that the service asked for. Where
 * the service asks to slow down (429, 503), the limit is halved; each success adds a little again, up to the configured limit
 * (additive increase, multiplicative decrease). Times are those of `performance.now()`, which no change of the clock moves.
 */
export function createConcurrencyLimiter(limit: number) {
  let allowed = limit;
  let inFlight = 0;
  let pausedUntil = 0;
  let slowedAt = 0;
  const waiting: Array<() => void> = [];

  const admit = (): void => {
    while (inFlight < Math.max(1, Math.floor(allowed)) && waiting.length > 0) {
      inFlight += 1;
      waiting.shift()?.();
    }
  };

  return {
    /** Runs `call` as soon as the limit allows, first come, first served. The call itself waits until a pause is over. */
    run: async <T>(call: () => Promise<T>): Promise<T> => {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      admit();
      await turn;
      try {
        return await call();
      } finally {
        inFlight -= 1;
        admit();
      }
    },
    /** How long the pause still lasts, in milliseconds; 0 where there is none. */
    pausedForMs: (): number => Math.max(0, pausedUntil - performance.now()),
    /**
     * Begins a pause of `pauseMs`, and halves the limit: not again for a call that had begun (at `begunAt`) before the limit
     * was last halved, since it says nothing about the new limit.
     */
    slowDown: (pauseMs: number, begunAt: number): void => {
      const now = performance.now();
      if (begunAt >= slowedAt) {
        allowed = Math.max(1, allowed / 2);
        slowedAt = now;
      }
      pausedUntil = Math.max(pausedUntil, now + pauseMs);
    },
    /** One call succeeded. */
    succeeded: (): void => {
      allowed = Math.min(limit, allowed + increaseOfRound / Math.max(1, allowed));
      admit();
    },
  };
}
