import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { compileTemplates, readLogo } from '../../../infra/build/compile-templates.ts';
import { buildTemplates } from '../../../infra/build/load-templates.ts';
import { unfinishedLanguages } from '../../../infra/build/locales.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = path.join(temporaryFolder(), 'templates');
  await cp('templates', root, { recursive: true });
});

async function writeLocale(file: string, change: (messages: Record<string, unknown>) => void): Promise<void> {
  const messages: Record<string, unknown> = JSON.parse(await readFile(path.join(root, 'locales/en.json'), 'utf8'));
  change(messages);
  await writeFile(path.join(root, 'locales', file), JSON.stringify(messages, null, 2));
}

describe('the compiled templates', () => {
  test('have no word of their own', async () => {
    const partials = await readdir('templates/partials');
    const files = partials.filter((file) => file !== 'styles.mjml').map((file) => `partials/${file}`);
    for (const file of ['digest.mjml', 'digest.txt', ...files]) {
      const source = await readFile(path.join('templates', file), 'utf8');
      expect(source.replaceAll(/<!--.*?-->|\{\{[^}]*\}\}|<[^>]*>|&nbsp;/gs, ''), file).not.toMatch(/\p{L}/u);
    }
  });

  test('are written for people: names of words, no style in place of a class, no long lines', async () => {
    const files = (await readdir('templates', { recursive: true })).filter((file) => /\.(?:mjml|css|txt)$/.test(file));
    for (const file of files) {
      const source = await readFile(path.join('templates', file), 'utf8');
      const names = [...source.matchAll(/class="([^"{]*)"/g)].flatMap(([, list = '']) => list.split(' '));
      const long = source.split('\n').filter((line) => line.length > 160);
      expect([...names.filter((name) => name.length < 3), ...long], file).toEqual([]);
      expect(source, file).not.toMatch(/style="[^"]*;[^"]*:/);
    }
  });

  const needs = 'partials/needs.mjml';
  test.each([
    ['digest.txt', '{{verdict', 'a {{…}} is not closed'],
    [needs, '{{shout subject}}', 'You specified knownHelpersOnly, but used the unknown helper shout'],
    [needs, '{{#if needs}}', 'a {{…}} is not closed'],
    [
      needs,
      '<mj-raw>{{subjekt}}</mj-raw>',
      'A template asks for {{subjekt}}, which does not exist: look for it in partials/ and digest.txt.',
    ],
    [needs, '<mj-text unknown="1">x</mj-text>', 'Attribute unknown is illegal'],
    ['digest.mjml', '<mj-include path="../outside.mjml" />', '"../outside.mjml" is missing or outside its folder.'],
    ['digest.mjml', '<mj-include path="./partials/none.mjml" />', '"./partials/none.mjml" is missing'],
  ])('are refused where %s ends with %s', async (name, text, fault) => {
    const file = path.join(root, name);
    await writeFile(file, `${await readFile(file, 'utf8')}\n${text}`);
    const message = (await buildTemplates(root).catch(String)).replaceAll(/:\d+: /g, ': ');
    expect(message).toContain(fault);
  });
});

describe('a locale', () => {
  test('that does not agree with the English one is refused with every fault', async () => {
    await writeLocale('de.json', (messages) => {
      delete messages['column.views'];
      messages['column.sehen'] = 'Gesehen';
      messages['verdict.about'] = '{views}, {wechsel} {before} ({previous})';
      messages['count.views'] = { other: '{count} Aufrufe' };
      messages['count.responses'] = '{count} Antworten';
    });
    await writeLocale('klingon.json', () => {});
    const lines = (await readFile(path.join(root, 'locales/de.json'), 'utf8')).split('\n');
    const line = (key: string): number => 1 + lines.findIndex((text) => text.startsWith(`  "${key}"`));
    await expect(compileTemplates(root)).rejects.toThrow(
      `The templates cannot be used:
- locales/de.json:${line('verdict.about')}: "verdict.about" has the placeholders [before, previous, views, wechsel], not [before, previous, views].
- locales/de.json:${line('count.views')}: "count.views" has the plural forms [other], not [one, other].
- locales/de.json:${line('count.responses')}: "count.responses" must have plural forms.
- locales/de.json: "column.views" is missing.
- locales/de.json:${line('column.sehen')}: "column.sehen" is not a key of en.json.
- locales/klingon.json: "klingon" is not a locale that Intl supports.`,
    );
  });

  test('that differs from all others has the fault, also where it is the English one', async () => {
    await writeLocale('en.json', (messages) => (messages['verdict.about'] = '{views} {befroe} {previous}'));
    await expect(compileTemplates(root)).rejects.toThrow(
      /used:\n- locales\/en\.json:\d+: "verdict\.about" has the placeholders \[befroe, previous, views\], not \[before, previous, views\]\.$/,
    );
  });

  const notWords = 'must be words without digits, separated by commas';
  test.each([
    ['', notWords],
    ['issue, , no.', notWords],
    ['issue, 45', notWords],
    [{ one: 'issue', other: 'issues' }, 'must be a text'],
  ])('that dates names by the words %j is refused', async (words, fault) => {
    await writeLocale('de.json', (messages) => {
      messages['series.words'] = words;
    });
    await expect(compileTemplates(root)).rejects.toThrow(new RegExp(`de\\.json:\\d+: "series\\.words" ${fault}\\.$`));
  });

  test.each([
    ['{\n  "count.seen": 5\n}', 'locales/de.json:2: "count.seen": expected an object of texts and plural forms.'],
    ['{\n  "a": "b",\n  "c" "d"\n}', 'locales/de.json:3: invalid JSON at column 7.'],
  ])('that holds anything but texts, or is no JSON, is refused with the line: %j', async (text, fault) => {
    await writeFile(path.join(root, 'locales/de.json'), text);
    await expect(compileTemplates(root)).rejects.toThrow(fault);
  });

  test('has no message that no mail says', async () => {
    const files = (await readdir('functions', { recursive: true })).map((file) => path.join('functions', file));
    const sources = files.filter((file) => file.endsWith('.ts'));
    const source = (await Promise.all(sources.map((file) => readFile(file, 'utf8')))).join('\n');
    const messages: Record<string, unknown> = JSON.parse(await readFile('templates/locales/en.json', 'utf8'));
    const unsaid = Object.keys(messages).filter((key) => {
      const families = [...key.matchAll(/\./g)].map(({ index }) => `\`${key.slice(0, index + 1)}\${`);
      return !source.includes(`'${key}'`) && !families.some((family) => source.includes(family));
    });
    expect(unsaid).toEqual([]);
  });
});

const logo = await readFile('templates/pictures/logo.png');

/** The logo, with another width that it says it has. */
const wide = Buffer.from(logo);
wide.writeUInt32BE(1200, 16);

test.each([
  ['missing.png', null, 'expected a file that can be read'],
  ['text.png', Buffer.from('<svg/>'), 'expected a PNG.'],
  ['heavy.png', Buffer.alloc(200_000, logo), 'expected at most 100000 bytes, found 200000: it is in every mail.'],
  ['wide.png', wide, 'expected at most 576 pixels of width, found 1200.'],
])('%s is refused', async (name, picture, message) => {
  if (picture !== null) await writeFile(path.join(root, name), picture);
  // The program ends with 64 for this class.
  const fault = { name: 'TemplateError', message: expect.stringContaining(`- ${name}: ${message}`) };
  await expect(readLogo(path.join(root, name))).rejects.toMatchObject(fault);
});

test('a language that is still English is named, with how much of it is; one with a few words alike is not', async () => {
  await writeLocale('sv.json', (messages) => (messages['test.banner'] = 'Det här är ett test.'));
  expect(unfinishedLanguages(['en', 'de', 'fr', 'sv', 'sv'], path.join(root, 'locales'))).toEqual([
    expect.stringMatching(
      /^Language "sv" is not finished: 3\d\d of 3\d\d texts are still English\..*npm run language -- sv$/,
    ),
  ]);
});
