import type { ServerResponse } from 'node:http';
import { drawsOf, hashOf, type Deviation, type FailureWay } from './deviation.ts';

/** The ways that chance chooses from: all but the refusal of a token, which is no failure of the service. */
const waysOfChance: readonly FailureWay[] = [
  '429 with seconds',
  '429 with a date',
  '429 alone',
  '500',
  '502',
  '503',
  'reset',
  'hang',
  'cut, wrong length',
  'cut, right length',
  'html',
];

/** Decides how an attempt of a request fails; `null` where it does not. `attempt` counts from 1. */
export function createFailures(
  deviation: Deviation,
  seed: number,
): (address: string, attempt: number) => FailureWay | null {
  const { failures } = deviation;
  const draw = drawsOf(seed);
  return (address, attempt) => {
    if (failures.kind === 'first') {
      const chosen = (hashOf(address) + seed) % failures.oneIn === 0;
      return chosen && attempt <= failures.times ? failures.way : null;
    }
    if (failures.kind === 'none' || draw() >= failures.share) return null;
    return waysOfChance[Math.floor(draw() * waysOfChance.length)] ?? null;
  };
}

/** Fails a response in this way, in place of the `body` that it would have had. */
export function fail(response: ServerResponse, way: FailureWay, body: string, clockSeconds: number): void {
  const date = Date.now() + clockSeconds * 1000;
  const dated = (afterMs: number): string => new Date(date + afterMs).toUTCString();
  const refuse = (status: number, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', date: dated(0), ...headers });
    response.end('{"error":{"message":"canary-error-body"}}');
  };
  const json = { 'content-type': 'application/json', date: dated(0) };
  switch (way) {
    case '429 with seconds':
      return refuse(429, { 'retry-after': '1' });
    case '429 with a date':
      return refuse(429, { 'retry-after': dated(1_000) });
    case '429 alone':
      return refuse(429);
    case '500':
      return refuse(500);
    case '502':
      return refuse(502);
    case '503':
      return refuse(503);
    case '401':
      return refuse(401);
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'hang':
      return;
    case 'cut, wrong length':
      response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(body)) });
      return void response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
    case 'cut, right length': {
      const half = body.slice(0, Math.floor(body.length / 2));
      response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(half)) });
      return void response.end(half);
    }
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end('<!doctype html><title>Maintenance</title>canary-error-body');
  }
}
