/**
 * Whether an event has, at every path that the pattern names, one of the pattern's values. Where the event holds a list,
 * one of its values is enough. Of EventBridge's patterns only exact values are known; anything else throws.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) {
    const operator = pattern.find((value) => typeof value === 'object' && value !== null);
    if (operator !== undefined) throw new TypeError('The embedded event bus knows patterns of exact values only.');
    const values: unknown[] = Array.isArray(event) ? event : [event];
    return values.some((value) => pattern.includes(value));
  }
  if (typeof pattern !== 'object' || pattern === null) throw new TypeError('A pattern is made of objects and lists.');
  if (typeof event !== 'object' || event === null) return false;
  const fields = new Map<string, unknown>(Object.entries(event));
  return Object.entries(pattern).every(([name, part]) => fields.has(name) && matchesPattern(part, fields.get(name)));
}
