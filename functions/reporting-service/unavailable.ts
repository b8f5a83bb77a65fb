import type { Unavailable } from '../domain/reasons.ts';

/**
 * Something that the service did not give, after every retry that its kind of failure deserves. The message names the
 * method and the path, never the query, a token or a body. `unavailable` is what the digest says of it: by default that the
 * answer could not be read.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly unavailable: Unavailable;

  constructor(request: string, detail: string, unavailable: Unavailable = { reason: 'unreadable' }, cause?: unknown) {
    super(`${request}: ${detail}`, { cause });
    this.unavailable = unavailable;
  }
}
