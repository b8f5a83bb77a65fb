import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileTemplates } from '../../../infra/build/templates.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'templates-'));
  await cp('templates', root, { recursive: true });
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function writeLocale(file: string, change: (messages: Record<string, unknown>) => void): Promise<void> {
  const messages: Record<string, unknown> = JSON.parse(await readFile(path.join(root, 'locales/en.json'), 'utf8'));
  change(messages);
  await writeFile(path.join(root, 'locales', file), JSON.stringify(messages));
}

describe('the compiled templates', () => {
  test('load nothing from outside and hold no script', async () => {
    const { html, page } = await compileTemplates(root);
    expect([html, page].join('').replace('<img src=\\"cid:', '')).not.toMatch(
      /<script|<img|<link|@import|fonts\.googleapis|url\(/i,
    );
  });

  test('have no word of their own', async () => {
    const files = [
      'digest.mjml',
      ...(await readdir('templates/partials')).map((file) => `partials/${file}`),
      'digest.txt',
    ];
    const words = await Promise.all(
      files
        .filter((file) => file !== 'partials/theme.mjml')
        .map(async (file) => {
          const source = await readFile(path.join('templates', file), 'utf8');
          return source.replaceAll(/\{\{[^}]*\}\}|<[^>]*>|&nbsp;/g, '').match(/\p{L}+/gu) ?? [];
        }),
    );
    expect(words.flat()).toEqual([]);
  });

  test('are refused where the MJML is not valid', async () => {
    await writeFile(path.join(root, 'partials/notes.mjml'), '<mj-text unknown="1">x</mj-text>');
    await expect(compileTemplates(root)).rejects.toThrow(/unknown/);
  });

  test.each(['../render-outside.mjml', './partials/none.mjml'])('cannot include %s', async (include) => {
    const outside = path.join(root, '..', 'render-outside.mjml');
    await writeFile(outside, '<mj-section></mj-section>');
    const file = path.join(root, 'digest.mjml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('./partials/notes.mjml', include));
    await expect(compileTemplates(root)).rejects.toThrow(
      'digest.mjml: a file it includes is missing or outside its folder',
    );
    await rm(outside);
  });
});

describe('a locale', () => {
  test('is known by the name of its file', async () => {
    await writeLocale('en-GB.json', (messages) => {
      messages['tile.seen'] = 'Seen';
    });
    const { locales } = await compileTemplates(root);
    expect(Object.keys(locales)).toEqual(['de', 'en', 'en-GB', 'fr']);
    expect(locales['en-GB']?.['tile.seen']).toBe('Seen');
  });

  test('that does not agree with the English one is refused with every fault', async () => {
    await writeLocale('de.json', (messages) => {
      delete messages['tile.seen'];
      messages['tile.sehen'] = 'Gesehen';
      messages['tile.change'] = '{change} (vorher {frueher})';
      messages['count.views'] = { other: '{count} Aufrufe' };
      messages['count.responses'] = '{count} Antworten';
    });
    await writeLocale('klingon.json', () => {});
    await expect(compileTemplates(root)).rejects.toThrow(
      new TypeError(`The locales cannot be used:
- de.json: "tile.seen" is missing.
- de.json: "tile.sehen" is not a key of en.json.
- de.json: "tile.change" has the placeholders [change, frueher], not [change, previous].
- de.json: "count.views" has the plural forms [other], not [one, other].
- de.json: "count.responses" must have plural forms.
- klingon.json: "klingon" is not a locale that Intl supports.`),
    );
  });

  test('that holds anything but texts is refused', async () => {
    await writeLocale('de.json', (messages) => {
      messages['tile.seen'] = 5;
    });
    await expect(compileTemplates(root)).rejects.toThrow('de.json: expected an object of texts and plural forms.');
  });

  test('has no message that no mail says', async () => {
    const folders = ['functions/run', 'functions/unsubscribe'];
    const files = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder, { recursive: true })).map((file) => path.join(folder, file)),
      ),
    );
    const sources = files.flat().filter((file) => file.endsWith('.ts'));
    const source = (await Promise.all(sources.map((file) => readFile(file, 'utf8')))).join('\n');
    const messages: Record<string, unknown> = JSON.parse(await readFile('templates/locales/en.json', 'utf8'));
    const unsaid = Object.keys(messages).filter((key) => {
      const family = `\`${key.slice(0, key.indexOf('.') + 1)}\${`;
      return !source.includes(`'${key}'`) && !source.includes(family);
    });
    expect(unsaid).toEqual([]);
  });
});
