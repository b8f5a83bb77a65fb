import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isSupported } from '../../functions/domain/wording.ts';
import { inFormsOf, readMessages, untranslatedIn } from './locales.ts';

// `npm run language -- sv` writes a language's file, with every text that it does not have yet in English, and says which still
// are. It is called again until none is.

const [locale = ''] = process.argv.slice(2);
if (!isSupported(locale) || locale === 'en') {
  process.stderr.write(`Expected a language such as "sv", found "${locale}": npm run language -- sv\n`);
  process.exit(64);
}
const folder = 'templates/locales';
const file = `${folder}/${locale}.json`;
const english = readMessages('en', folder);
const translated = existsSync(file) ? readMessages(locale, folder) : {};
const messages = Object.fromEntries(
  Object.entries(english).map(([key, message]) => [key, translated[key] ?? inFormsOf(locale, message)]),
);
await writeFile(file, `${JSON.stringify(messages, null, 2)}\n`);
const left = untranslatedIn(locale, messages, english);
for (const key of left) process.stdout.write(`${key}: ${JSON.stringify(messages[key])}\n`);
process.stdout.write(`${file}: ${left.length} of ${Object.keys(english).length} texts are still English.\n`);
