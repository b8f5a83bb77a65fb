import { utimes } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Loopback } from '../../../../infra/local/emulators/loopback.ts';
import { startPreview } from '../../../../infra/local/viewer/preview.ts';

let preview: Loopback;

beforeAll(async () => {
  preview = await startPreview();
});
afterAll(() => preview.close());

const read = async (path: string): Promise<string> => (await fetch(preview.url + path)).text();

test('the page has a switch for account, report, language, width, scheme and part, set as its address says', async () => {
  const html = await read('/?account=typical&report=monthly&language=de&width=320&scheme=dark&part=html');
  const chosen = [...html.matchAll(/<option selected>([^<]*)|value="([^"]*)" checked/g)].map(
    ([, option, radio]) => option ?? radio,
  );
  expect(chosen).toEqual(['typical', 'monthly', 'de', '320', 'dark', 'html']);
  expect(html).toContain('title="Mail" style="width:320px"');
});

test('the mail is in the chosen language and scheme, as html, as text and as its page', async () => {
  expect(await read('/mail?account=typical&language=fr&scheme=dark')).toMatch(
    /<html lang="fr"[\s\S]*@media all \{[\s\S]*<style media="all">/,
  );
  expect(await read('/mail?account=typical&scheme=light')).toContain('@media not all {');
  expect(await read('/mail?account=typical&language=de&part=text')).toContain('Dieser Bericht ist unvollständig');
  expect(await read('/mail?account=typical&language=de&scheme=dark&part=page')).toMatch(
    /@media all \{[\s\S]*id="broadcast-1"[\s\S]*diese Woche/,
  );
});

test('it opens on a week of which nothing is missing, as the first configured report sends it', async () => {
  const html = await read('/');
  const chosen = [...html.matchAll(/<option selected>([^<]*)/g)].map(([, option]) => option);
  expect(chosen).toEqual(['eight weeks', 'weekly', 'as configured']);
  const mail = await read('/mail?part=text');
  expect(mail).not.toContain('missing');
  expect(mail).toMatch(/Weekly broadcast digest, 9\s–\s15\sNovember/);
  // American English has the month first, and no "Sept".
  expect(mail).toMatch(/21\sSept/);
  // It has the links of the configuration, which are none.
  expect(mail).not.toContain('reporting.example.com');
});

test('the mail has the title and the language of the chosen report', async () => {
  const mail = await read('/mail?report=monthly&part=text');
  expect(mail).toContain('Monthly broadcast digest');
  expect(mail).not.toMatch(/21\sSept/);
  expect(await read('/mail?report=monthly&part=page')).toContain('Monthly broadcast digest');
});

test('a sample with a title of its own keeps it', async () => {
  expect(await read('/mail?account=a+title+of+300+characters&part=text')).toContain('Title Title');
});

test('what is not among the choices is the usual one of them', async () => {
  expect(await read('/?account=none&width=1&scheme=%22%3E')).toContain('style="width:600px"');
});

test('a browser that has seen an older version is answered with the newer at once', async () => {
  expect(await read('/changed?since=0')).toBe('1');
});

test('a change of a locale builds the mails again, and the browser gets the new version', async () => {
  const changed = read('/changed?since=1');
  await utimes('templates/locales/en.json', new Date(), new Date());
  expect(await changed).toBe('2');
});
