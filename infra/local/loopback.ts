import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LocalError } from './local-error.ts';

// Not imported: that loads Node's fetch too, which takes longer than the rest of a small process.
const { createServer } = process.getBuiltinModule('node:http');

/** A server on 127.0.0.1. `url` has no trailing slash; `close` ends open connections too. */
export type Loopback = Pick<Awaited<ReturnType<typeof listenOnLoopback>>, 'url' | 'close'>;

/** A request whose body was read whole. `url` is the path with its query, without the secret path of the server. */
export interface LoopbackRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface LoopbackAnswer {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

type Answering = (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>;

/** A path that nobody can guess: other users of this machine can reach its ports, too. AWS's clients take an endpoint with a path. */
export const secretPath = (): string => `/${randomBytes(24).toString('base64url')}`;

/**
 * Lets a server listen on 127.0.0.1, by default on a port that the system chooses, and at every path. A request for another path,
 * or under a name of another site that resolves to loopback, gets nothing. Rejects where the port is taken.
 */
export async function listenOnLoopback(server: Server, port = 0, path = '') {
  const [handle] = server.listeners('request');
  server.removeAllListeners('request').on('request', (request, response) => {
    const { url = '/', headers } = request;
    const isOfThisMachine = /^(?:127\.0\.0\.1|localhost):\d+$/.test(headers.host ?? '');
    request.url = url.slice(path.length);
    if (isOfThisMachine && url.startsWith(`${path}/`)) handle?.call(server, request, response);
    else response.writeHead(403).end();
  });
  // An idle connection that is closed here while a request is on its way there would seem to the client like an answer that got lost.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port.');
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${address.port}${path}`, close, [Symbol.asyncDispose]: close };
}

/**
 * Serves a part, below a secret path unless a `port` is named, since others know its address then: every request is read whole,
 * answered by `answer`, and given a request id. Where `answer` throws, the client gets a 500, which the AWS clients read as a fault
 * of the server.
 */
export function serveOnLoopback(answer: Answering, port?: number) {
  const server = createServer((request, response) => void respond(request, response, answer));
  return listenOnLoopback(server, port, port === undefined ? secretPath() : '');
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
  try {
    const body = await buffer(request);
    const { method = 'GET', url = '/', headers } = request;
    const answered = await answer({ method, url, headers, body });
    response.writeHead(answered.status, { ...answered.headers, 'x-amzn-requestid': randomUUID() }).end(answered.body);
  } catch (error) {
    if (response.destroyed || response.headersSent) return;
    console.error('An embedded part failed:', error instanceof LocalError ? error.message : error);
    response.writeHead(500).end();
  }
}
