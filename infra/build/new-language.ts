import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isSupported } from '../../functions/domain/wording.ts';
import { localeSchema, type Message } from './locales.ts';

// `npm run language -- sv` writes a language's file, with every text that it does not have yet in English, and says which still
// are. It is called again until none is.

/** A message in the plural forms of a language, from those of English. */
function inFormsOf(locale: string, message: Message): Message {
  if (typeof message === 'string') return message;
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  return Object.fromEntries(pluralCategories.map((form) => [form, message[form] ?? message['other'] ?? '']));
}

const [locale = ''] = process.argv.slice(2);
if (!isSupported(locale) || locale === 'en') {
  process.stderr.write(`Expected a language such as "sv", found "${locale}": npm run language -- sv\n`);
  process.exit(64);
}
const fileOf = (name: string): string => `templates/locales/${name}.json`;
const readLocale = async (name: string) => v.parse(localeSchema, JSON.parse(await readFile(fileOf(name), 'utf8')));
const english = await readLocale('en');
const translated = existsSync(fileOf(locale)) ? await readLocale(locale) : {};
const messages = Object.entries(english).map(
  ([key, message]) => [key, translated[key] ?? inFormsOf(locale, message)] as const,
);
await writeFile(fileOf(locale), `${JSON.stringify(Object.fromEntries(messages), null, 2)}\n`);
const left = messages.filter(([key, message]) => {
  const words = JSON.stringify(message).replaceAll(/"\w+":|\{\w+\}/g, '');
  return /\p{L}/u.test(words) && isDeepStrictEqual(message, inFormsOf(locale, english[key] ?? ''));
});
for (const [key, message] of left) process.stdout.write(`${key}: ${JSON.stringify(message)}\n`);
process.stdout.write(`${fileOf(locale)}: ${left.length} of ${messages.length} texts are still English.\n`);
