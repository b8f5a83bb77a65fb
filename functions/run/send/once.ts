/** A value that is computed when it is first needed, and once. */
export function once<T>(compute: () => T): () => T {
  let value: { computed: T } | null = null;
  return () => (value ??= { computed: compute() }).computed;
}
