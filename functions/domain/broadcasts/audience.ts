import type { DigestDelivery } from '../digest.ts';

/**
 * How many people a delivery is for: the length of its own list, or of its content items', where these are the audience.
 * `null` where none is, where they disagree, and where more people engaged than such a list holds.
 */
export function audienceOf({ listed: own, reach, contents, seen, responded }: DigestDelivery): number | null {
  const lists = reach === null ? (contents ?? []).filter((content) => content.reach !== null) : [{ listed: own }];
  const lengths = new Set(lists.map(({ listed }) => listed));
  const [audience = null] = lengths;
  if (lengths.size !== 1 || audience === null) return null;
  return Math.max(seen ?? 0, responded ?? 0) > audience ? null : audience;
}
