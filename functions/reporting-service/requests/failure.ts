import type { Reason, Unavailable } from '../../domain/reasons.ts';
import { UnavailableError } from './request.ts';

/** Why one attempt of a request failed, and whether and when to try again. */
export interface AttemptFailure {
  /** The HTTP status, or the failure's own word where there was no usable answer. */
  word: string;
  error: UnavailableError;
  retry: 'never' | 'soon' | 'throttled';
  /** The pause that `Retry-After` asks for, in milliseconds. */
  retryAfterMs: number | null;
}

/** The failure that a status other than 2xx means. 429 and 503 slow all requests down; 408 and other 5xx may pass. */
export function failureOfStatus(label: string, status: number, headers = new Headers()): AttemptFailure {
  const throttled = status === 429 || status === 503;
  const retry = throttled ? 'throttled' : status >= 500 || status === 408 ? 'soon' : 'never';
  const finalReason = reasons[status] ?? (status >= 300 && status < 400 ? 'redirected' : 'refused');
  const reason = retry === 'never' ? finalReason : 'failed';
  return {
    word: String(status),
    error: new UnavailableError(label, String(status), { reason, status }),
    retry,
    retryAfterMs: throttled ? readRetryAfter(headers) : null,
  };
}

/**
 * The reasons of some statuses below 500. The service documents no error, so the meaning is HTTP's own (RFC 9110, section
 * 15): 403, 404 and 410 concern the one thing asked for; other 4xx refuse the request.
 */
const reasons: Readonly<Record<number, Reason>> = { 403: 'forbidden', 404: 'not-found', 410: 'gone' };

/** The failure of an attempt that the network ended, or whose body is not JSON: it may have been cut on its way. */
export function failureOfError(label: string, thrown: unknown): AttemptFailure {
  if (thrown instanceof RangeError) {
    // The language reads nothing that is nested so: it would be as deep the next time.
    const word = 'nested too deeply';
    return { word, error: new UnavailableError(label, word), retry: 'never', retryAfterMs: null };
  }
  const cause = networkFailureOf(thrown);
  const isSyntax = thrown instanceof SyntaxError;
  // V8 quotes the first letters of what is no JSON.
  const isHtml = isSyntax && /^Unexpected token '<', "\s*</.test(thrown.message);
  const syntaxWord = isHtml ? 'html and no JSON, as of a login page or a proxy' : 'no JSON';
  const word = isSyntax ? syntaxWord : wordOf(cause);
  const reason = isSyntax ? 'unreadable' : 'failed';
  return { word, error: new UnavailableError(label, word, { reason }, cause), retry: 'soon', retryAfterMs: null };
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date by the clock of the answer's `Date`, else by ours. */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** The network's error behind an error: what lies around it may quote the URL with its query, or a header. */
function networkFailureOf(error: unknown): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError' || ('code' in cause && typeof cause.code === 'string')) return cause;
  }
  return undefined;
}

/** A word for the network's error, by its name or code; never its message. */
function wordOf(failure: Error | undefined): string {
  if (failure?.name === 'TimeoutError') return 'no answer in time';
  // What has no code never left this machine, as to a port that the standard of fetch blocks.
  const code = failure !== undefined && 'code' in failure ? failure.code : 'ENETUNREACH';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host not found';
  // `UND_ERR_CONNECT_TIMEOUT` is of undici, which is Node's fetch.
  return /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|E(?:HOST|NET)UNREACH)$/.test(String(code))
    ? 'no connection'
    : 'connection lost';
}

/** The message of a failure, and the one thing that helps with it. A dead host is not a slow one. */
export function withAdvice({ message, unavailable }: { message: string; unavailable?: Unavailable }): string {
  const { reason, status = 0 } = unavailable ?? {};
  if (/: (?:connection refused|host not found|no connection)$/.test(message))
    return `${message}. No service is there: check its address, and whether this network reaches it.`;
  if (message.endsWith(' time')) return `${message}. It is there and slow: see service.timeout, or run it again later.`;
  if (reason === 'forbidden') return `${message}. Ask the service's contact for the right to read it.`;
  const isPassing = status === 429 || status >= 500 || message.endsWith(': connection lost');
  return `${message}.${isPassing ? ' Wait until the service answers, then run it again.' : ''}`;
}

const attemptsOnFailure = 5;
const attemptsOnThrottling = 8;
/** Short at first, since most failures pass at once, then growing fast: four retries take five seconds on average. */
const firstDelayMs = 100;
const delayFactor = 3;
const longestDelayMs = 8_000;

/** How often a request with this failure is sent in all: never more than `most` times. */
export function attemptsAllowed(failure: AttemptFailure, most = Infinity): number {
  if (failure.retry === 'never') return 1;
  return Math.min(most, failure.retry === 'throttled' ? attemptsOnThrottling : attemptsOnFailure);
}

/**
 * How long to wait before the attempt that follows number `attempt`, in milliseconds: as the service asked, else
 * exponential with full jitter, so that requests that failed together are not retried together.
 */
export function delayBeforeNext(failure: AttemptFailure, attempt: number): number {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs + Math.random() * firstDelayMs;
  return Math.random() * Math.min(longestDelayMs, firstDelayMs * delayFactor ** attempt);
}
