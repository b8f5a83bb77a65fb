/** A JSON object whose values are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object; none of anything else. */
export const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
