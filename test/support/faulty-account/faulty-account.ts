import { usualForm, type Account, type Delivered } from '../accounts/account.ts';
import { serve } from '../accounts/serve.ts';
import { on, saw, sent, times } from '../facts/world.ts';
import { hang, reset, status, text } from '../http-stub.ts';
import type { Behaviour } from '../service/service.ts';
import { tokenKinds, type TokenKind } from '../service/tokens.ts';

/** When the account is observed, after the week that its digest is about. */
export const observedMs = on(7, 8);

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

/** How the first attempt of one request in so many may fail; by `401` its token does, and not the service. */
const failures = [
  { way: '429 with seconds', oneIn: 40, fail: status(429, { 'retry-after': '1' }) },
  { way: '500', oneIn: 8, fail: status(500) },
  { way: '503', oneIn: 20, fail: status(503) },
  { way: 'reset', oneIn: 8, fail: reset },
  { way: 'hang', oneIn: 40, fail: hang },
  { way: 'cut', oneIn: 8, fail: text('{"data":[{"id', { 'content-type': 'application/json' }) },
  { way: 'html', oneIn: 8, fail: text('<!doctype html>canary-error-body', { 'content-type': 'text/html' }) },
  { way: '401', oneIn: 20, fail: status(401) },
];

/**
 * How a service departs from the documented one on the way of its answers. What each departure leads to alone is tested
 * beside what it concerns; here they meet.
 */
export interface Deviation {
  /** How requests fail at first, or any attempt in any way. */
  way: string;
  tokens: TokenKind;
  /** Workers that die once each, after their work; or that have time for one delivery each. */
  workers: 'live' | 'die' | 'slow';
  /** Whether it is down for a while: it answers 500 to everything, twice. */
  isDown: boolean;
  /** Decides what is left to chance. */
  seed: number;
}

/** Those that are slow mostly wait. */
const workers: ReadonlyArray<Deviation['workers']> = ['live', 'die', 'live', 'die', 'slow'];

/** Every failure, each beside other departures under another seed. */
export function deviationsOf(firstSeed: number): Deviation[] {
  return [...failures.map(({ way }) => way), 'by chance'].map((way, place) => {
    const seed = firstSeed + place;
    return {
      way,
      tokens: tokenKinds[seed % tokenKinds.length] ?? 'plain',
      workers: workers[seed % workers.length] ?? 'live',
      isDown: seed % 7 === 0,
      seed,
    };
  });
}

/** How a service gives an account's data, as it departs. */
export function behaviourOf(account: Account, { way, tokens, isDown, seed }: Deviation): Behaviour {
  const tried = new Set<string>();
  const draw = drawsOf(seed);
  const failureOf = (address: string) => {
    if (way === 'by chance') return draw() < 0.05 ? failures[Math.floor(draw() * failures.length)] : undefined;
    const failure = failures.find((one) => one.way === way);
    const isFirst = tried.size < tried.add(address).size;
    return isFirst && (hashOf(address) + seed) % (failure?.oneIn ?? 1) === 0 ? failure : undefined;
  };
  return {
    answers: serve(account, observedMs).answers,
    tokens,
    latencyMs: tokens === 'plain' ? 0 : 50,
    refusal: (address, { attempts, authority }) => {
      if (tokens === 'revoked' && attempts.length === 60) authority.revokeAll();
      const isWhileDown = isDown && attempts.length >= 40 && attempts.length < 100;
      return isWhileDown && attempts.filter((one) => one.address === address).length < 2 ? 500 : undefined;
    },
    failure: failureOf,
  };
}

/** A stable number for a text: which requests fail must not depend on their order. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}

/** Draws of [0, 1) that a seed decides (mulberry32). */
export function drawsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
