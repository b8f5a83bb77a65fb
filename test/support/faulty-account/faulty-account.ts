import type { ServerResponse } from 'node:http';
import type { EndpointAddress } from '../../../infra/local/sample-account/server.ts';
import type { Account } from '../accounts/account.ts';
import { answersOf } from '../accounts/serve.ts';
import { missingKey } from '../oracle/lists.ts';
import { startService, type Behaviour, type RequestLog, type Service } from '../service/service.ts';
import { accountOf, victimsOf, type Victims } from './account.ts';
import { documented, drawsOf, hashOf, waysOfService, type Deviation, type FailureWay } from './deviation.ts';

export interface FaultyAccount extends Omit<Service, 'behave'> {
  /** The account as it departs now. */
  account(): Account;
  /** Departs from the documented service in this way from now on, and begins a new log. `seed` decides what is left to chance. */
  depart(deviation: Deviation, seed?: number): void;
}

/**
 * Starts the sample account, as it is at `asOf`, with faults: it gives its data as the current deviation says, to clients
 * with the right credentials, and keeps a log of all it was asked. The oracle reads it for the `period`.
 */
export async function startFaultyAccount({
  credentials,
  ...options
}: {
  asOf: string;
  credentials: { id: string; secret: string };
  period: { start: string; end: string };
  newest?: number | undefined;
  isPaged?: boolean | undefined;
}): Promise<FaultyAccount> {
  const victims = victimsOf(Date.parse(options.asOf));
  const accountWith = (deviation: Deviation): Account => accountOf({ ...options, deviation });
  let account = accountWith(documented);
  const behave = (deviation: Deviation, seed: number): Behaviour => behaviourOf(deviation, seed, victims, account);
  const service = await startService(behave(documented, 1), { credentials });
  return {
    ...service,
    account: () => account,
    depart: (deviation, seed = 1) => {
      account = accountWith(deviation);
      service.behave(behave(deviation, seed));
    },
  };
}

function behaviourOf(deviation: Deviation, seed: number, victims: Victims, account: Account): Behaviour {
  const { tokens, latencyMs } = deviation;
  const refusals = refusalsOf(deviation, victims);
  const isDown = createOutage(deviation);
  const failureOf = createFailures(deviation, seed);
  const tries = new Map<string, number>();
  return {
    answers: answersOf(() => account),
    tokens,
    latencyMs,
    thingAt,
    refusal: ({ thing }, log) => {
      if (isDown(log)) return 500;
      if (tokens === 'revoked' && log.attempts.length === 60) log.authority.revokeAll();
      return refusals.get(thing);
    },
    failure: (address) => {
      const tried = (tries.get(address) ?? 0) + 1;
      tries.set(address, tried);
      const way = failureOf(address, tried);
      return way === null ? null : { way, fail: (response, body) => fail(response, way, body) };
    },
  };
}

/** What an address gives: its endpoint, with the identifiers as a digest names what is missing; `ratings` under a filter. */
function thingAt({ endpoint, deliveryId, contentId, broadcastId }: EndpointAddress, url: URL): string {
  if (endpoint === 'recipients') return missingKey('recipients', deliveryId);
  if (endpoint === 'broadcast') return missingKey('broadcast', broadcastId);
  if (endpoint !== 'content-recipients') return endpoint;
  return missingKey(url.searchParams.has('rating') ? 'ratings' : 'content', deliveryId, contentId);
}

/** The things that are refused for ever, with their status. */
function refusalsOf(
  { refused }: Deviation,
  { delivery, broadcast, content }: Victims,
): Map<string, number | undefined> {
  return new Map([
    [missingKey('recipients', delivery), refused.recipients],
    [missingKey('broadcast', broadcast), refused.broadcast],
    [missingKey('content', content.delivery, content.content), refused.content],
  ]);
}

/** Tells whether the service answers nothing at the moment. */
function createOutage({ down }: Deviation): (log: RequestLog) => boolean {
  let since: number | null = null;
  return ({ attempts }) => {
    if (down.kind === 'never') return false;
    if (down.kind === 'always') return true;
    if (since === null && attempts.length >= down.after) since = Date.now();
    return since !== null && Date.now() < since + down.outageMs;
  };
}

/** Decides how an attempt of a request fails; `null` where it does not. `attempt` counts from 1. */
function createFailures(deviation: Deviation, seed: number): (address: string, attempt: number) => FailureWay | null {
  const { failures } = deviation;
  const draw = drawsOf(seed);
  return (address, attempt) => {
    if (failures.kind === 'first') {
      const chosen = (hashOf(address) + seed) % failures.oneIn === 0;
      return chosen && attempt <= failures.times ? failures.way : null;
    }
    if (failures.kind === 'none' || draw() >= failures.share) return null;
    return waysOfService[Math.floor(draw() * waysOfService.length)] ?? null;
  };
}

/** Fails a response in this way, in place of the `body` that it would have had. */
function fail(response: ServerResponse, way: FailureWay, body: string): void {
  const refuse = (status: number, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"error":{"message":"canary-error-body"}}');
  };
  switch (way) {
    case '429 with seconds':
      return refuse(429, { 'retry-after': '1' });
    case '500':
    case '503':
    case '401':
      return refuse(Number(way));
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(body.slice(0, Math.floor(body.length / 2)));
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end('<!doctype html><title>Maintenance</title>canary-error-body');
  }
}
