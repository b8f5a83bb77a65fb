import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMimeComposer } from '../../../../functions/run/send/mime.ts';
import type { Loopback } from '../../../../infra/local/loopback.ts';
import { startOutboxView } from '../../../../infra/local/viewer/outbox-view.ts';
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

test('the messages are listed newest first, with subject, address and time, as text', async () => {
  await keep('old', 'First <b>', '2026-11-16T08:00:00Z');
  await keep('new', 'Second', '2026-11-23T08:00:00Z');
  const { policy, body } = await read('/');
  expect(policy).toMatch(/^default-src 'none'/);
  expect([...body.matchAll(/<a href="([^"]+)">([^<]*)<\/a>/g)].map(([, href, text]) => [href, text])).toEqual([
    ['new', 'Second'],
    ['old', 'First &#60;b&#62;'],
  ]);
  expect(body).toContain('<td>B &#60;i&#62; &#60;b@example.com&#62;</td><td>2026-11-16 08:00:00 UTC</td>');
});

test('a message is shown with its html in a sandbox, which runs no script', async () => {
  await keep('one', 'Hello', '2026-11-16T08:00:00Z');
  const page = await read('/one');
  expect(page.body).toMatch(/<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" [^>]*src="one\/html">/);
  expect(page.body).not.toContain('<script');
  const frame = await read('/one/html');
  expect(frame.body).toContain('<p>Hello</p>');
  expect(frame.policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
});

test('links of a message open beside the view, and the pictures that come with it are in it', async () => {
  const png = Buffer.from('not really a picture').toString('base64');
  const html = '<html><head></head><body><img src="cid:logo"></body></html>';
  const rendered = { subject: 'A logo', html, text: 'A logo', logo: { contentId: 'logo', png }, files: [] };
  const settings = { mail: configured().mail, report: { name: 'weekly', title: 'Weekly' } };
  const compose = await createMimeComposer(rendered, settings);
  await writeFile(join(outDir, 'logo.eml'), compose({ to: 'b@example.com' }));
  const shown = `<head><base target="_blank"></head><body><img src="data:image/png;base64,${png}">`;
  expect((await read('/logo/html')).body).toContain(shown);
});

test('nothing but the messages of the folder is served, and an empty one says so', async () => {
  expect((await read('/')).body).toContain('No messages yet.');
  await mkdir(join(outDir, 'planned'));
  await writeFile(join(outDir, 'receipt.json'), '{}');
  const paths = ['/receipt.json', '/receipt', '/..%2fsecret', '/planned', '/none/html'];
  expect(await Promise.all(paths.map(async (path) => (await read(path)).status))).toEqual([404, 404, 404, 404, 404]);
});
