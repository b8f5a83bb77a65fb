import { expect, test } from 'vitest';
import { createLanguage } from '../../../../functions/render/texts/language.ts';
import { showStatus } from '../../../../functions/render/texts/statuses.ts';
import english from '../../../../templates/locales/en.json' with { type: 'json' };
import french from '../../../../templates/locales/fr.json' with { type: 'json' };
import german from '../../../../templates/locales/de.json' with { type: 'json' };

const languages = [
  createLanguage('en', english, 'Europe/London'),
  createLanguage('de', german, 'Europe/London'),
  createLanguage('fr', french, 'Europe/London'),
];

test.each([
  ['delivered', 'delivered', 'zugestellt', 'distribué'],
  // What the service does not document is shown with its own word.
  ['partly_delivered', 'partly delivered', 'partly delivered', 'partly delivered'],
  ['constructor', 'constructor', 'constructor', 'constructor'],
  ['', null, null, null],
])('the status "%s" is a word of each language if it is documented', (status, ...words) => {
  expect(languages.map((language) => showStatus(status, language))).toEqual(words);
});
