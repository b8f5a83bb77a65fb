import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../infra/local/emulators/loopback.ts';

/** What an account of the service answers, each the body of a 200, in bytes or as a value; a number is a refusal's status. */
export interface ServiceAnswers {
  deliveries(): unknown;
  broadcast(broadcastId: string): unknown;
  recipients(deliveryId: string): unknown;
  contentRecipients(deliveryId: string, contentId: string): unknown;
}

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

const credentials = { id: 'client-of-the-test', secret: 'canary-secret-5b1f0c7e' };
/** A JWT whose claims say nothing of its life: it is used until it is refused. */
const accessToken = `${base64url({ alg: 'none' })}.${base64url({ canary: 'canary-access-token' })}.c2ln`;
const refreshToken = 'ca9a47'.repeat(20);

/**
 * Starts a service that gives `answers`, in the documented shapes, to clients with the right credentials.
 *
 * @param options.failOnce an address (method and path) that is answered with this status the first time it is asked
 */
export async function startServiceAccount(
  answers: Partial<ServiceAnswers>,
  options: { failOnce?: ReadonlyMap<string, number> } = {},
): Promise<ServiceAccount> {
  const requests: string[] = [];
  const failures = new Map(options.failOnce);
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    requests.push(asked);
    const failure = failures.get(asked);
    failures.delete(asked);
    void respond(request, response, failure === undefined ? answers : null, failure ?? 200);
  });
  const loopback = await listenOnLoopback(server);
  const { id: SERVICE_CLIENT_ID, secret: SERVICE_CLIENT_SECRET } = credentials;
  return {
    ...loopback,
    environment: { SERVICE_CLIENT_ID, SERVICE_CLIENT_SECRET },
    requests,
    tokens: [accessToken, refreshToken],
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Partial<ServiceAnswers> | null,
  status: number,
): Promise<void> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const answer = answers === null ? status : answerOf(request, text, answers);
  const refused = typeof answer === 'number';
  const body = Buffer.isBuffer(answer) ? answer : JSON.stringify(refused ? { error: { code: 'refused' } } : answer);
  response.writeHead(refused ? answer : 200, { 'content-type': 'application/json' }).end(body);
}

function answerOf(request: IncomingMessage, body: string, answers: Partial<ServiceAnswers>): unknown {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (path === '/v1/auth') return answerOfAuth(body);
  if (request.headers.authorization !== `Bearer ${accessToken}`) return 401;
  const [, deliveryId = '', contentId] =
    /^\/v1\/broadcasts\/deliveries\/([^/]+)(?:\/contents\/([^/]+))?\/recipients$/.exec(path) ?? [];
  if (contentId !== undefined) {
    return answers.contentRecipients?.(decodeURIComponent(deliveryId), decodeURIComponent(contentId)) ?? 404;
  }
  if (deliveryId !== '') return answers.recipients?.(decodeURIComponent(deliveryId)) ?? 404;
  if (path === '/v1/broadcasts/deliveries') return answers.deliveries?.() ?? 404;
  const [, broadcastId = ''] = /^\/v1\/broadcasts\/([^/]+)$/.exec(path) ?? [];
  return broadcastId === '' ? 404 : (answers.broadcast?.(decodeURIComponent(broadcastId)) ?? 404);
}

function answerOfAuth(body: string): unknown {
  const { id, secret }: { id?: unknown; secret?: unknown } = JSON.parse(body);
  return id === credentials.id && secret === credentials.secret
    ? { token: accessToken, refresh_token: refreshToken }
    : 401;
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
