/**
 * The words of a name that a service gave, in lower case: `totalCount`, `total_count`, `X-Total-Count` and `TOTAL COUNT`
 * all have `total` and `count`, and `country` is one word of its own. So a rule holds however a service writes its names.
 */
export function wordsOf(name: string): string[] {
  const words = name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}
