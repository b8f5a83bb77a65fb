/** A count with its noun, in the English that operators read: `1 run`, `2 runs`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
