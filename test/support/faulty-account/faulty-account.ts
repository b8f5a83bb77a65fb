import type { ServerResponse } from 'node:http';
import type { EndpointAddress } from '../../../infra/local/sample-account/server.ts';
import { usualForm, type Account, type Delivered } from '../accounts/account.ts';
import { serve } from '../accounts/serve.ts';
import { on, saw, sent, times } from '../facts/world.ts';
import { ServiceReply, type ServiceAnswers } from '../service/answers.ts';
import type { Behaviour, RequestLog } from '../service/service.ts';
import { drawsOf, hashOf, waysOfService, type Deviation, type FailureWay } from './deviation.ts';

/** When the account is observed, after the week that its digest is about. */
export const observedMs = on(7, 8);
/** What a switch singles out: one delivery, and another one's broadcast and content item. */
export const victims = { delivery: 'd0', broadcast: 'b1', content: { delivery: 'd4', content: 'b2-0' } };

/** Twelve broadcasts of two deliveries and two items each, with ratings behind a filter, in pages of forty. Repeated, the rows of the first delivery are one long answer. */
export function accountWith(repeated: number): Account {
  const delivered = times(24, (place): Delivered => {
    const [broadcast, atMs] = [`b${Math.floor(place / 2)}`, on(place % 6, 9)];
    const people = saw(30 + place, atMs, { hours: 60, responded: 12 }).map((person, nth) =>
      Object.assign(person, { rating: 1 + (nth % 5) }),
    );
    const items = ['rating', 'poll'].map((type, item) => ({ id: `${broadcast}-${item}`, type }));
    const rows = place === 0 ? times(repeated, () => people).flat() : people;
    const named = { broadcast, name: `News ${broadcast}`, createdMs: on(-1) };
    return {
      ...sent(`d${place}`, atMs, rows.length + 20, [], named),
      people: rows,
      items: repeated > 1 && place === 0 ? [] : items,
    };
  });
  return {
    sent: delivered,
    form: { ...usualForm, pageSize: 40 * repeated, wrapper: 'data', ratings: 'filter' },
    faults: [],
  };
}

/** How the service gives an account's data, as it departs. `seed` decides what is left to chance. */
export function behaviourOf(account: Account, deviation: Deviation, seed: number): Behaviour {
  const { tokens, latencyMs } = deviation;
  const refusals = refusalsOf(deviation);
  const isDown = createOutage(deviation);
  const failureOf = createFailures(deviation, seed);
  const tries = new Map<string, number>();
  const { answers } = serve(account, observedMs);
  return {
    answers: deviation.extras === 'none' ? answers : withExtras(answers),
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

/** What an address gives: `d1`, `d1/i1`, `ratings d1/i1` under a filter, `broadcast b1`, else its endpoint. */
function thingAt({ endpoint, deliveryId, contentId, broadcastId }: EndpointAddress, url: URL): string {
  if (endpoint === 'recipients') return deliveryId;
  if (endpoint === 'broadcast') return `broadcast ${broadcastId}`;
  if (endpoint !== 'content-recipients') return endpoint;
  return `${url.searchParams.has('rating') ? 'ratings ' : ''}${deliveryId}/${contentId}`;
}

/** The things that are refused for ever, with their status. */
function refusalsOf({ refused }: Deviation): Map<string, number | undefined> {
  const { delivery, broadcast, content } = victims;
  return new Map([
    [delivery, refused.recipients],
    [`broadcast ${broadcast}`, refused.broadcast],
    [`${content.delivery}/${content.content}`, refused.content],
  ]);
}

/** Answers whose rows have fields that nobody documented, some of them large. */
function withExtras(answers: ServiceAnswers): ServiceAnswers {
  const extras = {
    isBeta: true,
    _links: { self: '/x', related: [1, [2, { three: [] }]] },
    list: [[], {}],
    nothing: null,
    note: 'a "note" with ]}[{, and \\ in it',
  };
  const extend = (answer: unknown): unknown => {
    if (!(answer instanceof ServiceReply) || answer.status !== 200) return answer;
    const { data, ...others } = JSON.parse(answer.body.toString());
    const large = 'lorem "ipsum" \\ [dolor, {sit}] '.repeat(10_000);
    const rows = data.map((row: object, place: number) => Object.assign(row, extras, place === 7 ? { large } : {}));
    return new ServiceReply(200, JSON.stringify({ ...others, data: rows }), answer.headers);
  };
  return {
    deliveries: (url) => extend(answers.deliveries(url)),
    broadcast: (id, url) => ({ ...extras, ...Object(answers.broadcast(id, url)) }),
    recipients: (id, url) => extend(answers.recipients(id, url)),
    contentRecipients: (id, item, url) => extend(answers.contentRecipients(id, item, url)),
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
