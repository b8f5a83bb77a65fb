import { CredentialsError } from '../../../functions/reporting-service/tokens/credentials.ts';
import { isObject } from '../../../functions/reporting-service/json.ts';
import { claimsOf, tokenUsableForMs } from '../../../functions/reporting-service/tokens/token-lifetime.ts';
import type { AccessToken } from '../../../functions/reporting-service/tokens/tokens.ts';
import type { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { attempt, type ExaminedAccount } from './account.ts';
import { fault, good, info, look, type Finding } from './finding.ts';

/** A difference between the clocks that is not worth reporting. */
export const negligibleSkewMs = 30_000;

/** Examines credentials, token, refresh and clock. Where there is no usable token, nothing else can be examined. */
export async function examineTokens(
  account: ExaminedAccount,
  { clockIsRight }: { clockIsRight: boolean },
): Promise<{ findings: Finding[]; usable: boolean }> {
  const { tokens, observed } = account;
  let access: { value: AccessToken } | { error: UnavailableError };
  try {
    access = await attempt(() => tokens.access());
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return { findings: [fault('credentials', `${error.message} Ask for new ones, or correct them.`)], usable: false };
  }
  if ('error' in access) return { findings: [unreachable(access.error)], usable: false };
  const token = access.value.value;
  const answer = observed.take('auth');
  const findings = [good('credentials', 'The service accepts the client id and secret.')];
  if (answer !== null) {
    findings.push(describeToken(token, answer.receivedAt, answer.headers.get('date')));
    findings.push(describeClock(answer.receivedAt, answer.headers.get('date'), clockIsRight));
    findings.push(await examineRefresh(account, token, answer.body));
  }
  return { findings, usable: true };
}

function unreachable(error: UnavailableError): Finding {
  const { reason, status } = error.unavailable;
  const where = { name: 'service.baseUrl', value: 'the address of the account, with its path prefix if it has one' };
  if (reason === 'redirected') return fault('reach', `${error.message}. The service is at another address.`, where);
  if (status === 404 || reason === 'unreadable') return fault('reach', `${error.message}.`, where);
  if (/no answer in time/.test(error.message)) {
    return fault('reach', `${error.message}.`, { name: 'service.timeout', value: 'more seconds' });
  }
  return fault('reach', `${error.message}.`, status === undefined ? where : undefined);
}

function describeToken(token: string, receivedAt: number, date: string | null): Finding {
  const { exp } = claimsOf(token);
  if (exp === undefined)
    return info('token', 'The token does not say when it expires: it is used until it is refused.');
  const usableForMs = tokenUsableForMs(token, receivedAt, date);
  if (usableForMs === null)
    return info('token', 'The token has already expired when it arrives: it is used until it is refused.');
  return good('token', `The token is used for ${Math.round(usableForMs / 1000)} seconds.`);
}

function describeClock(receivedAt: number, date: string | null, clockIsRight: boolean): Finding {
  const check = "service's clock";
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return info(check, 'The service does not say what time it is.');
  const skew = Math.abs(receivedAt - theirs);
  if (skew < negligibleSkewMs) return good(check, "The service's clock agrees with this one.");
  const found = `The service's clock and this one are ${Math.round(skew / 1000)} seconds apart.`;
  return clockIsRight
    ? info(check, `${found} An expired token is replaced after a 401, at the cost of one request.`)
    : look(check, `${found} Check that this one is right: what is due depends on it.`);
}

/** Fetches a new token with the refresh token, as in the middle of a run. */
async function examineRefresh({ tokens, observed }: ExaminedAccount, token: string, body: unknown): Promise<Finding> {
  if (!isObject(body) || typeof body['refresh_token'] !== 'string' || body['refresh_token'] === '') {
    return info('refresh', 'There is no refresh token: the credentials are used each time.');
  }
  const replaced = await attempt(() => tokens.access(token));
  if ('error' in replaced) return info('refresh', `${replaced.error.message}.`);
  return observed.take('refresh') === null
    ? info('refresh', 'The refresh token was refused: the credentials are used each time.')
    : good('refresh', 'The refresh token gives a new token.');
}
