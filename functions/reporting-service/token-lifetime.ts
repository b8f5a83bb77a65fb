import { decodeJwt, errors } from 'jose';

/** The longest time before its end that a token is no longer used. */
const longestBufferMs = 30_000;
/** A service's clock is believed up to this far from ours. */
const believedSkewMs = 24 * 3_600_000;

/**
 * Until when a token is used, in epoch milliseconds of our clock; `null` where the token does not say: then it is used
 * until it is refused. Its lifetime `exp - iat` is counted from the moment of receipt, so neither clock matters; without
 * `iat`, `exp` is read by the service's clock as the answer's `Date` header tells it. A buffer (a tenth of the lifetime,
 * 30 seconds at most) is taken off.
 */
export function tokenUsableUntil(token: string, receivedAt: number, dateHeader: string | null): number | null {
  const { exp, iat } = claimsOf(token);
  if (exp === undefined) return null;
  const lifetimeMs =
    iat !== undefined && iat < exp ? (exp - iat) * 1000 : exp * 1000 - serviceClock(receivedAt, dateHeader);
  if (lifetimeMs <= 0) return null;
  return receivedAt + lifetimeMs - Math.min(longestBufferMs, lifetimeMs / 10);
}

function serviceClock(receivedAt: number, dateHeader: string | null): number {
  const date = Date.parse(dateHeader ?? '');
  return Number.isNaN(date) || Math.abs(date - receivedAt) > believedSkewMs ? receivedAt : date;
}

function claimsOf(token: string): { exp?: number; iat?: number } {
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
