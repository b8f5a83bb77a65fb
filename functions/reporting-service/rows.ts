/**
 * Takes the rows of one answer as they arrive. One is made for each attempt of a request, so that an attempt that breaks
 * off leaves nothing behind.
 */
export interface RowSink<Taken> {
  take(rows: readonly unknown[]): void;
  result(): Taken;
}

/** Keeps all rows as they are. */
export function keepRows(): RowSink<readonly unknown[]> {
  const kept: unknown[] = [];
  return {
    take: (rows) => {
      for (const row of rows) kept.push(row);
    },
    result: () => kept,
  };
}
