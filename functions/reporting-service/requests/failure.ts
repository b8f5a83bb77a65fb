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
  if (thrown instanceof SyntaxError) {
    // V8 quotes the first letters of what is no JSON.
    const isHtml = /^Unexpected token '<', "\s*</.test(thrown.message);
    const word = isHtml ? 'html and no JSON, as of a login page or a proxy' : 'no JSON';
    return { word, error: new UnavailableError(label, word), retry: 'soon', retryAfterMs: null };
  }
  const cause = networkErrorBehind(thrown);
  const { word, retry } = readNetworkError(cause);
  return { word, error: new UnavailableError(label, word, { reason: 'failed' }, cause), retry, retryAfterMs: null };
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date by the clock of the answer's `Date`, else by ours. */
function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** The network's error behind an error: what lies around it may quote the URL with its query, or a header. */
function networkErrorBehind(error: unknown): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError' || ('code' in cause && typeof cause.code === 'string')) return cause;
  }
  return undefined;
}

/** A failure of the network: its codes, by Node, OpenSSL, and undici, which is Node's fetch; the word for it; and what helps. */
type NetworkFailure = readonly [codes: RegExp, word: string, advice: string];

const elsewhere = 'No service is there: check its address, any HTTPS_PROXY, and whether this network reaches it.';
const unreached: readonly NetworkFailure[] = [
  [/^ECONNREFUSED$/, 'connection refused', elsewhere],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'host not found', elsewhere],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|E(?:HOST|NET)UNREACH)$/, 'no connection', elsewhere],
];
const untrusted = /^(?:UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|SELF_SIGNED_CERT_|DEPTH_ZERO_)/;
const inspected =
  'Where this network inspects TLS, name the file with its certificate in NODE_EXTRA_CA_CERTS, or have it in the system.';
const noTls = /^(?:EPROTO$|ERR_SSL_(?:WRONG_VERSION_|PACKET_LENGTH_|\w+_ALERT_(?:PROTOCOL_VERSION|HANDSHAKE_FAILURE)))/;
const date = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;
/** Those that would be the same however often somebody asks. */
const lasting: readonly NetworkFailure[] = [
  [untrusted, 'certificate of an unknown authority', inspected],
  [date, 'certificate that is not valid today', 'Tell who runs the service, unless the clock here is wrong.'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate of another name', 'Check the address of the service.'],
  [noTls, 'no TLS', 'What answers there speaks http, or no TLS of today: check the address and its port.'],
  [/^proxy 40[137]$/, 'refused by the proxy', 'Ask who runs it, or give a name and a password in HTTPS_PROXY.'],
];
const connectionLost: NetworkFailure = [/./, 'connection lost', 'Wait until the service answers, then run it again.'];
const networkFailures = [...unreached, ...lasting, connectionLost];

/** The word for the network's error, by its name or code, and whether to ask again. Its message may quote anything. */
function readNetworkError(error: Error | undefined): Pick<AttemptFailure, 'word' | 'retry'> {
  if (error?.name === 'TimeoutError') return { word: 'no answer in time', retry: 'soon' };
  // Where a proxy opens no way, undici says its status in the message alone.
  const proxy = /^Proxy response \((\d+)\)/.exec(error?.message ?? '')?.[1];
  // What has no code never left this machine, as to a port that the standard of fetch blocks.
  const code = error !== undefined && 'code' in error ? String(error.code) : 'ENETUNREACH';
  const known = networkFailures.find(([codes]) => codes.test(proxy === undefined ? code : `proxy ${proxy}`));
  const [, word] = known ?? connectionLost;
  return { word, retry: known !== undefined && lasting.includes(known) ? 'never' : 'soon' };
}

/** The message of a failure, and the one thing that helps with it. A dead host is not a slow one. */
export function withAdvice({ message, unavailable }: { message: string; unavailable?: Unavailable }): string {
  const { reason, status = 0 } = unavailable ?? {};
  const [, , advice] = networkFailures.find(([, word]) => message.endsWith(`: ${word}`)) ?? [];
  if (advice !== undefined) return `${message}. ${advice}`;
  if (message.endsWith(' time')) return `${message}. It is there and slow: see service.timeout, or run it again later.`;
  if (reason === 'forbidden') return `${message}. Ask the service's contact for the right to read it.`;
  return `${message}.${status === 429 || status >= 500 ? ` ${connectionLost[2]}` : ''}`;
}
