import { createServer } from 'node:http';
import { listenOnLoopback } from '../../../infra/local/emulators/loopback.ts';
import { startService, type Behaviour, type RequestLog, type Service } from '../service/service.ts';
import { deviatingAnswers, thingAt, type Place } from './answers.ts';
import { documented, type Deviation } from './deviation.ts';
import { createFailures, fail } from './failures.ts';
import { victimsOf, type Victims } from './meaning.ts';

/** Everything that was asked since the last call of `depart`. */
export interface FaultyLog extends RequestLog {
  /** Requests that reached the other origin. */
  elsewhere: string[];
}

export interface FaultyAccount extends Omit<Service, 'behave' | 'log'> {
  victims: Victims;
  /** Departs from the documented service in this way from now on, and begins a new log. `seed` decides what is left to chance. */
  depart(deviation: Deviation, seed?: number): void;
  log(): FaultyLog;
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
  let elsewhere: string[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url}`);
    response.end('[]');
  });
  const otherOrigin = await listenOnLoopback(other);
  const place = { asOf, victims, otherOrigin: otherOrigin.url };
  const service = await startService(behaviourOf(documented, 1, place), { credentials });
  return {
    ...service,
    victims,
    depart: (deviation, seed = 1) => {
      elsewhere = [];
      service.behave(behaviourOf(deviation, seed, place));
    },
    log: () => ({ ...service.log(), elsewhere }),
    close: async () => {
      await Promise.all([service.close(), otherOrigin.close()]);
    },
  };
}

function behaviourOf(deviation: Deviation, seed: number, place: Place): Behaviour {
  const { tokens, clock, latencyMs } = deviation;
  const isDown = createOutage(deviation);
  const failureOf = createFailures(deviation, seed);
  const tries = new Map<string, number>();
  return {
    answers: deviatingAnswers(deviation, place),
    tokens,
    clock,
    latencyMs,
    thingAt: (asked, url) => thingAt(asked, url, deviation),
    refusal: ({ thing }, log) => {
      if (isDown(log)) return 500;
      if (tokens === 'revoked' && log.attempts.length === 60) log.authority.revokeAll();
      return refusalOf(thing, deviation, place.victims);
    },
    failure: (address) => {
      const tried = (tries.get(address) ?? 0) + 1;
      tries.set(address, tried);
      const way = failureOf(address, tried);
      return way === null ? null : { way, fail: (response, body) => fail(response, way, body, clock) };
    },
  };
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

function refusalOf(thing: string, { refused }: Deviation, victims: Victims): number | undefined {
  const { delivery, content } = victims.content;
  if (thing === 'deliveries') return refused.deliveries;
  if (thing === `recipients ${victims.delivery}`) return refused.recipients;
  if (thing === `broadcast ${victims.broadcast}`) return refused.broadcast;
  return thing === `content ${delivery} ${content}` ? refused.content : undefined;
}
