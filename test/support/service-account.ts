import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback, readBody } from '../../infra/local/emulators/loopback.ts';
import {
  addressAsked,
  notAnAddress,
  replyAt,
  replyWith,
  type ServiceAnswers,
  type ServiceReply,
} from './service-answers.ts';

/** A service on loopback that counts what it is asked. */
export interface ServiceAccount {
  url: string;
  /** The variables that name the right credentials to the start command. */
  environment: { SERVICE_CLIENT_ID: string; SERVICE_CLIENT_SECRET: string };
  /** Everything that was asked so far: method and address. */
  requests: readonly string[];
  /** The tokens that were handed out. */
  tokens: readonly string[];
  close(): Promise<void>;
}

export interface ServiceAccountOptions {
  /** Addresses (method and path) that are answered with this status the first time they are asked. */
  failOnce?: ReadonlyMap<string, number>;
  /** The base address has this path, which begins with a slash. */
  basePath?: string;
  credentials?: { id: string; secret: string };
}

/** A JWT whose claims say nothing of its life: it is used until it is refused. */
const accessToken = `${base64url({ alg: 'none' })}.${base64url({ canary: 'canary-access-token' })}.c2ln`;
const tokens = { token: accessToken, refresh_token: 'ca9a47'.repeat(20) };

/** Starts a service that gives `answers`, in the documented shapes, to clients with the right credentials. */
export async function startServiceAccount(
  answers: Partial<ServiceAnswers>,
  options: ServiceAccountOptions = {},
): Promise<ServiceAccount> {
  const { basePath = '', credentials = { id: 'client-of-the-test', secret: 'canary-secret-5b1f0c7e' } } = options;
  const requests: string[] = [];
  const failures = new Map(options.failOnce);
  const replyTo = (request: IncomingMessage, body: string): ServiceReply => {
    const asked = `${request.method} ${request.url}`;
    const failure = failures.get(asked);
    failures.delete(asked);
    if (failure !== undefined) return replyWith(failure);
    const address = addressAsked(request, basePath);
    if (address?.endpoint === 'auth') return replyWith(isGranted(JSON.parse(body), credentials) ? tokens : 401);
    if (request.headers.authorization !== `Bearer ${accessToken}`) return replyWith(401);
    return address === null ? notAnAddress : replyAt(address, new URL(request.url ?? '/', loopback.url), answers);
  };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void readBody(request).then((body) => send(response, replyTo(request, body.toString('utf8'))));
  });
  const loopback = await listenOnLoopback(server);
  return {
    url: loopback.url + basePath,
    environment: { SERVICE_CLIENT_ID: credentials.id, SERVICE_CLIENT_SECRET: credentials.secret },
    requests,
    tokens: Object.values(tokens),
    close: () => loopback.close(),
  };
}

function isGranted(body: unknown, { id, secret }: { id: string; secret: string }): boolean {
  const given: { id?: unknown; secret?: unknown } = Object(body);
  return given.id === id && given.secret === secret;
}

function send(response: ServerResponse, { status, headers, body }: ServiceReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
