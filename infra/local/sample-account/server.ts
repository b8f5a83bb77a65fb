import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { jsonAnswer, parseJson } from '../emulators/aws-protocol.ts';
import { serveOnLoopback, type LoopbackAnswer, type LoopbackRequest } from '../loopback.ts';
import { broadcastById, contentOf, deliveriesAsOf, recipientsOf } from './engagement.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/**
 * Starts a service on loopback that speaks the whole reporting interface, for an operator of sports centres whose
 * deliveries, broadcasts and people follow from the calendar alone: the same `asOf` always sees the same account, and
 * a later one sees the same history continued. Its `url` has no slash at its end.
 *
 * @param options.asOf the account's present: a Date, or ISO 8601 text with `Z` or an offset. Nothing later has happened yet.
 * @param options.credentials by default the client id `sample-account` and a fresh random secret
 */
export async function startSampleAccount(options: { asOf: Date | string; credentials?: Credentials }) {
  const nowMs = new Date(options.asOf).getTime();
  const credentials = options.credentials ?? { id: 'sample-account', secret: randomBytes(24).toString('base64url') };
  const tokens = createTokens(credentials);
  /** Everything that was asked so far, with the query; no headers and no bodies, so no token and no secret. */
  const requests: Array<{ method: string; path: string }> = [];
  const loopback = await serveOnLoopback((request) => {
    requests.push({ method: request.method, path: request.url });
    return answer(request, nowMs, tokens);
  });
  return { ...loopback, credentials, requests };
}

/** An address of the service interface. */
export type EndpointAddress = NonNullable<ReturnType<typeof addressOf>>;

const deliveries = '/v1/broadcasts/deliveries';
const delivery = `${deliveries}/(?<deliveryId>[^/]+)`;
/** The whole service interface, with the one method that is answered there. A path that two patterns fit belongs to the first of them. */
const patterns = [
  ['auth', 'POST', /^\/v1\/auth$/],
  ['refresh', 'POST', /^\/v1\/auth\/refresh$/],
  ['users', 'GET', /^\/v1\/users$/],
  ['deliveries', 'GET', new RegExp(`^${deliveries}$`)],
  ['recipients', 'GET', new RegExp(`^${delivery}/recipients$`)],
  ['content-recipients', 'GET', new RegExp(`^${delivery}/contents/(?<contentId>[^/]+)/recipients$`)],
  ['broadcast', 'GET', /^\/v1\/broadcasts\/(?<broadcastId>[^/]+)$/],
] as const;

/**
 * The address that a path, without its query, is, and the identifiers in it: decoded, and empty text where it has no such part.
 * `null` where the service has none. Throws a `URIError` for an escape that cannot be read.
 */
export function addressOf(path: string) {
  for (const [endpoint, method, pattern] of patterns) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const part = (name: string): string => decodeURIComponent(match.groups?.[name] ?? '');
    const ids = { deliveryId: part('deliveryId'), contentId: part('contentId'), broadcastId: part('broadcastId') };
    return { endpoint, method, ...ids };
  }
  return null;
}

function answer({ method, url, headers, body }: LoopbackRequest, nowMs: number, tokens: Tokens): LoopbackAnswer {
  const { pathname, searchParams } = new URL(url, 'http://loopback');
  const address = addressOf(pathname);
  if (address?.method !== method) return refusal(404, 'not_found', 'There is nothing at this address.');
  const { endpoint, deliveryId, contentId, broadcastId } = address;
  if (endpoint === 'auth' || endpoint === 'refresh') {
    const issued = tokens.grant(endpoint, v.parse(tokenRequest, parseJson(body)));
    if (issued !== undefined) return jsonAnswer(200, issued);
    return refusal(401, 'invalid_credentials', 'These are no credentials of this account, or were used before.');
  }
  if (!tokens.accepts(headers.authorization)) {
    return refusal(401, 'invalid_token', 'A valid access token is needed.');
  }
  if (endpoint === 'users') return answerWith(catalogue.users.map((user) => ({ user })));
  if (endpoint === 'deliveries') return answerWith(deliveriesAsOf(nowMs).map((delivery) => ({ delivery })));
  if (endpoint === 'recipients') return answerWith(recipientsOf(deliveryId, nowMs));
  if (endpoint === 'broadcast') return answerWith(broadcastById(broadcastId, nowMs));
  const content = contentOf(deliveryId, contentId, nowMs);
  if (content === undefined || searchParams.size === 0) return answerWith(content?.rows);
  // The one filter there is: for ratings alone, repeated or separated by commas.
  if (content.type !== 'rating' || [...searchParams.keys()].some((name) => name !== 'rating')) {
    return refusal(400, 'invalid_parameter', `A query parameter does not apply to an item of type ${content.type}.`);
  }
  const wanted = new Set(searchParams.getAll('rating').flatMap((value) => value.split(',')));
  return answerWith(content.rows.filter(({ rating }) => wanted.has(String(rating))));
}

function answerWith(body: unknown): LoopbackAnswer {
  return body === undefined ? refusal(404, 'not_found', 'There is no such thing.') : jsonAnswer(200, body);
}

function refusal(status: number, code: string, message: string): LoopbackAnswer {
  return jsonAnswer(status, { error: { code, message } });
}

const text = v.optional(v.string());
/** The body of a request for tokens; one that cannot be read is nobody's. */
const tokenRequest = v.fallback(v.object({ id: text, secret: text, refresh_token: text }), {});

type Tokens = ReturnType<typeof createTokens>;
const accessTokenSeconds = 300;

/** The account's tokens: access tokens have the shape of JWTs and are good for five minutes, refresh tokens for one use. */
function createTokens(credentials: Credentials) {
  const expiries = new Map<string, number>();
  const unused = new Set<string>();
  const issue = () => {
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + accessTokenSeconds;
    const claims = { account: 'harbour-leisure', sub: credentials.id, jti: randomUUID(), iat, exp };
    const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
    const token = [...parts, randomBytes(32)].map((part) => part.toString('base64url')).join('.');
    const refreshToken = randomBytes(64).toString('hex');
    expiries.set(token, exp);
    unused.add(refreshToken);
    return { token, refresh_token: refreshToken };
  };
  return {
    /** New tokens for the right credentials, or for a refresh token that was issued here and never used; `undefined` for others. */
    grant: (endpoint: 'auth' | 'refresh', { id, secret, refresh_token = '' }: v.InferOutput<typeof tokenRequest>) => {
      const areRight = id === credentials.id && secret === credentials.secret;
      return (endpoint === 'auth' ? areRight : unused.delete(refresh_token)) ? issue() : undefined;
    },
    /** Whether an `Authorization` header carries an access token that is valid now. */
    accepts: (authorization = '') => Date.now() / 1000 < (expiries.get(authorization.replace(/^Bearer /, '')) ?? 0),
  };
}
