/** The fewest people not reached that are worth a word. */
export const fewestUntouched = 10;

/** Whatever is younger than the report's `settleHours` or older than so many hours is not judged. */
export const oldestJudgedHours = 14 * 24;

/** With three quarters of its usual share, or less, an edition has too few. */
const lowOfUsual = { part: 3, whole: 4 };

/**
 * Whether something reached too few of its audience: at least ten people did nothing, and they are more than half of all; or,
 * where it is known what is usual, both what it had at that age and what it has to date are at most three quarters of the usual
 * share, and ten people fewer. `null` where nothing can be said: the audience is not known, or is a small group (below
 * `minimumGroup` people).
 *
 * @param usual the median share of the audiences that had seen earlier editions at an age, 1 is all, and what this one had then
 */
export function areTooFew(
  { audience, engaged }: { audience: number | null; engaged: number },
  usual: { share: number; seenAtAge: number } | null,
  minimumGroup: number,
): boolean | null {
  if (audience === null || audience === 0 || audience < minimumGroup) return null;
  if (audience - engaged < fewestUntouched) return false;
  if (usual === null) return engaged * 2 < audience;
  const expected = usual.share * audience;
  const isLow = (count: number): boolean =>
    count * lowOfUsual.whole <= expected * lowOfUsual.part && expected - count >= fewestUntouched;
  return isLow(usual.seenAtAge) && isLow(engaged);
}
