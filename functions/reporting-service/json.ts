/** A JSON object, its values not yet looked at. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that JSON.parse may have rounded: sixteen digits and more reach beyond 2^53. */
const longInteger = /[[:,\s]-?\d{16,}/;

/**
 * Parses JSON like `JSON.parse`, save that integers beyond 2^53 come as text, digit for digit: identifiers of the service
 * are text, and a rounded one would name another thing. Throws a `SyntaxError` where the text is no JSON.
 */
export function parseJson(text: string): unknown {
  const withoutMark = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (!longInteger.test(withoutMark)) return JSON.parse(withoutMark);
  return JSON.parse(withoutMark, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  );
}

/** An identifier of the service, as text; `null` where there is none. */
export function readId(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** A text of the service; `null` where there is none. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
