/**
 * Takes the rows of one answer as they arrive. One is made for each attempt of a request, so that an attempt that breaks
 * off leaves nothing behind.
 */
export interface RowSink<Taken> {
  take(rows: readonly unknown[]): void;
  /** Takes note of a row that is too large to be parsed. Without this, the whole list is too large. */
  takeTooLarge?(): void;
  result(): Taken;
}

/** Keeps all rows as they are; one that is too large to be parsed is `null`. */
export function keepAllRows(): RowSink<readonly unknown[]> {
  const kept: unknown[] = [];
  return {
    take: (rows) => {
      for (const row of rows) kept.push(row);
    },
    takeTooLarge: () => void kept.push(null),
    result: () => kept,
  };
}
