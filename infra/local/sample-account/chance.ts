import { hash } from 'node:crypto';

/** A stream of pseudo-random draws that depends on what it was made from and on nothing else. */
export type Chance = ReturnType<typeof chanceOf>;

/** The draws that belong to these words, the same ones on every machine and in every year. */
export function chanceOf(...words: ReadonlyArray<string | number>) {
  const share = shares(hash('sha256', JSON.stringify(words), 'buffer'));
  return {
    /** A number of [0, 1). */
    share,
    /** A whole number of [least, most]. */
    whole: (least: number, most: number): number => least + Math.floor(share() * (most - least + 1)),
    /** A number of an exponential distribution with this mean. */
    decay: (mean: number): number => -mean * Math.log(1 - share()),
    /** The same index as often as its weight says; the weights need not add up to one. */
    weighted(weights: readonly number[]): number {
      let left = share() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => (left -= weight) < 0);
      return index === -1 ? weights.length - 1 : index;
    },
  };
}

/** PractRand's sfc32: small, fast, and good enough for crowds of people. https://pracrand.sourceforge.net/RNG_engines.txt */
function shares(seed: Buffer): () => number {
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = seed.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
