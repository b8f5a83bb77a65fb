import type { RawHeaders } from './exchange.ts';
import { reasonOfStatus, UnavailableError } from '../unavailable.ts';

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
export function failureOfStatus(label: string, status: number, headers: RawHeaders = new Headers()): AttemptFailure {
  const throttled = status === 429 || status === 503;
  const passing = throttled || status >= 500 || status === 408;
  return {
    word: String(status),
    error: new UnavailableError(label, String(status), {
      reason: passing ? 'failed' : reasonOfStatus(status),
      status,
    }),
    retry: throttled ? 'throttled' : passing ? 'soon' : 'never',
    retryAfterMs: throttled ? readRetryAfter(headers) : null,
  };
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date by the clock of the answer's `Date`, else by ours. */
function readRetryAfter(headers: RawHeaders): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** A word for a failure, by the error's name or code or those of its causes; never its message, which may quote the request. */
export function wordOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'no JSON';
  const failure = networkFailureOf(error);
  if (failure?.name === 'TimeoutError') return 'no answer in time';
  const code = failure !== undefined && 'code' in failure ? failure.code : undefined;
  if (code === 'ECONNREFUSED') return 'connection refused';
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'host not found' : 'connection lost';
}

/** The network's error behind an error. The errors around it quote the URL with its query, or a header. */
export function networkFailureOf(error: unknown): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError' || ('code' in cause && typeof cause.code === 'string')) return cause;
  }
  return undefined;
}
