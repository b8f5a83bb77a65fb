/** Fields whose values are words, dates or numbers of the interface and say nothing about a person. */
const openFields = new Set('status type seenAt respondedAt at rating total hasMore timezone date'.split(' '));
/** Names of objects that are people: nothing in them is shown as it is, not even an id. */
const people = new Set(['user', 'users', 'recipient', 'recipients', 'by', 'person', 'member', 'employee']);
const longestList = 2;
const deepest = 6;

/**
 * A value of the service as an operator may see it: its shape, with every text and every number of people masked
 * (letters become x, digits 9), and of lists the first few items.
 *
 * @param ofPeople whether the value is, or lists, people
 */
export function mask(value: unknown, ofPeople: boolean, field = '', depth = 0): unknown {
  if (depth > deepest) return '…';
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, longestList).map((item: unknown) => mask(item, ofPeople, field, depth + 1));
    return value.length > longestList ? [...items, `… ${value.length - longestList} more`] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
      maskName(name),
      mask(inner, ofPeople || people.has(name), name, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
  if (openFields.has(field) && isShort(value)) return value;
  if (typeof value === 'string') return field === 'id' && !ofPeople ? value.slice(0, 60) : maskText(value);
  if (typeof value === 'number')
    return ofPeople ? Number(maskText(String(value)).replaceAll(/[^\d.]/g, '') || '0') : value;
  return value;
}

/** Whether a value is a word, a date or a number: a longer text might be about somebody. */
function isShort(value: unknown): boolean {
  return typeof value !== 'string' || (value.length <= 40 && !value.includes('@'));
}

function maskText(text: string): string {
  return text.slice(0, 60).replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '9');
}

/** A field's name, unless it may be a person's name or address. */
function maskName(name: string): string {
  return /^[a-z_][a-z_-]{0,40}$/i.test(name) ? name : '…';
}
