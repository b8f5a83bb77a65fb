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

test('the page has a switch for account, language, width, scheme and part, set as its address says', async () => {
  const html = await read('/?account=typical&language=de&width=320&scheme=dark&part=html');
  const chosen = [...html.matchAll(/<option selected>([^<]*)|value="([^"]*)" checked/g)].map(
    ([, option, radio]) => option ?? radio,
  );
  expect(chosen).toEqual(['typical', 'de', '320', 'dark', 'html']);
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

test('it opens on the usual week', async () => {
  expect(await read('/')).toContain('<option selected>a usual week</option>');
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
