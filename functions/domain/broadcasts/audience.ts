import type { DigestDelivery } from '../digest.ts';

/**
 * How many people a delivery is for: the length of its content items' lists, where these are the audience. `null` where none
 * is, where they disagree, and where more people engaged than such a list holds.
 */
export function audienceOf({ contents, seen, responded }: DigestDelivery): number | null {
  const lengths = new Set((contents ?? []).filter(({ reach }) => reach !== null).map(({ listed }) => listed));
  const [audience = null] = lengths;
  if (lengths.size !== 1 || audience === null) return null;
  return Math.max(seen ?? 0, responded ?? 0) > audience ? null : audience;
}
