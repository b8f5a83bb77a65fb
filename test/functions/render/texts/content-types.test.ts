import { describe, expect, test } from 'vitest';
import { sayOnly, showType } from '../../../../functions/render/texts/content-types.ts';
import { createLanguage } from '../../../../functions/render/texts/language.ts';
import english from '../../../../templates/locales/en.json' with { type: 'json' };
import french from '../../../../templates/locales/fr.json' with { type: 'json' };
import german from '../../../../templates/locales/de.json' with { type: 'json' };

const languages = {
  en: createLanguage('en', english, 'Europe/London'),
  de: createLanguage('de', german, 'Europe/London'),
  fr: createLanguage('fr', french, 'Europe/London'),
};

describe('the type of a content item', () => {
  test.each([
    ['image', 'Image', 'Bild', 'Image'],
    ['RATING', 'Rating', 'Bewertung', 'Évaluation'],
    ['multiple_choice', 'Multiple choice', 'Mehrfachauswahl', 'Choix multiple'],
    ['multipleChoice', 'Multiple choice', 'Mehrfachauswahl', 'Choix multiple'],
    // What is not known is shown with the service's own word.
    ['pulse_check', 'Pulse check', 'Pulse check', 'Pulse check'],
    ['constructor', 'Constructor', 'Constructor', 'Constructor'],
    ['', '(no name)', '(ohne Namen)', '(sans nom)'],
  ])('%s is a word of each language', (type, en, de, fr) => {
    expect(Object.values(languages).map((language) => showType(type, language))).toEqual([en, de, fr]);
  });
});

describe('what only informs', () => {
  test.each([
    [['text', 'Text'], 'text only', 'nur Text', 'texte seul'],
    [['image'], 'image only', 'nur Bild', 'image seule'],
    [['text', 'image'], 'information only', 'nur zur Information', 'pour information'],
    [['briefing'], 'information only', 'nur zur Information', 'pour information'],
  ])('%j is named in each language', (types, en, de, fr) => {
    expect(Object.values(languages).map((language) => sayOnly(types, language))).toEqual([en, de, fr]);
  });
});
