import * as v from 'valibot';
import { localeOf } from '../wording.ts';
import { expected, type Fault } from './fault.ts';

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
