/** A JSON object whose values are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that JSON.parse may have rounded: sixteen digits and more reach beyond 2^53. */
const longInteger = /[[:,\s]-?\d{16,}/;

/**
 * Parses JSON like `JSON.parse`, except that integers beyond 2^53 become text, digit for digit: identifiers of the service
 * are text, and a rounded one would name another thing. Throws a `SyntaxError` where the text is not JSON, or is too
 * deeply nested.
 */
export function parseExactJson(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, keepLongInteger);
  } catch (error) {
    // With a reviver, the parser calls itself for each level.
    if (error instanceof RangeError) throw new SyntaxError('JSON that is too deeply nested.', { cause: error });
    throw error;
  }
}

function keepLongInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}
