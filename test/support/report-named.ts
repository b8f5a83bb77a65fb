/** A report of which nothing but the name matters. */
export function reportNamed(name: string): { name: string } {
  return { name };
}
