/** Values that are remembered at once: what others wrote may be among them, and has no end. */
const mostValues = 20_000;

/**
 * The function, but for values that come again and again, such as a percentage or a day: each is computed once, and again
 * only after very many others.
 */
export function memoize<Key extends string | number, Value extends object | string | number | null>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    if (known.size >= mostValues) known.clear();
    known.set(key, value);
    return value;
  };
}
