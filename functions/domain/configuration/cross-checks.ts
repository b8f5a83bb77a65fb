import * as v from 'valibot';
import { localeOf } from '../wording.ts';
import { expected, pathText, type Fault, nearest } from './fault.ts';

const anyText = v.fallback(v.optional(v.string()), () => undefined);
/** The fields of a configuration that are checked against each other, where they are texts. */
const Readable = v.object({
  reports: v.array(
    v.fallback(v.object({ name: anyText, subscribers: v.fallback(v.array(anyText), []), locale: anyText }), {
      subscribers: [],
    }),
  ),
});

/** The faults of fields that contradict each other, or the locales that exist. */
export function crossFaults(input: unknown, locales: readonly string[]): Fault[] {
  const parsed = v.safeParse(Readable, input);
  const reports = parsed.success ? parsed.output.reports : [];
  return [
    ...doubles(reports.map(({ name }) => name)).map(([index, first]) => ({
      path: `reports[${index}].name`,
      message: `Expected a unique name, found that of reports[${first}]. Upper and lower case are the same.`,
    })),
    ...reports.flatMap(({ subscribers }, report) =>
      doubles(subscribers).map(([index, first]) => ({
        path: `reports[${report}].subscribers[${index}]`,
        message: `Expected each address once, found that of subscribers[${first}]. Upper and lower case are the same.`,
      })),
    ),
    ...reports.flatMap(({ locale }, report) => localeFaults(`reports[${report}].locale`, locale, locales)),
  ];
}

/** The texts that occurred before, ignoring case: each one's index, and the index of the first. */
function doubles(texts: ReadonlyArray<string | undefined>): Array<[index: number, first: number]> {
  const seen = new Map<string, number>();
  const found: Array<[number, number]> = [];
  for (const [index, value] of texts.entries()) {
    if (value === undefined) continue;
    const first = seen.get(value.toLowerCase());
    if (first === undefined) seen.set(value.toLowerCase(), index);
    else found.push([index, first]);
  }
  return found;
}

function localeFaults(path: string, locale: string | undefined, locales: readonly string[]): Fault[] {
  if (locale === undefined || localeOf(locale, locales) !== null) return [];
  const existing = locales.map((name) => `"${name}"`).join(', ');
  return [{ path, message: expected(`one of the locales that exist (${existing})`)({ input: locale }) }];
}

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
