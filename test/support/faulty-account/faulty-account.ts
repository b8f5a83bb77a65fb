import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback, readBody } from '../../../infra/local/emulators/loopback.ts';
import { addressAsked, replyAt, type ServiceReply } from '../service-answers.ts';
import { deviatingAnswers, thingAt, type Place } from './answers.ts';
import { documented, type Deviation } from './deviation.ts';
import { createFailures, fail } from './failures.ts';
import { victimsOf, type Victims } from './meaning.ts';

import { createAuthority, type TokenAuthority } from './tokens.ts';

/** One attempt of a request: what it asked for, in the account's own identifiers, and its outcome. */
export interface Attempt {
  /** In the words of `thingAt`; empty for addresses that no run asks for. */
  thing: string;
  /** Method and address as it was asked. */
  address: string;
  /** `answered`, a status, or the way it failed. */
  outcome: string;
  at: number;
}

/** Everything that was asked since the last call of `depart`. */
export interface RequestLog {
  attempts: Attempt[];
  mostInFlight: number;
  authority: TokenAuthority;
  /** Addresses that no client of the interface asks for. */
  strange: string[];
  /** Requests that reached the other origin. */
  elsewhere: string[];
}

export interface FaultyAccount {
  url: string;
  /** The variables that name the right credentials to the start command. */
  environment: { SERVICE_CLIENT_ID: string; SERVICE_CLIENT_SECRET: string };
  victims: Victims;
  /** Departs from the documented service in this way from now on, and begins a new log. `seed` decides what is left to chance. */
  depart(deviation: Deviation, seed?: number): void;
  log(): RequestLog;
  close(): Promise<void>;
}

interface State {
  deviation: Deviation;
  log: RequestLog;
  failureOf: ReturnType<typeof createFailures>;
  tries: Map<string, number>;
  inFlight: number;
  downSince: number | null;
}

/**
 * Starts the sample account, as it is at `asOf`, with faults: it gives its data as the current deviation says, to clients
 * with the right credentials, and keeps a log of all it was asked.
 */
export async function startFaultyAccount(options: {
  asOf: string;
  credentials: { id: string; secret: string };
}): Promise<FaultyAccount> {
  const { asOf, credentials } = options;
  const victims = victimsOf(asOf);
  const elsewhere: string[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url}`);
    response.end('[]');
  });
  const otherOrigin = await listenOnLoopback(other);
  const begin = (deviation: Deviation, seed: number): State => ({
    deviation,
    log: {
      attempts: [],
      mostInFlight: 0,
      authority: createAuthority(credentials, deviation),
      strange: [],
      elsewhere,
    },
    failureOf: createFailures(deviation, seed),
    tries: new Map(),
    inFlight: 0,
    downSince: null,
  });
  let state = begin(documented, 1);
  const server = createServer((request, response) => {
    void respond(request, response, state, { asOf, victims, otherOrigin: otherOrigin.url }).catch((error: unknown) => {
      state.log.strange.push(`the account failed: ${String(error)}`);
      response.destroy();
    });
  });
  const loopback = await listenOnLoopback(server);
  return {
    url: loopback.url,
    environment: { SERVICE_CLIENT_ID: credentials.id, SERVICE_CLIENT_SECRET: credentials.secret },
    victims,
    depart: (deviation, seed = 1) => {
      elsewhere.length = 0;
      state = begin(deviation, seed);
    },
    log: () => state.log,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([loopback.close(), otherOrigin.close()]);
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, state: State, place: Place): Promise<void> {
  const { deviation, log } = state;
  const address = `${request.method} ${request.url}`;
  state.inFlight += 1;
  log.mostInFlight = Math.max(log.mostInFlight, state.inFlight);
  let open = true;
  /** Called just before the answer ends: the client may ask for more before we hear that it has this answer. */
  const release = (): void => {
    if (open) state.inFlight -= 1;
    open = false;
  };
  response.once('close', release);
  const body = (await readBody(request)).toString('utf8');
  if (deviation.latencyMs > 0) await sleep(deviation.latencyMs);
  const url = new URL(request.url ?? '/', place.otherOrigin);
  const asked = addressAsked(request);
  const thing = asked === null ? null : thingAt(asked, url, deviation);
  const record = (outcome: string): void => {
    log.attempts.push({ thing: thing ?? '', address, outcome, at: performance.now() });
  };
  if (asked === null || thing === null) {
    log.strange.push(address);
    return end(404, '{}');
  }
  if (isDown(state)) return refuse(500);
  if (thing === 'auth' || thing === 'refresh') {
    const issued =
      thing === 'auth' ? log.authority.exchange(JSON.parse(body)) : log.authority.refresh(JSON.parse(body));
    return issued === null ? refuse(401) : answer(JSON.stringify(issued));
  }
  const tries = (state.tries.get(address) ?? 0) + 1;
  state.tries.set(address, tries);
  if (deviation.tokens === 'revoked' && log.attempts.length === 60) log.authority.revokeAll();
  if (!log.authority.accepts(request.headers.authorization)) return refuse(401);
  const refusal = refusalOf(thing, deviation, place.victims);
  if (refusal !== null) return refuse(refusal);
  const { body: text, headers, status } = replyAt(asked, url, deviatingAnswers(deviation, place));
  if (status !== 200) return refuse(status);
  const way = state.failureOf(address, tries);
  if (way !== null) {
    record(way);
    release();
    return fail(response, way, text.toString(), deviation.clock);
  }
  return answer(text, headers);

  function refuse(status: number): void {
    record(String(status));
    end(status, '{"error":{"message":"canary-error-body"}}');
  }
  function answer(text: ServiceReply['body'], headers: Record<string, string> = {}): void {
    record('answered');
    end(200, text, headers);
  }
  function end(status: number, text: ServiceReply['body'], headers: Record<string, string> = {}): void {
    release();
    const date = new Date(Date.now() + deviation.clock * 1000).toUTCString();
    response.writeHead(status, { 'content-type': 'application/json', date, ...headers }).end(text);
  }
}

function isDown(state: State): boolean {
  const { down } = state.deviation;
  if (down.kind === 'never') return false;
  if (down.kind === 'always') return true;
  if (state.downSince === null && state.log.attempts.length >= down.after) state.downSince = Date.now();
  return state.downSince !== null && Date.now() < state.downSince + down.outageMs;
}

function refusalOf(thing: string, { refused }: Deviation, victims: Victims): number | null {
  const { delivery, content } = victims.content;
  if (thing === 'deliveries') return refused.deliveries ?? null;
  if (thing === `recipients ${victims.delivery}`) return refused.recipients ?? null;
  if (thing === `broadcast ${victims.broadcast}`) return refused.broadcast ?? null;
  return thing === `content ${delivery} ${content}` ? (refused.content ?? null) : null;
}
