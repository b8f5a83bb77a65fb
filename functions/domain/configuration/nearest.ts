import leven from 'leven';

/**
 * The candidate that a word was probably meant to be, ignoring case, or nothing where none is close: about a third of
 * the word's letters may have to be added, dropped or exchanged.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.round(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = leven(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
