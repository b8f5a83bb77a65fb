import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { broadcastById, contentOf, deliveriesAsOf, recipientsOf, type Recipient } from './account.ts';
import { epochMs } from './calendar.ts';
import catalogue from './catalogue.json' with { type: 'json' };
import { listenOnLoopback } from '../emulators/loopback.ts';
import { createTokens, type Credentials, type Tokens } from './tokens.ts';

// Not imported: that would load Node's fetch too, which takes longer than the rest of a small process.
const { createServer } = process.getBuiltinModule('node:http');

interface SampleAccountOptions {
  /** The account's present: a Date, or ISO 8601 text with `Z` or an offset. Nothing later has happened yet. */
  asOf: Date | string;
  /** Default: the client id `sample-account` and a fresh random secret. */
  credentials?: Credentials;
  /** How long every answer takes at least; default 0. */
  latencyMs?: number;
  /** The clock of the tokens, and of nothing else; default the machine's. */
  now?: () => Date;
}

export interface SampleAccount extends AsyncDisposable {
  /** The base address, without a slash at its end. */
  url: string;
  credentials: Credentials;
  /** Everything that was asked so far, with the query; no headers and no bodies, so no token and no secret. */
  requests: ReadonlyArray<{ method: string; path: string }>;
  close(): Promise<void>;
}

/**
 * Starts a service on loopback that speaks the whole reporting interface, for an operator of sports centres whose
 * deliveries, broadcasts and people follow from the calendar alone: the same `asOf` always sees the same account, and
 * a later one sees the same history continued. Throws a TypeError where `asOf` is no instant.
 */
export async function startSampleAccount(options: SampleAccountOptions): Promise<SampleAccount> {
  const asOf = new Date(epochMs(options.asOf));
  const credentials = options.credentials ?? { id: 'sample-account', secret: randomBytes(24).toString('base64url') };
  const tokens = createTokens(credentials, options.now ?? (() => new Date()));
  const requests: Array<{ method: string; path: string }> = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '' });
    void respond(request, response, { asOf, tokens }, options.latencyMs ?? 0);
  });
  const loopback = await listenOnLoopback(server);
  return { ...loopback, credentials, requests, [Symbol.asyncDispose]: () => loopback.close() };
}

/** The present of the account, and who may ask. */
interface AccountPresent {
  asOf: Date;
  tokens: Tokens;
}

/** An address of the service interface, and the identifiers in it: decoded, and empty text where it has no such part. */
export interface EndpointAddress {
  endpoint: Endpoint;
  /** The one method that is answered here. */
  method: 'GET' | 'POST';
  deliveryId: string;
  contentId: string;
  broadcastId: string;
}

export type Endpoint = 'auth' | 'refresh' | 'users' | 'deliveries' | 'recipients' | 'content-recipients' | 'broadcast';

const deliveries = '/v1/broadcasts/deliveries';
/** The whole service interface. A path that two patterns fit belongs to the first of them. */
const patterns: ReadonlyArray<[Endpoint, EndpointAddress['method'], RegExp]> = [
  ['auth', 'POST', /^\/v1\/auth$/],
  ['refresh', 'POST', /^\/v1\/auth\/refresh$/],
  ['users', 'GET', /^\/v1\/users$/],
  ['deliveries', 'GET', new RegExp(`^${deliveries}$`)],
  ['recipients', 'GET', new RegExp(`^${deliveries}/(?<deliveryId>[^/]+)/recipients$`)],
  [
    'content-recipients',
    'GET',
    new RegExp(`^${deliveries}/(?<deliveryId>[^/]+)/contents/(?<contentId>[^/]+)/recipients$`),
  ],
  ['broadcast', 'GET', /^\/v1\/broadcasts\/(?<broadcastId>[^/]+)$/],
];

/** The address that a path, without its query, is; `null` where the service has none. Throws a `URIError` for an escape that cannot be read. */
export function addressOf(path: string): EndpointAddress | null {
  for (const [endpoint, method, pattern] of patterns) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const { deliveryId = '', contentId = '', broadcastId = '' } = found.groups ?? {};
    return {
      endpoint,
      method,
      deliveryId: decodeURIComponent(deliveryId),
      contentId: decodeURIComponent(contentId),
      broadcastId: decodeURIComponent(broadcastId),
    };
  }
  return null;
}

