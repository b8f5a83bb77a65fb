import type { Unavailable } from '../../domain/reasons.ts';

/** One request to the service. */
export interface ServiceRequest {
  endpoint: 'auth' | 'refresh' | 'users' | 'deliveries' | 'recipients' | 'broadcast' | 'content-recipients';
  method: 'GET' | 'POST';
  url: URL;
  /** A request without it is one for tokens: it does not queue behind the requests that wait for these. */
  authorize?: () => Authorization;
  body?: Readonly<Record<string, string>>;
  /** How often the request is sent at most, however it fails. Default: five times, or eight where it is throttled. */
  attempts?: number;
}

/** The access tokens of one request. */
export interface Authorization {
  /** The token of the next attempt, asked for just before that is sent. */
  token: () => Promise<string>;
  /** Whether the request is to be sent again, under another token, after it was refused with this status. */
  mayRenew: (status: number | undefined) => boolean;
}

/** A 2xx answer. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  /** The body as it came, and the JSON that it is. */
  text: string;
  body: unknown;
  /** When its attempt was sent, in epoch milliseconds. */
  askedAt: number;
}

/** Sends a request, again where its failure may pass. Throws `UnavailableError` where there is no usable answer. */
export type Ask = (request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Something that the service did not give, after every retry that its kind of failure deserves. The message names the
 * method and the path, never the query, a token or a body. `unavailable` is what the digest says of it: by default that the
 * answer could not be read.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly unavailable: Unavailable;

  constructor(label: string, detail: string, unavailable: Unavailable = { reason: 'unreadable' }, cause?: unknown) {
    super(`${label}: ${detail}`, { cause });
    this.unavailable = unavailable;
  }
}

/** The worker's time is up: another one has to ask for this again. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** Method and path of a request, by which errors name it: never its query. */
export function labelOf({ method, url }: ServiceRequest): string {
  return `[${method}] ${url.pathname}`;
}
