/** Of entries that stand under several names of a report, the one that was written last; of equals, the first. */
export function newestOf<T extends { at: string }>(entries: readonly T[]): T | undefined {
  return entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
}