/** A request that the account does not grant: the HTTP status, and a code and a sentence for the body. */
class RequestRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Throws a `RequestRefusal`; an expression, so that it can be used in place of a missing value. */
function refuse(...refusal: ConstructorParameters<typeof RequestRefusal>): never {
  throw new RequestRefusal(...refusal);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  account: AccountPresent,
  latencyMs: number,
): Promise<void> {
  try {
    if (latencyMs > 0) await sleep(latencyMs);
    send(response, 200, await answer(request, account));
  } catch (error) {
    if (!(error instanceof RequestRefusal)) console.error('The sample account could not answer.', error);
    const internal = new RequestRefusal(500, 'internal_error', 'The account could not answer.');
    const { status, code, message, headers } = error instanceof RequestRefusal ? error : internal;
    send(response, status, { error: { code, message } }, headers);
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/** The body of a 200. Throws a `RequestRefusal`. */
async function answer(request: IncomingMessage, { asOf, tokens }: AccountPresent): Promise<unknown> {
  const { pathname, searchParams } =
    URL.parse(request.url ?? '', 'http://127.0.0.1') ?? refuse(400, 'invalid_address', 'The address is unreadable.');
  const address = readAddress(pathname) ?? refuse(404, 'not_found', 'There is nothing at this address.');
  const { endpoint, method, deliveryId, broadcastId } = address;
  if (method !== request.method) {
    refuse(405, 'method_not_allowed', `Only ${method} is answered here.`, { allow: method });
  }
  if (endpoint === 'auth') {
    const issued = tokens.exchange(await readBody(request, v.object({ id: v.string(), secret: v.string() })));
    return issued ?? refuse(401, 'invalid_credentials', 'The client id and secret are not those of this account.');
  }
  if (endpoint === 'refresh') {
    const { refresh_token: token } = await readBody(request, v.object({ refresh_token: v.string() }));
    return (
      tokens.refresh(token) ?? refuse(401, 'invalid_refresh_token', 'The refresh token is unknown or was used before.')
    );
  }
  if (!tokens.accepts(request.headers.authorization)) {
    refuse(401, 'invalid_token', 'A valid access token is needed.', { 'www-authenticate': 'Bearer' });
  }
  if (endpoint === 'users') return catalogue.users.map((user) => ({ user }));
  if (endpoint === 'deliveries') return deliveriesAsOf(asOf).map((delivery) => ({ delivery }));
  if (endpoint === 'recipients') {
    return recipientsOf(deliveryId, asOf) ?? refuse(404, 'not_found', 'There is no such delivery.');
  }
  if (endpoint === 'content-recipients') return filteredRecipients(address, searchParams, asOf);
  return broadcastById(broadcastId, asOf) ?? refuse(404, 'not_found', 'There is no such broadcast.');
}

function readAddress(pathname: string): EndpointAddress | null {
  try {
    return addressOf(pathname);
  } catch {
    return refuse(400, 'invalid_address', 'The address has an escape that cannot be read.');
  }
}

/** The one filter there is: `rating`, for ratings alone, repeated or separated by commas. Others are refused. */
function filteredRecipients(
  { deliveryId, contentId }: EndpointAddress,
  query: URLSearchParams,
  asOf: Date,
): Recipient[] {
  const { type, rows } =
    contentOf(deliveryId, contentId, asOf) ??
    refuse(404, 'not_found', 'There is no such content item in this delivery.');
  if ([...query.keys()].some((name) => name !== 'rating' || type !== 'rating')) {
    refuse(400, 'invalid_parameter', `A query parameter does not apply to a content item of type ${type}.`);
  }
  if (!query.has('rating')) return rows;
  const wanted = query.getAll('rating').flatMap((value) => value.split(','));
  if (wanted.some((value) => !/^[1-5]$/.test(value))) {
    refuse(400, 'invalid_parameter', 'A rating is a whole number from 1 to 5.');
  }
  return rows.filter(({ rating }) => wanted.includes(String(rating)));
}

const largestBodyBytes = 16_384;

async function readBody<T>(request: IncomingMessage, schema: v.GenericSchema<unknown, T>): Promise<T> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    refuse(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > largestBodyBytes) refuse(413, 'body_too_large', 'The body is too large.');
  }
  const parsed = v.safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.output;
  const fields = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'body');
  return refuse(400, 'invalid_body', `Missing or of the wrong type: ${fields.join(', ')}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(400, 'invalid_body', 'The body is not JSON.');
  }
}
