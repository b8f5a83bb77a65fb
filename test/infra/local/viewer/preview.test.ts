import { utimes } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { startPreview } from '../../../../infra/local/viewer/preview.ts';
import { cdkJsonPath } from '../../../support/configuration.ts';
import { wordsOf } from '../../../support/words.ts';

const preview = await startPreview(cdkJsonPath);
afterAll(() => preview.close());

const read = async (path: string): Promise<string> => (await fetch(preview.url + path)).text();
const chosenIn = (html: string) => [...html.matchAll(/<option selected>([^<]*)/g)].map(([, option]) => option);

test('the page has switches, set as its address says, and opens on a week of which nothing is missing', async () => {
  const html = await read('/?digest=an-incomplete-week&report=monthly&language=de&part=page');
  expect(chosenIn(html)).toEqual(['an-incomplete-week', 'monthly', 'de', 'page']);
  const usual = ['a-full-week', 'weekly', 'as configured', 'html'];
  expect(chosenIn(await read('/?digest=none&part=%22%3E'))).toEqual(usual);
});

test('the mail is that of the chosen report, in its language or another, as html, as text and as its page', async () => {
  const incomplete = '/mail?digest=an-incomplete-week&language';
  expect(await read(`${incomplete}=fr`)).toContain('<html lang="fr"');
  expect(await read(`${incomplete}=de&part=text`)).toContain(wordsOf('de').say('incomplete.heading'));
  expect(await read(`${incomplete}=de&part=page`)).toContain('id="broadcast-1"');
  // British English has the day first; American English has not.
  expect(await read('/mail?part=text')).toMatch(/Weekly broadcast digest, 9\s?–\s?15\sNovember/);
  const monthly = await read('/mail?report=monthly&part=text');
  expect(monthly).toContain('Monthly broadcast digest');
  expect(monthly).not.toMatch(/15\sNovember/);
});

test('the file beside the mail is its workbook', async () => {
  const [, address = ''] = /href="(file\?[^"]*)"/.exec(await read('/?digest=forty-deliveries')) ?? [];
  const answer = await fetch(`${preview.url}/${address.replaceAll('&#38;', '&')}`);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="weekly_2026-W46\.xlsx"$/);
  expect((await answer.text()).slice(0, 2)).toBe('PK');
});

test('a change of a language is another version than that of the page', async () => {
  const version = await read('/version');
  expect(await read('/')).toContain(`data-version="${version}"`);
  expect(await read('/version')).toBe(version);
  await utimes('templates/locales/en.json', new Date(), new Date());
  expect(await read('/version')).not.toBe(version);
});
