import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMimeComposer } from '../../../../functions/run/send/mime.ts';
import type { Loopback } from '../../../../infra/local/emulators/loopback.ts';
import { startMessageView, startOutboxView } from '../../../../infra/local/viewer/outbox-view.ts';
import { configured } from '../../../functions/run/configured.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let outDir: string;
let view: Loopback;

beforeEach(async () => {
  outDir = temporaryFolder();
  view = await startOutboxView({ outDir });
});
afterEach(() => view.close());

async function keep(id: string, subject: string, at: string): Promise<void> {
  const file = join(outDir, `${id}.eml`);
  const header = `From: a@example.com\r\nTo: "B <i>" <b@example.com>\r\nSubject: ${subject}\r\nMIME-Version: 1.0`;
  await writeFile(file, `${header}\r\nContent-Type: text/html\r\n\r\n<p>Hello</p><script>alert(1)</script>`);
  await utimes(file, new Date(at), new Date(at));
}

async function read(path: string): Promise<{ status: number; policy: string; body: string }> {
  const response = await fetch(view.url + path);
  const policy = response.headers.get('content-security-policy') ?? '';
  return { status: response.status, policy, body: await response.text() };
}

test('the messages are listed newest first, with subject, address, time and size, as text', async () => {
  await keep('old', 'First <b>', '2026-11-16T08:00:00Z');
  await keep('new', 'Second', '2026-11-23T08:00:00Z');
  const { policy, body } = await read('/');
  expect(policy).toMatch(/^default-src 'none'/);
  expect([...body.matchAll(/<a href="([^"]+)">([^<]*)<\/a>/g)].map(([, href, text]) => [href, text])).toEqual([
    ['/new', 'Second'],
    ['/old', 'First &#60;b&#62;'],
  ]);
  expect(body).toContain('<td>B &#60;i&#62; &#60;b@example.com&#62;</td><td>2026-11-16 08:00:00 UTC</td>');
  expect(body).toMatch(/<td>0\.\d KB<\/td>/);
});

test('a message is shown with its html in a sandbox, which runs no script, and its source as text', async () => {
  await keep('one', 'Hello', '2026-11-16T08:00:00Z');
  const page = await read('/one');
  expect(page.body).toMatch(/<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" [^>]*src="\/one\/html">/);
  expect(page.body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  expect(page.body).not.toContain('<script');
  const frame = await read('/one/html');
  expect(frame.body).toContain('<p>Hello</p>');
  expect(frame.policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
});

test('links of a message open beside the view, and the pictures and files that come with it are there', async () => {
  const png = Buffer.from('not really a picture').toString('base64');
  const rendered = {
    subject: 'Files',
    html: '<html><head></head><body><img src="cid:logo"></body></html>',
    text: 'Files',
    logo: { contentId: 'logo', png },
    files: [{ name: 'wöchentlich.csv', content: 'name\r\nÜbung\r\n' }],
  };
  const settings = { mail: configured().mail, report: { name: 'weekly', title: 'Weekly' } };
  const compose = await createMimeComposer(rendered, settings);
  await writeFile(join(outDir, 'files.eml'), compose({ to: 'b@example.com' }));
  expect((await read('/files')).body).toContain('<a href="/files/file/1">wöchentlich.csv</a>');
  const shown = `<head><base target="_blank"></head><body><img src="data:image/png;base64,${png}">`;
  expect((await read('/files/html')).body).toContain(shown);
  const file = await fetch(`${view.url}/files/file/1`);
  expect([file.headers.get('content-disposition'), await file.text()]).toEqual([
    "attachment; filename*=UTF-8''w%C3%B6chentlich.csv",
    'name\r\nÜbung\r\n',
  ]);
  expect((await read('/files/file/7')).status).toBe(404);
});

test('one message alone is shown without a folder, and its address is that of the view', async () => {
  const raw = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\nSubject: Alone\r\n\r\nHello\r\n');
  const alone = await startMessageView('weekly_2026-W46', { raw, at: new Date('2026-11-16T08:00:00Z') });
  try {
    expect(alone.url).toMatch(/\/weekly_2026-W46$/);
    expect(await (await fetch(alone.url)).text()).toContain('To b@example.com, 2026-11-16 08:00:00 UTC, 0.1 KB');
    expect((await fetch(`${alone.url}9`)).status).toBe(404);
  } finally {
    await alone.close();
  }
});

test('nothing but the messages of the folder is served, and an empty one says so', async () => {
  expect((await read('/')).body).toContain('No messages yet.');
  await mkdir(join(outDir, 'planned'));
  await writeFile(join(outDir, 'receipt.json'), '{}');
  const paths = ['/receipt.json', '/receipt', '/..%2fsecret', '/planned', '/none/html'];
  expect(await Promise.all(paths.map(async (path) => (await read(path)).status))).toEqual([404, 404, 404, 404, 404]);
});

test("a request under another site's name is answered with nothing", async () => {
  const sent = request(`${view.url}/`, { headers: { host: 'evil.example' } }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  expect(response.statusCode).toBe(404);
});
