import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../infra/local/loopback.ts';

/** A request as it came in. `path` is as it was on the wire, without the query; `at` is in milliseconds of `performance.now()`. */
interface RecordedRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** Answers one request. */
export type StubAnswer = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

/** A scripted HTTP server. */
export type HttpStub = Awaited<ReturnType<typeof startHttpStub>>;

/**
 * Starts a stub on 127.0.0.1. A path that has no script answers 418, which no client mistakes for the service's word. `close` also
 * ends the requests that it left hanging.
 */
export async function startHttpStub() {
  const scripts = new Map<string, StubAnswer[]>();
  const requests: RecordedRequest[] = [];

  const scriptOf = ({ path, query }: RecordedRequest): StubAnswer => {
    const script = scripts.get(path + query) ?? scripts.get(path) ?? [];
    const [next] = script;
    if (script.length > 1) script.shift();
    return next ?? status(418);
  };
  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await record(message);
    requests.push(request);
    await scriptOf(request)(response, request);
  };

  const server = createServer((message, response) => void respond(message, response));
  return {
    ...(await listenOnLoopback(server)),
    requests,
    /** Answers the requests for `path` (with its query, if it is given) one by one; the last answer repeats. */
    answer: (path: string, ...answers: [StubAnswer, ...StubAnswer[]]) => void scripts.set(path, answers),
    /** Paths with their queries, in the order in which they were asked for. */
    asked: () => requests.map(({ path, query }) => path + query),
  };
}

/** A request with its body, read whole. */
export async function record(message: IncomingMessage): Promise<RecordedRequest> {
  const { method = 'GET', url = '/', headers } = message;
  const at = performance.now();
  const queryStart = url.includes('?') ? url.indexOf('?') : url.length;
  const body = (await buffer(message)).toString();
  return { method, path: url.slice(0, queryStart), query: url.slice(queryStart), headers, body, at };
}

/** 200 with a JSON body. */
export function json(body: unknown, headers: Record<string, string> = {}): StubAnswer {
  return text(JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** 200 with a body as it is. */
export function text(body: string, headers: Record<string, string> = {}): StubAnswer {
  return (response) => void response.writeHead(200, headers).end(body);
}

/** A status with a body that nobody should show. */
export function status(code: number, headers: Record<string, string> = {}): StubAnswer {
  return (response) =>
    void response.writeHead(code, headers).end(code === 304 ? undefined : '{"error":"canary-error-body"}');
}

/** The answer of `then`, after some time. */
export function after(delayMs: number, then: StubAnswer): StubAnswer {
  return (response, request) => void setTimeout(() => void then(response, request), delayMs);
}

/** The connection is reset without an answer. */
export const reset: StubAnswer = (response) => void response.socket?.resetAndDestroy();

/** No answer, ever. */
export const hang: StubAnswer = () => undefined;

/** Headers and the beginning of a body, and then nothing, ever. */
export function stall(beginning: string): StubAnswer {
  return (response) => void response.writeHead(200).write(beginning);
}

/** A body that ends before the `Content-Length` that was announced. */
export function cutShort(beginning: string, announcedBytes: number): StubAnswer {
  return (response) => {
    response.writeHead(200, { 'content-length': String(announcedBytes) }).write(beginning, () => response.destroy());
  };
}

/** A body of so many mebibytes of spaces before its end, written as fast as the client reads. */
export function mebibytes(count: number, end = ''): StubAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const block = Buffer.alloc(1024 * 1024, ' ');
    Readable.from([...Array.from({ length: count }, () => block), end]).pipe(response);
  };
}
