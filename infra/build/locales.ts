import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { splitWords } from '../../functions/domain/series.ts';
import { isSupported, localeOf } from '../../functions/domain/wording.ts';
import { localesIn, parseJson, readText } from '../config.ts';

/** What is wrong with the templates folder. Its message names every fault in a line, with file and line where they are known. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(faults: readonly string[]) {
    super(`The templates cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

const messageSchema = v.union([v.string(), v.record(v.string(), v.string())]);
const localeSchema = v.record(v.string(), messageSchema);

/** One message: a text, or its plural forms by the categories of `Intl.PluralRules`. */
export type Message = v.InferOutput<typeof messageSchema>;
type MessagesOfLocale = v.InferOutput<typeof localeSchema>;

const localesFolder = fileURLToPath(new URL('../../templates/locales/', import.meta.url));

/** The locale that the others are translated from. */
const referenceLocale = 'en';

/**
 * The messages of every `<locale>.json` of a folder, by the locale's BCP 47 tag. Throws a `TemplateError` that names every
 * fault: a file that is no locale, keys or placeholders that are not those of `en`, plural forms that the language does not have
 * or that it wants and are missing.
 */
export function readLocales(folder: string): Record<string, MessagesOfLocale> {
  const locales = Object.fromEntries(localesIn(folder).map((name) => [name, readLocale(folder, `${name}.json`)]));
  const faults = findFaults(locales);
  if (faults.length > 0) throw new TemplateError(faults);
  return Object.fromEntries(Object.entries(locales).map(([name, { messages }]) => [name, messages]));
}

/** A locale, and its file's text, in which the lines of faults are found. */
type LocaleFile = ReturnType<typeof readLocale>;

function readLocale(folder: string, file: string) {
  const text = readText(path.join(folder, file));
  const json = parseJson(text, ({ line, column }) => {
    return new TemplateError([`locales/${file}:${line}: invalid JSON at column ${column}.`]);
  });
  const parsed = v.safeParse(localeSchema, json);
  if (parsed.success) return { messages: parsed.output, text };
  const keys = new Set(parsed.issues.map((issue) => String(issue.path?.[0].key)));
  throw new TemplateError(
    [...keys].map((key) => `${placeOf(file, text, key)}: "${key}": expected an object of texts and plural forms.`),
  );
}

/** A key's place, `locales/<file>:<line>`; of a key that is not there, the file. */
function placeOf(file: string, text: string, key: string): string {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.trimStart().startsWith(`${JSON.stringify(key)}:`));
  return index === -1 ? `locales/${file}` : `locales/${file}:${index + 1}`;
}

/** A message in the plural forms of a language, from those of English. */
export function inFormsOf(locale: string, message: Message): Message {
  if (typeof message === 'string') return message;
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  return Object.fromEntries(pluralCategories.map((form) => [form, message[form] ?? message['other'] ?? '']));
}

/** The messages of a language that are those of English, with words in them. */
export function untranslatedIn(locale: string, messages: MessagesOfLocale, english: MessagesOfLocale): string[] {
  return Object.keys(english).filter((key) => {
    const words = JSON.stringify(english[key]).replaceAll(/"\w+":|\{\w+\}/g, '');
    return /\p{L}/u.test(words) && isDeepStrictEqual(messages[key], inFormsOf(locale, english[key] ?? ''));
  });
}

/** The messages of a language whose file is known to be one. */
export function readMessages(name: string, folder: string): MessagesOfLocale {
  return v.parse(localeSchema, JSON.parse(readText(path.join(folder, `${name}.json`))));
}

/** A few words may be the same in both. */
const mostAlike = 0.1;

/** A line for each of these languages that is not finished: a tenth of its texts and more are still English. */
export function unfinishedLanguages(used: Iterable<string>, folder = localesFolder): string[] {
  const known = localesIn(folder);
  const languages = new Set([...used].flatMap((locale) => localeOf(locale, known) ?? []));
  languages.delete(referenceLocale);
  if (languages.size === 0) return [];
  const english = readMessages(referenceLocale, folder);
  const total = Object.keys(english).length;
  return [...languages].flatMap((locale) => {
    const { length } = untranslatedIn(locale, readMessages(locale, folder), english);
    const line = `Language "${locale}" is not finished: ${length} of ${total} texts are still English. For the list: npm run language -- ${locale}`;
    return length < mostAlike * total ? [] : [line];
  });
}

function findFaults(locales: Readonly<Record<string, LocaleFile>>): string[] {
  const { [referenceLocale]: reference, ...others } = locales;
  if (!reference) return [`locales/${referenceLocale}.json is missing.`];
  const files = [reference, ...Object.values(others)];
  return Object.entries(locales).flatMap(([locale, { messages, text }]) => {
    const file = `${locale}.json`;
    if (!isSupported(locale)) return `locales/${file}: "${locale}" is not a locale that Intl supports.`;
    return Object.keys({ ...reference.messages, ...messages }).flatMap((key) => {
      const faults = findMessageFaults(locale, messages[key], reference.messages[key], usualPlaceholders(key, files));
      if (key === 'series.words' && !areWords(messages[key]))
        faults.push('must be words without digits, separated by commas');
      return faults.map((fault) => `${placeOf(file, text, key)}: "${key}" ${fault}.`);
    });
  });
}

function findMessageFaults(
  locale: string,
  message: Message | undefined,
  expected: Message | undefined,
  usual: readonly string[],
): string[] {
  if (message === undefined) return ['is missing'];
  if (expected === undefined) return [`is not a key of ${referenceLocale}.json`];
  if (typeof message !== typeof expected) {
    return [typeof expected === 'string' ? 'must be a text' : 'must have plural forms'];
  }
  const faults: string[] = [];
  const compare = (kind: string, actual: readonly string[], wanted: readonly string[]): void => {
    const [actualNames, wantedNames] = [actual, wanted].map((names) => names.toSorted().join(', '));
    if (actualNames !== wantedNames) faults.push(`has the ${kind} [${actualNames}], not [${wantedNames}]`);
  };
  compare('placeholders', placeholders(message), usual);
  if (typeof message !== 'string') {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    compare('plural forms', Object.keys(message), pluralCategories);
  }
  return faults;
}

/** A number after one of these words is no part of a name: a word that is empty, or a number itself, would take others with it. */
function areWords(message: Message = ''): boolean {
  return typeof message !== 'string' || splitWords(message).every((word) => /^[^\p{N}]+$/u.test(word));
}

/** The placeholders that most languages have in a message, the reference among equals: what differs has the fault, also that one. */
function usualPlaceholders(key: string, files: readonly LocaleFile[]): string[] {
  const all = files.map(({ messages: { [key]: message = '' } }) => placeholders(message).toSorted());
  const countOf = (names: readonly string[]): number => all.filter((other) => other.join() === names.join()).length;
  return all.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? [];
}

/** The names in braces, of all forms together: "one" may do without its count. */
function placeholders(message: Message): string[] {
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))];
}
