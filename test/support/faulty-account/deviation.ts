import type { TokenKind } from '../service/tokens.ts';

/** How the service may fail an attempt of a request. */
export const waysOfService = [
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
] as const;

/** How one attempt of a request fails; by `401` its token does, and not the service. */
export type FailureWay = (typeof waysOfService)[number] | '401';

/**
 * How the account departs from the documented service on the way of its answers, one choice for each thing, so that any two
 * departures that do not concern the same thing can be combined. What its answers hold is left to the generated accounts.
 */
export interface Deviation {
  /** Fields that nobody documented. */
  extras: 'none' | 'some' | 'megabytes';
  tokens: TokenKind;
  /** The service's clock against ours, in seconds. */
  clock: number;
  /** A share of the requests, one in `oneIn`, fails its first `times` attempts; or each attempt by chance. */
  failures:
    | { kind: 'none' }
    | { kind: 'first'; way: FailureWay; oneIn: number; times: number }
    | { kind: 'chance'; share: number };
  /** Single things that are refused for ever, by what they are. */
  refused: Partial<Record<'deliveries' | 'recipients' | 'broadcast' | 'content', 403 | 404 | 410>>;
  /** The service answers nothing but 500: never, from the first request, or for `outageMs` after request `after`. */
  down: { kind: 'never' } | { kind: 'always' } | { kind: 'for a while'; after: number; outageMs: number };
  /** How often each row of the victim's recipient list comes. */
  times: number;
  latencyMs: number;
}

/** The service as it is documented. */
export const documented: Deviation = {
  extras: 'none',
  tokens: 'plain',
  clock: 0,
  failures: { kind: 'none' },
  refused: {},
  down: { kind: 'never' },
  times: 1,
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
  { name: 'unknown fields: some', departs: { extras: 'some' } },
  { name: 'unknown fields: megabytes', departs: { extras: 'megabytes' } },
  { name: 'tokens: two seconds', departs: { tokens: 'two seconds', latencyMs: 50 } },
  { name: 'tokens: refresh refused', departs: { tokens: 'refresh refused', latencyMs: 50 } },
  { name: 'tokens: revoked', departs: { tokens: 'revoked' } },
  { name: 'tokens: opaque', departs: { tokens: 'opaque' } },
  { name: 'tokens: no iat', departs: { tokens: 'no iat' } },
  { name: 'tokens: no refresh token', departs: { tokens: 'no refresh token' } },
  { name: 'clock: five minutes fast', departs: { clock: 300 } },
  { name: 'clock: five minutes slow', departs: { clock: -300 } },
  failing('429 with seconds', 80),
  failing('429 with a date', 80),
  failing('429 alone', 40),
  failing('500', 8, 2),
  failing('502', 8),
  failing('503', 20),
  failing('reset', 8),
  failing('hang', 80),
  failing('cut, wrong length', 8),
  failing('cut, right length', 8),
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
];

/** Whether switches can be combined: they concern different things, and none hides what another does. */
export function areCompatible(chosen: readonly Switch[]): boolean {
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

/** A seeded mixture of two or three switches. */
export interface Mixture {
  name: string;
  seed: number;
  chosen: readonly Switch[];
}

/** So many mixtures as a seed decides. One in which the service is down for good says nothing of the other switches. */
export function mixtures(seed: number, count: number): Mixture[] {
  const draw = drawsOf(seed);
  const candidates = switches.filter(
    ({ departs }) => departs.down?.kind !== 'always' && Object.keys(departs).length > 0,
  );
  const pick = (): Switch[] => Array.from({ length: draw() < 0.5 ? 2 : 3 }, () => at(candidates, draw()));
  return Array.from({ length: count }, (_, index) => {
    let chosen = pick();
    while (!areCompatible(chosen)) chosen = pick();
    return { name: chosen.map(({ name }) => name).join(' + '), seed: seed + index, chosen };
  });
}

/** The switches that are tried without another: each says all that the service does. */
const alone = (one: Switch): boolean => Object.keys(one.departs).length === 0 || one.departs.down?.kind === 'always';

const fails = ({ departs }: Switch): boolean => departs.failures !== undefined;

/** Every switch in one mixture, up to four of them together. Failures, of which there are most, are not combined with each other. */
export function coveringMixtures(seed: number): Mixture[] {
  const groups: Switch[][] = [];
  for (const one of switches.toSorted((a, b) => Number(fails(b)) - Number(fails(a)))) {
    const group = groups.find((chosen) => chosen.length < 4 && !chosen.some(alone) && areCompatible([...chosen, one]));
    if (group === undefined || alone(one)) groups.push([one]);
    else group.push(one);
  }
  return groups.map((chosen, index) => ({
    name: chosen.map(({ name }) => name).join(' + '),
    seed: seed + index,
    chosen,
  }));
}

function at<Item>(items: readonly Item[], share: number): Item {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
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
