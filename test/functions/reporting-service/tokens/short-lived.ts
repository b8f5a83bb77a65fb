import { UnsecuredJWT } from 'jose';
import { after, json, status, type HttpStub, type StubAnswer } from '../../../support/http-stub.ts';

/** Answers who has a valid token when the request arrives; all others get a 401, `refusedAfterMs` (default 0) later. */
export type Judge = (answer: StubAnswer, refusedAfterMs?: number) => StubAnswer;

/** How long after its end a token is still taken, so that no test depends on the milliseconds of a request's way. */
const leewayMs = 300;

/**
 * Lets the stub give tokens that live until `exp`, which is `seconds` after the whole second in which they are issued. They
 * are issued when they are asked for, and given `givenAfterMs` later. The stub judges them by a clock that no test sets.
 */
export function openWithShortLived(
  stub: HttpStub,
  { seconds, givenAfterMs = 0 }: { seconds: number; givenAfterMs?: number },
): Judge {
  const validUntil = new Map<string, number>();
  const issue: StubAnswer = (response, request) => {
    const iat = Math.floor(Date.now() / 1000);
    const n = validUntil.size + 1;
    const token = new UnsecuredJWT({ iat, exp: iat + seconds, n }).encode();
    validUntil.set(`Bearer ${token}`, performance.now() + (iat + seconds) * 1000 - Date.now() + leewayMs);
    return after(givenAfterMs, json({ token, refresh_token: `refresh-${n}` }))(response, request);
  };
  stub.answer('/v1/auth', issue);
  stub.answer('/v1/auth/refresh', issue);
  return (answer, refusedAfterMs = 0) =>
    (response, request) => {
      const until = validUntil.get(request.headers.authorization ?? '') ?? 0;
      return (performance.now() < until ? answer : after(refusedAfterMs, status(401)))(response, request);
    };
}
