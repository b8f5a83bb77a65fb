import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type EndpointAddress } from '../../../infra/local/sample-account/server.ts';
import { listenOnLoopback } from '../../../infra/local/loopback.ts';
import { record, type StubAnswer } from '../http-stub.ts';
import { notAnAddress, replyAt, replyWith, type ServiceAnswers, type ServiceReply } from './answers.ts';
import { createAuthority, type TokenKind } from './tokens.ts';

/** How the service behaves: the data that it gives, and what becomes of requests on the way. */
export interface Behaviour {
  answers: Partial<ServiceAnswers>;
  /** Default: `plain`. */
  tokens?: TokenKind;
  /** How long it waits before it answers; default 0. */
  latencyMs?: number;
  /** The status that a request is refused with, before its token is looked at. */
  refusal?(address: string, log: RequestLog): number | undefined;
  /** How an answer with data fails, by the name that the log has for it. */
  failure?(address: string): { way: string; fail: StubAnswer } | undefined;
}

/** One attempt of a request, and its outcome. */
interface Attempt {
  /** Method and address as it was asked. */
  address: string;
  /** `answered`, a status, or the way it failed. */
  outcome: string;
  /** The authorization that it carried. */
  token: string | undefined;
}

/** Everything that was asked since the service began to behave as it does. */
interface RequestLog {
  attempts: Attempt[];
  mostInFlight: number;
  authority: ReturnType<typeof createAuthority>;
}

/** The service on loopback, which gives an account's data in whatever way it is told to. */
export type Service = Awaited<ReturnType<typeof startService>>;

const credentials = { id: 'client-of-the-test', secret: 'canary-secret-5b1f0c7e' };

function begin(behaviour: Behaviour) {
  const log: RequestLog = { attempts: [], mostInFlight: 0, authority: createAuthority(credentials, behaviour) };
  return { behaviour, log, inFlight: 0 };
}

/** Starts the service. */
export async function startService(behaviour: Behaviour) {
  let state = begin(behaviour);
  const server = createServer((request, response) => {
    void respond(request, response, state).catch(() => response.destroy());
  });
  const loopback = await listenOnLoopback(server);
  return {
    ...loopback,
    credentials,
    /** Behaves in this way from now on, and begins a new log. */
    behave: (next: Behaviour) => void (state = begin(next)),
    log: () => state.log,
    /** Method and address of everything in the log. */
    asked: () => state.log.attempts.map(({ address }) => address),
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, state: ReturnType<typeof begin>) {
  const { behaviour, log } = state;
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
  const recorded = await record(request);
  if (behaviour.latencyMs) await sleep(behaviour.latencyMs);
  const asked = addressOf(recorded.path);
  if (asked?.method !== recorded.method) return end(notAnAddress);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const { authorization } = request.headers;
  const isForTokens = asked.endpoint === 'auth' || asked.endpoint === 'refresh';
  const reply = replyTo(asked);
  const failure = reply.status === 200 && !isForTokens ? behaviour.failure?.(address) : undefined;
  const outcome = failure?.way ?? (reply.status < 300 ? 'answered' : String(reply.status));
  log.attempts.push({ address, outcome, token: authorization });
  if (failure === undefined) return end(reply);
  release();
  await failure.fail(response, recorded);

  function replyTo(known: EndpointAddress): ServiceReply {
    const refusal = behaviour.refusal?.(address, log);
    if (refusal !== undefined) return replyWith(refusal);
    const { authority } = log;
    if (known.endpoint === 'auth') return replyWith(authority.exchange(JSON.parse(recorded.body)) ?? 401);
    if (known.endpoint === 'refresh') return replyWith(authority.refresh(JSON.parse(recorded.body)) ?? 401);
    return authority.accepts(authorization) ? replyAt(known, url, behaviour.answers) : replyWith(401);
  }
  function end({ status, headers, body: text }: ServiceReply): void {
    release();
    const date = new Date().toUTCString();
    response.writeHead(status, { 'content-type': 'application/json', date, ...headers }).end(text);
  }
}
