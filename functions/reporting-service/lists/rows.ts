/**
 * Is given the rows of one answer as they arrive. Each attempt of a request has a new one, so that the rows of an attempt
 * that breaks off do not count.
 */
export interface RowSink<Taken> {
  take(rows: readonly unknown[]): void;
  /** Is called for a row that is too large to be parsed. Without this method, such a row makes the whole list too large. */
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
