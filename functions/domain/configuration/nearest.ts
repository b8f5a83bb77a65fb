/**
 * The candidate that a word was probably meant to be, ignoring case, or nothing where none is close: at most a third of
 * the word's letters may have to be added, dropped or exchanged.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance: how many letters have to be added, dropped or exchanged. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const exchanged = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, exchanged));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
