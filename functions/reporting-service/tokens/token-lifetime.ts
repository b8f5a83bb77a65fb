import { decodeJwt, errors } from 'jose';

/** The longest time before its end that a token is no longer used. */
const longestBufferMs = 30_000;
/** `iat`, `exp` and `Date` are whole seconds: what was issued late in one ends nearly a second before it seems to. */
const roundingMs = 1_000;
/** A service's clock is believed up to this far from ours. */
const believedSkewMs = 24 * 3_600_000;

/**
 * How long a token is used, in milliseconds from the moment at which it was asked for, since it may have been issued at any
 * time from then on; `null` where the token does not say: then it is used until it is refused. Its lifetime is `exp - iat`,
 * so neither clock matters; without `iat`, `exp` is read by the service's clock as the answer's `Date` header tells it,
 * else by ours, which said `askedAt` (epoch milliseconds) at that moment. A buffer is taken off: a tenth of the lifetime,
 * at most 30 seconds and at least the second to which these times are rounded, but never more than half the lifetime.
 */
export function tokenUsableForMs(token: string, askedAt: number, dateHeader: string | null): number | null {
  const { exp, iat } = claimsOf(token);
  if (exp === undefined) return null;
  const lifetimeMs =
    iat !== undefined && iat < exp ? (exp - iat) * 1000 : exp * 1000 - serviceClock(askedAt, dateHeader);
  return lifetimeMs <= 0 ? null : lifetimeMs - bufferOf(lifetimeMs);
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
export function claimsOf(token: string): { exp?: number; iat?: number } {
  try {
    const { exp, iat } = decodeJwt(token);
    return {
      ...(typeof exp === 'number' ? { exp } : {}),
      ...(typeof iat === 'number' ? { iat } : {}),
    };
  } catch (error) {
    // An access token that is no JWT still opens the door; it only does not say for how long.
    if (error instanceof errors.JWTInvalid) return {};
    throw error;
  }
}
