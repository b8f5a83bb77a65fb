import { decodeJwt } from 'jose';

/** The longest time before its end that a token is no longer used. */
const longestBufferMs = 30_000;
/** `iat`, `exp` and `Date` are whole seconds: a token issued late in one ends nearly a second earlier than they say. */
const roundingMs = 1_000;
/** A service's clock is believed up to this far from ours. */
const believedSkewMs = 24 * 3_600_000;

/**
 * How long a token is used, in milliseconds from the moment of the request for it, since it may have been issued at any
 * time from then on; `null` where the token does not say: then it is used until it is refused. It ends at the earlier of two
 * ends: `exp` by the clock of the answer's `Date` header, else from `askedAt`, the moment of the request by our clock (epoch
 * milliseconds), unless it has passed by that clock; and `exp - iat` after the request, since `iat` is documented nowhere and
 * was seen backdated. A buffer is taken off: a tenth of the lifetime, at most 30 seconds and at least the second to which
 * these times are rounded, but never more than half the lifetime.
 */
export function tokenUsableForMs(token: string, askedAt: number, dateHeader: string | null): number | null {
  const { exp, iat } = claimsOf(token);
  if (exp === undefined) return null;
  const byClock = exp * 1000 - serviceClock(askedAt, dateHeader);
  const sinceIssued = iat === undefined ? 0 : (exp - iat) * 1000;
  const lifetimeMs = Math.min(...[byClock, sinceIssued].filter((lifetime) => lifetime > 0));
  return lifetimeMs === Infinity ? null : lifetimeMs - bufferOf(lifetimeMs);
}

function bufferOf(lifetimeMs: number): number {
  const share = Math.min(longestBufferMs, lifetimeMs / 10);
  return Math.min(Math.max(share, roundingMs), lifetimeMs / 2);
}

function serviceClock(askedAt: number, dateHeader: string | null): number {
  const date = Date.parse(dateHeader ?? '');
  return Number.isNaN(date) || Math.abs(date - askedAt) > believedSkewMs ? askedAt : date;
}

/** When a token ends and when it was issued, as it says itself; nothing where it is no JWT. */
function claimsOf(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return { ...(typeof exp === 'number' ? { exp } : {}), ...(typeof iat === 'number' ? { iat } : {}) };
  } catch {
    // An access token that is no JWT works as well; it only does not say for how long.
    return {};
  }
}
