import { randomBytes, randomUUID } from 'node:crypto';
import type { Deviation } from './deviation.ts';

/** The account's tokens: what they last, and what becomes of them, is the deviation's. */
export interface TokenAuthority {
  /** New tokens for the right credentials; `null` for others. */
  exchange(body: unknown): Record<string, string> | null;
  /** New tokens for a refresh token; `null` where it is refused. */
  refresh(body: unknown): Record<string, string> | null;
  accepts(authorization: string | undefined): boolean;
  /** All access tokens so far are worth nothing from now on. */
  revokeAll(): void;
  /** Every token that was given out. */
  readonly issued: readonly string[];
  /** How often a refresh token came that had been used before: its whole family was revoked then. */
  readonly reused: number;
}

const secondsOfLife = 300;

/** Tokens for one client, dated by a clock that is `deviation.clock` seconds off. */
export function createAuthority(credentials: { id: string; secret: string }, deviation: Deviation): TokenAuthority {
  const issued: string[] = [];
  const access = new Map<string, { until: number; family: string }>();
  const refresh = new Map<string, { family: string; used: boolean }>();
  let reused = 0;
  const lifeMs =
    (deviation.tokens === 'two seconds' || deviation.tokens === 'refresh refused' ? 2 : secondsOfLife) * 1000;
  const now = (): number => Date.now() + deviation.clock * 1000;

  const issue = (family: string): Record<string, string> => {
    const token = writeToken(deviation, now(), lifeMs);
    const refreshToken = randomBytes(64).toString('hex');
    access.set(token, { until: now() + lifeMs, family });
    refresh.set(refreshToken, { family, used: false });
    issued.push(token, refreshToken);
    return deviation.tokens === 'no refresh token' ? { token } : { token, refresh_token: refreshToken };
  };
  const revokeFamily = (family: string): void => {
    for (const [token, entry] of access) if (entry.family === family) access.delete(token);
    for (const entry of refresh.values()) if (entry.family === family) entry.used = true;
  };

  return {
    issued,
    get reused() {
      return reused;
    },
    exchange: (body) => {
      const { id, secret } = Object(body) as Record<string, unknown>;
      return id === credentials.id && secret === credentials.secret ? issue(randomUUID()) : null;
    },
    refresh: (body) => {
      const entry = refresh.get(String((Object(body) as Record<string, unknown>)['refresh_token']));
      if (entry === undefined) return null;
      if (entry.used) {
        reused += 1;
        revokeFamily(entry.family);
        return null;
      }
      entry.used = true;
      return deviation.tokens === 'refresh refused' ? null : issue(entry.family);
    },
    accepts: (authorization) => {
      const entry = access.get(authorization?.replace(/^Bearer /, '') ?? '');
      return entry !== undefined && entry.until > now();
    },
    revokeAll: () => access.clear(),
  };
}

function writeToken({ tokens }: Deviation, nowMs: number, lifeMs: number): string {
  if (tokens === 'opaque') return `opaque-${randomBytes(24).toString('hex')}`;
  const iat = Math.floor(nowMs / 1000);
  const claims = { ...(tokens === 'no iat' ? {} : { iat }), exp: iat + lifeMs / 1000, jti: randomUUID() };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(16).toString('base64url')}`;
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
