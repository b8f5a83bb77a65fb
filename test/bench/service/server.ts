import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../../infra/local/emulators/loopback.ts';
import { createAccount, createToken, type AccountSize } from './account.ts';

/** Size and latency of the service of a measurement. */
export interface ServiceSettings extends AccountSize {
  /** Every answer takes this long, from the request's headers to the answer's. */
  latencyMs: number;
}

/** The service's own count of what it was asked. */
export interface Asked {
  /** Requests beside those for tokens. */
  requests: number;
  tokens: number;
  /** Those it could not answer with a 200. */
  refused: number;
  /** What a digest needs, tokens aside. */
  needed: number;
  /** From a request's headers to the end of its answer, on the mean. */
  meanLatencyMs: number;
}

/** A service that costs next to nothing: every body is ready before the first request, found by its path and query as they are. */
export async function serveAccount(settings: ServiceSettings): Promise<{ url: string; asked: Asked }> {
  const { pages, needed } = createAccount(settings);
  const asked: Asked = { requests: 0, tokens: 0, refused: 0, needed, meanLatencyMs: 0 };
  let answered = 0;
  const token = createToken(Date.now());
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '';
    if (path === '/v1/auth' || path === '/v1/auth/refresh') {
      asked.tokens += 1;
      send(response, 200, Buffer.from(JSON.stringify({ token, refresh_token: 'ab'.repeat(32) })));
      return;
    }
    asked.requests += 1;
    const page = request.headers.authorization === `Bearer ${token}` ? pages.get(path) : undefined;
    if (page === undefined) asked.refused += 1;
    send(response, page === undefined ? 404 : 200, page?.body ?? Buffer.from('{}'), page?.next);
  };
  const server = createServer((request, response) => {
    request.resume();
    const begun = performance.now();
    response.once('finish', () => {
      answered += 1;
      asked.meanLatencyMs += (performance.now() - begun - asked.meanLatencyMs) / answered;
    });
    if (settings.latencyMs === 0) answer(request, response);
    else setTimeout(answer, settings.latencyMs, request, response);
  });
  const { url } = await listenOnLoopback(server);
  return { url, asked };
}

function send(response: ServerResponse, status: number, body: Buffer, next?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(next === undefined ? {} : { link: `<${next}>; rel="next"` }),
  });
  response.end(body);
}
