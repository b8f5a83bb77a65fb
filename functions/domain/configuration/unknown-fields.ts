import type * as v from 'valibot';
import { type Fault, pathText } from './fault.ts';
import { nearest } from './nearest.ts';

/**
 * A fault for every field that a schema does not have, each with the nearest one that it has: a misspelt setting would
 * otherwise silently get its default. Also for every list in place of an object.
 */
export function unknownFields(schema: v.GenericSchema, input: unknown, path: readonly unknown[] = []): Fault[] {
  if ('wrapped' in schema && isSchema(schema.wrapped)) return unknownFields(schema.wrapped, input, path);
  if ('options' in schema && Array.isArray(schema.options)) {
    return schema.options.filter(isSchema).flatMap((option) => unknownFields(option, input, path));
  }
  if ('item' in schema && isSchema(schema.item) && Array.isArray(input)) {
    const { item } = schema;
    return input.flatMap((value: unknown, index) => unknownFields(item, value, [...path, index]));
  }
  if (!('entries' in schema) || !isObject(schema.entries) || !isObject(input)) return [];
  if (Array.isArray(input)) return [{ path: pathText(path), message: 'Expected an object, found a list.' }];
  return unknownEntries(schema.entries, input, path);
}

function unknownEntries(entries: object, input: object, path: readonly unknown[]): Fault[] {
  const known = new Map<string, unknown>(Object.entries(entries));
  return Object.entries(input).flatMap(([key, value]: [string, unknown]): Fault[] => {
    const schema = known.get(key);
    if (isSchema(schema)) return unknownFields(schema, value, [...path, key]);
    const near = nearest(key, [...known.keys()]);
    const instead = near === undefined ? `Expected ${[...known.keys()].join(', ')}` : `Did you mean "${near}"`;
    return [{ path: pathText([...path, key]), message: `Unknown field. ${instead}${near === undefined ? '.' : '?'}` }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: unknown): value is v.GenericSchema {
  return isObject(value) && 'kind' in value && value.kind === 'schema';
}
