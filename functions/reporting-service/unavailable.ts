import type { Reason, Unavailable } from '../domain/reasons.ts';

/**
 * Something that the service did not give, after every retry that its kind of failure deserves. The message names the
 * method and the path, never the query, a token or a body. `unavailable` is what the digest says of it.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly unavailable: Unavailable;

  constructor(request: string, detail: string, unavailable: Unavailable, cause?: unknown) {
    super(`${request}: ${detail}`, { cause });
    this.unavailable = unavailable;
  }
}

/**
 * The reason that a status means. The service documents no error, so the meaning is HTTP's own (RFC 9110, section 15):
 * 403, 404 and 410 concern the one thing asked for; other 4xx refuse the request; 5xx is the service's own failure.
 */
export function reasonOfStatus(status: number): Reason {
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  if (status >= 300 && status < 400) return 'redirected';
  return status < 500 ? 'refused' : 'failed';
}
