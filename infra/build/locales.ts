import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { splitWords } from '../../functions/domain/series.ts';
import { isSupported } from '../../functions/domain/wording.ts';
import { localesIn, positionOfJsonFault } from '../config.ts';
import { TemplateError } from './template-error.ts';

const MessageSchema = v.union([v.string(), v.record(v.string(), v.string())]);
const LocaleSchema = v.record(v.string(), MessageSchema);

/** One message: a text, or its plural forms by the categories of `Intl.PluralRules`. */
type Message = v.InferOutput<typeof MessageSchema>;
/** The messages of one locale, by their keys. */
type LocaleMessages = v.InferOutput<typeof LocaleSchema>;

/** The locale that the others are translated from. */
const REFERENCE = 'en';

/**
 * The messages of every `<locale>.json` of a folder, by the locale's BCP 47 tag. Throws a `TemplateError` that names every
 * fault: a file that is no locale, keys or placeholders that are not those of `en`, plural forms that the language does not have
 * or that it wants and are missing.
 */
export async function readLocales(folder: string): Promise<Record<string, LocaleMessages>> {
  const read = localesIn(folder).map(async (name) => [name, await readLocale(folder, `${name}.json`)] as const);
  const locales = Object.fromEntries(await Promise.all(read));
  const faults = findFaults(locales);
  if (faults.length > 0) throw new TemplateError(faults);
  return Object.fromEntries(Object.entries(locales).map(([name, { messages }]) => [name, messages]));
}

/** A locale, and its file's text, in which the lines of faults are found. */
type LocaleFile = Awaited<ReturnType<typeof readLocale>>;

async function readLocale(folder: string, file: string) {
  const text = await readFile(path.join(folder, file), 'utf8');
  const parsed = v.safeParse(LocaleSchema, parseLocale(text, file));
  if (parsed.success) return { messages: parsed.output, text };
  const expected = 'expected an object of texts and plural forms.';
  const keys = new Set(parsed.issues.flatMap((issue) => (issue.path ? [String(issue.path[0].key)] : [])));
  if (keys.size === 0) throw new TemplateError([`locales/${file}: ${expected}`]);
  throw new TemplateError([...keys].map((key) => `${placeOf(file, text, key)}: "${key}": ${expected}`));
}

/** A key's place, `locales/<file>:<line>`; of a key that is not there, the file. */
function placeOf(file: string, text: string, key: string): string {
  const quoted = JSON.stringify(key).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const index = text.search(new RegExp(String.raw`${quoted}\s*:`));
  return `locales/${file}${index === -1 ? '' : `:${text.slice(0, index).split('\n').length}`}`;
}

function parseLocale(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = positionOfJsonFault(text);
    throw new TemplateError([`locales/${file}:${line}: invalid JSON at column ${column}.`]);
  }
}

function findFaults(locales: Readonly<Record<string, LocaleFile>>): string[] {
  const { [REFERENCE]: reference } = locales;
  if (!reference) return [`locales/${REFERENCE}.json is missing.`];
  return Object.entries(locales).flatMap(([locale, { messages, text }]) => {
    const file = `${locale}.json`;
    if (!isSupported(locale)) return `locales/${file}: "${locale}" is not a locale that Intl supports.`;
    const keys = Object.keys({ ...reference.messages, ...messages });
    return keys.flatMap((key) => {
      const faults = [
        ...findMessageFaults(locale, messages[key], reference.messages[key]),
        ...(key === 'series.words' ? findWordFaults(messages[key]) : []),
      ];
      return faults.map((fault) => `${placeOf(file, text, key)}: "${key}" ${fault}.`);
    });
  });
}

function findMessageFaults(locale: string, message: Message | undefined, expected: Message | undefined): string[] {
  if (message === undefined) return ['is missing'];
  if (expected === undefined) return [`is not a key of ${REFERENCE}.json`];
  return [...findFormFaults(message, expected), ...findPluralFaults(locale, message)];
}

/** A number after one of these words is no part of a name: a word that is empty, or a number itself, would take others with it. */
function findWordFaults(message: Message = ''): string[] {
  const areWords = typeof message !== 'string' || splitWords(message).every((word) => /^[^\p{N}]+$/u.test(word));
  return areWords ? [] : ['must be words without digits, separated by commas'];
}

function findFormFaults(message: Message, expected: Message): string[] {
  if ((typeof message === 'string') !== (typeof expected === 'string')) {
    return [typeof expected === 'string' ? 'must be a text' : 'must have plural forms'];
  }
  const wanted = placeholders(expected).join(', ');
  const found = placeholders(message).join(', ');
  return wanted === found ? [] : [`has the placeholders [${found}], not [${wanted}]`];
}

function findPluralFaults(locale: string, message: Message): string[] {
  if (typeof message === 'string') return [];
  const wanted = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted().join(', ');
  const found = Object.keys(message).toSorted().join(', ');
  return wanted === found ? [] : [`has the plural forms [${found}], not [${wanted}]`];
}

/** The names in braces, of all forms together: "one" may do without its count. */
function placeholders(message: Message): string[] {
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  const names = forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].toSorted();
}
