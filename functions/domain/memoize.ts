/** The most values that are remembered at a time. Keys may come from outside, so their number has no bound of its own. */
const mostValues = 20_000;

/**
 * The function, with its results remembered. For keys that occur again and again, such as a percentage or a day: each
 * result is computed once, and again only after very many others.
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
