import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type EndpointAddress } from './addresses.ts';
import { epochMs } from './calendar.ts';
import { answers, type AccountPresent } from './endpoints.ts';
import { RequestRefusal, refuseRequest } from './refusal.ts';
import { createTokens, type Credentials } from './tokens.ts';

// Not imported: that would load Node's fetch too, which takes longer than the rest of a small process.
const { createServer } = process.getBuiltinModule('node:http');

interface SampleAccountOptions {
  /** The account's present: a Date, or ISO 8601 text with `Z` or an offset. Nothing later has happened yet. */
  asOf: Date | string;
  /** Default: any free port. */
  port?: number;
  /** Default: the client id `sample-account` and a fresh random secret. */
  credentials?: Credentials;
  /** How long every answer takes at least; default 0. */
  latencyMs?: number;
  /** The clock of the tokens, and of nothing else; default the machine's. */
  now?: () => Date;
}

export interface SampleAccount {
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
  const account: AccountPresent = {
    asOf,
    tokens: createTokens(credentials, options.now ?? (() => new Date())),
  };
  const requests: Array<{ method: string; path: string }> = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '' });
    void respond(request, response, account, options.latencyMs ?? 0);
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    credentials,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new TypeError('The sample account listens on no port.');
  return address.port;
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
    const refusal = error instanceof RequestRefusal ? error : internalError(error);
    const { status, code, message, headers } = refusal;
    send(response, status, { error: { code, message } }, headers);
  }
}

function internalError(cause: unknown): RequestRefusal {
  console.error('The sample account could not answer.', cause);
  return new RequestRefusal(500, 'internal_error', 'The account could not answer.');
}

async function answer(request: IncomingMessage, account: AccountPresent): Promise<unknown> {
  const { pathname, searchParams } =
    URL.parse(request.url ?? '', 'http://127.0.0.1') ??
    refuseRequest(400, 'invalid_address', 'The address is unreadable.');
  const address = askedAddress(request.method ?? '', pathname);
  if (!isOpen(address) && !(await account.tokens.accepts(request.headers.authorization))) {
    refuseRequest(401, 'invalid_token', 'A valid access token is needed.', { 'www-authenticate': 'Bearer' });
  }
  return answers[address.endpoint]({ address, query: searchParams, body: () => jsonBody(request) }, account);
}

/** Whether an address is answered without an access token. */
function isOpen({ endpoint }: EndpointAddress): boolean {
  return endpoint === 'auth' || endpoint === 'refresh';
}

function askedAddress(method: string, pathname: string): EndpointAddress {
  const address = readAddress(pathname) ?? refuseRequest(404, 'not_found', 'There is nothing at this address.');
  if (address.method === method) return address;
  return refuseRequest(405, 'method_not_allowed', `Only ${address.method} is answered here.`, {
    allow: address.method,
  });
}

function readAddress(pathname: string): EndpointAddress | null {
  try {
    return addressOf(pathname);
  } catch {
    return refuseRequest(400, 'invalid_address', 'The address has an escape that cannot be read.');
  }
}

const largestBodyBytes = 16_384;

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    refuseRequest(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > largestBodyBytes) refuseRequest(413, 'body_too_large', 'The body is too large.');
  }
  try {
    return JSON.parse(text);
  } catch {
    return refuseRequest(400, 'invalid_body', 'The body is not JSON.');
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
