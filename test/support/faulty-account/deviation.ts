import type { TokenKind } from '../service/tokens.ts';

/** How the service may fail an attempt of a request. Each way that there is stands beside the requests (failures.test.ts). */
export const waysOfService = ['429 with seconds', '500', '503', 'reset', 'hang', 'cut', 'html'] as const;

/** How one attempt of a request fails; by `401` its token does, and not the service. */
export type FailureWay = (typeof waysOfService)[number] | '401';

/**
 * How the account departs from the documented service on the way of its answers, one choice for each thing, so that any two
 * departures that do not concern the same thing can be combined. What its answers hold is left to the generated accounts.
 */
export interface Deviation {
  /** Fields that nobody documented. */
  extras: 'none' | 'megabytes';
  tokens: TokenKind;
  /** A share of the requests, one in `oneIn`, fails its first `times` attempts; or each attempt by chance. */
  failures:
    | { kind: 'none' }
    | { kind: 'first'; way: FailureWay; oneIn: number; times: number }
    | { kind: 'chance'; share: number };
  /** Single things that are refused for ever, by what they are. */
  refused: Partial<Record<'recipients' | 'broadcast' | 'content', 403 | 404 | 410>>;
  /** The service answers nothing but 500: never, from the first request, or for `outageMs` after request `after`. */
  down: { kind: 'never' } | { kind: 'always' } | { kind: 'for a while'; after: number; outageMs: number };
  /** How often each row of the victim's recipient list comes. */
  times: number;
  /** Workers that die once each, after their work; or that have time for one delivery each. */
  workers: 'live' | 'die' | 'slow';
  latencyMs: number;
}

/** The service as it is documented. */
export const documented: Deviation = {
  extras: 'none',
  tokens: 'plain',
  failures: { kind: 'none' },
  refused: {},
  down: { kind: 'never' },
  times: 1,
  workers: 'live',
  latencyMs: 0,
};

/** A named departure. */
export interface Switch {
  name: string;
  departs: Partial<Deviation>;
}

const failing = (way: FailureWay, oneIn: number, times = 1): Switch => ({
  name: `failure: ${way}, ${times === 1 ? 'once' : `${times} times`}`,
  departs: { failures: { kind: 'first', way, oneIn, times } },
});

/** Every departure that the matrix tries alone, and mixes. */
export const switches: readonly Switch[] = [
  { name: 'as documented', departs: {} },
  { name: 'unknown fields', departs: { extras: 'megabytes' } },
  { name: 'tokens: two seconds', departs: { tokens: 'two seconds', latencyMs: 50 } },
  { name: 'tokens: refresh refused', departs: { tokens: 'refresh refused', latencyMs: 50 } },
  { name: 'tokens: revoked', departs: { tokens: 'revoked' } },
  { name: 'tokens: opaque', departs: { tokens: 'opaque' } },
  { name: 'tokens: no iat', departs: { tokens: 'no iat' } },
  { name: 'tokens: no refresh token', departs: { tokens: 'no refresh token' } },
  failing('429 with seconds', 40),
  failing('500', 8, 2),
  failing('503', 20),
  failing('reset', 8),
  failing('hang', 40),
  failing('cut', 8),
  failing('html', 8),
  failing('401', 20),
  { name: 'failure: 7 % in every way', departs: { failures: { kind: 'chance', share: 0.07 } } },
  { name: 'refused: recipients 403', departs: { refused: { recipients: 403 } } },
  { name: 'refused: recipients 404', departs: { refused: { recipients: 404 } } },
  { name: 'refused: broadcast 410', departs: { refused: { broadcast: 410 } } },
  { name: 'refused: content 403', departs: { refused: { content: 403 } } },
  { name: 'down: always', departs: { down: { kind: 'always' } } },
  { name: 'down: for two seconds', departs: { down: { kind: 'for a while', after: 40, outageMs: 2_000 } } },
  { name: 'a list of 100,000', departs: { times: 2_000 } },
  { name: 'workers that die', departs: { workers: 'die' } },
  { name: 'workers without time', departs: { workers: 'slow' } },
];

/** Whether switches can be combined: they concern different things, and none hides what another does. */
function areCompatible(chosen: readonly Switch[]): boolean {
  const isRefused = chosen.some(({ departs }) => departs.refused?.recipients !== undefined);
  // The list that is long is the one that is refused.
  if (isRefused && chosen.some(({ departs }) => departs.times !== undefined)) return false;
  const fields = chosen.flatMap(({ departs }) => Object.keys(departs).filter((field) => field !== 'latencyMs'));
  return new Set(fields).size === fields.length && fields.length > 0;
}

/** All departures of some switches at once. */
export function combine(chosen: readonly Switch[]): Deviation {
  return Object.assign({}, documented, ...chosen.map(({ departs }) => departs)) as Deviation;
}

/** The switches that are tried without another: each says all that the service does. */
const isAlone = ({ departs }: Switch): boolean => Object.keys(departs).length === 0 || departs.down?.kind === 'always';

/** Switches that are tried together, under a seed. */
export function mixtureOf(chosen: readonly Switch[], seed: number) {
  return { name: chosen.map(({ name }) => name).join(' + '), seed, chosen };
}

/** Every switch in one mixture, up to four of them together, as a seed decides. Failures, of which there are most, are not combined with each other. */
export function mixtures(seed: number): Array<ReturnType<typeof mixtureOf>> {
  const draw = drawsOf(seed);
  const drawn = switches.map((departure) => ({
    departure,
    rank: (departure.departs.failures === undefined ? 1 : 0) + draw(),
  }));
  const groups: Switch[][] = [];
  for (const { departure } of drawn.toSorted((one, other) => one.rank - other.rank)) {
    const open = groups.filter((chosen) => chosen.length < 4 && !chosen.some(isAlone));
    const group = open.find((chosen) => areCompatible([...chosen, departure]));
    if (group === undefined || isAlone(departure)) groups.push([departure]);
    else group.push(departure);
  }
  return groups.map((chosen, index) => mixtureOf(chosen, seed + index));
}

/** A stable number for a text: which requests fail must not depend on their order. */
export function hashOf(text: string): number {
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
