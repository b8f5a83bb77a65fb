import { setTimeout as sleep } from 'node:timers/promises';
import { ofetch } from 'ofetch';
import type { Tally } from './coverage.ts';
import type { Gate } from './gate.ts';
import { parseJson } from './json.ts';
import { reasonOfStatus, UnavailableError } from './unavailable.ts';

/** One request to the service. `label` names it in errors: method and path without query. */
export interface Request {
  endpoint: 'auth' | 'refresh' | 'deliveries' | 'recipients' | 'broadcast' | 'content-recipients';
  method: 'GET' | 'POST';
  url: URL;
  token?: string;
  body?: Readonly<Record<string, string>>;
  /** How often a request that failed without a refusal is sent in all. Default: five times. */
  attempts?: number;
}

/** A 2xx answer: its parsed JSON, its headers, and when it was received, in epoch milliseconds. */
export interface Answer {
  body: unknown;
  headers: Headers;
  receivedAt: number;
}

/** Sends requests, repeats those that failed in a passing way, and counts all of it. */
export interface Http {
  /** Throws `UnavailableError` where there is no usable answer. */
  ask(request: Request): Promise<Answer>;
}

const attemptsOnFailure = 5;
const attemptsOnThrottling = 8;
/** Nobody waits longer than this for one answer, whatever the service orders. */
const patienceMs = 180_000;
const firstDelayMs = 250;
const longestDelayMs = 8_000;
/** An answer larger than this is not read to its end. */
const largestBody = 64 * 1024 * 1024;
/** After so many requests in a row that were given up, each further one is sent once, until one succeeds. */
const failuresUntilBreak = 20;

/** What one attempt came to: an answer, or a failure that says whether and when to try again. */
type Outcome = { answer: Answer } | { failure: Failure };

interface Failure {
  /** The HTTP status, or the failure's own word where there was no usable answer. */
  word: string;
  error: UnavailableError;
  again: 'never' | 'soon' | 'throttled';
  /** What `Retry-After` orders, in milliseconds. */
  retryAfterMs: number | null;
}

/** HTTP for one worker: `timeoutMs` bounds each attempt from connecting to the last byte. */
export function createHttp(options: { timeoutMs: number; gate: Gate; tally: Tally }): Http {
  const { timeoutMs, gate, tally } = options;
  let givenUpInARow = 0;

  return {
    ask: async (request) => {
      const begun = Date.now();
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await gate.pass(() => attemptOnce(request, timeoutMs));
        if ('answer' in outcome) {
          tally.request(request.endpoint, '200');
          gate.succeeded();
          givenUpInARow = 0;
          return outcome.answer;
        }
        const { failure } = outcome;
        tally.request(request.endpoint, failure.word);
        const delayMs = delayBeforeNext(failure, attempt);
        if (failure.again === 'throttled') gate.slowDown(delayMs);
        const allowed = attemptsAllowed(request, failure, givenUpInARow);
        if (attempt >= allowed || Date.now() + delayMs - begun > patienceMs) {
          if (failure.again !== 'never') givenUpInARow += 1;
          throw failure.error;
        }
        tally.retry();
        await sleep(delayMs);
      }
    },
  };
}

function attemptsAllowed(request: Request, failure: Failure, givenUpInARow: number): number {
  if (failure.again === 'never') return 1;
  if (failure.again === 'throttled') return attemptsOnThrottling;
  return givenUpInARow >= failuresUntilBreak ? 1 : (request.attempts ?? attemptsOnFailure);
}

/** Exponential with full jitter, so that workers that failed together do not come back together; or as ordered. */
function delayBeforeNext(failure: Failure, attempt: number): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs + Math.random() * firstDelayMs;
  return Math.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
}

async function attemptOnce(request: Request, timeoutMs: number): Promise<Outcome> {
  const label = `[${request.method}] ${request.url.pathname}`;
  const lost = (word: string, cause?: unknown): Outcome => ({
    failure: {
      word,
      error: new UnavailableError(label, word, { reason: word === 'no JSON' ? 'unreadable' : 'failed' }, cause),
      again: 'soon',
      retryAfterMs: null,
    },
  });
  try {
    const response = await ofetch.raw(request.url.href, {
      method: request.method,
      headers: request.token === undefined ? {} : { authorization: `Bearer ${request.token}` },
      redirect: 'manual',
      responseType: 'stream',
      retry: false,
      ignoreResponseError: true,
      signal: AbortSignal.timeout(timeoutMs),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const receivedAt = Date.now();
    if (!response.ok) {
      await response.body?.cancel();
      return { failure: failureOfStatus(label, response.status, response.headers) };
    }
    const text = await readBody(response.body);
    if (text === null) {
      const error = new UnavailableError(label, 'the answer is larger than 64 MiB', { reason: 'too-large' });
      return { failure: { word: 'too large', error, again: 'never', retryAfterMs: null } };
    }
    return { answer: { body: parseJson(text), headers: response.headers, receivedAt } };
  } catch (error) {
    return lost(wordOf(error), error);
  }
}

function failureOfStatus(label: string, status: number, headers: Headers): Failure {
  const throttled = status === 429 || status === 503;
  const passing = throttled || status >= 500 || status === 408;
  return {
    word: String(status),
    error: new UnavailableError(label, String(status), {
      reason: throttled ? 'failed' : reasonOfStatus(status),
      status,
    }),
    again: throttled ? 'throttled' : passing ? 'soon' : 'never',
    retryAfterMs: throttled ? readRetryAfter(headers) : null,
  };
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date, which is told by the answer's own clock. */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

async function readBody(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > largestBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

/** A failure's own word, from the error's names down its chain of causes; never its text, which may quote the request. */
function wordOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SyntaxError) return 'no JSON';
    if (cause.name === 'TimeoutError') return 'no answer in time';
    const code = 'code' in cause ? cause.code : undefined;
    if (code === 'ECONNREFUSED') return 'connection refused';
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host not found';
  }
  return 'connection lost';
}
