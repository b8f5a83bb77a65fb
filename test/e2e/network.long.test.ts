import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { authorityPath } from '../support/certificates.ts';
import { environmentOf } from '../support/commands.ts';
import { startProxy } from '../support/proxy.ts';
import { repositoryOfTests } from '../support/repository.ts';
import { createFolders } from '../support/start-folders.ts';

const at = '2026-11-16T08:00:00Z';
const account = await startSampleAccount({ asOf: at });
const { port, pathname } = new URL(account.url);
const url = `https://service.example.com${pathname}`;

const proxy = await startProxy((asked, answer) => {
  const { method, url: path, headers } = asked;
  const passed = request({ method, port, path, headers: { ...headers, host: `127.0.0.1:${port}` } }, (given) =>
    given.pipe(answer.writeHead(given.statusCode ?? 0, given.headers)),
  );
  asked.pipe(passed);
});
afterAll(() => Promise.all([proxy.close(), account.close()]));

/** Calls the program as a script of npm does, in that network, and tells what the proxy was asked for. */
async function call(args: readonly string[], environment: Record<string, string>) {
  proxy.asked.length = 0;
  const env = {
    PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}`,
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    ...environmentOf(account),
    ...environment,
  };
  const command = ['infra/prepare.sh', 'node', 'infra/program/program.ts', ...args];
  const child = spawn('sh', command, { cwd: repositoryOfTests, env, stdio: 'pipe' });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, says: out + err, asked: [...new Set(proxy.asked)] };
}

const { flags } = createFolders();
const draft = ['start', '--service-url', url, '--at', at, '--draft', ...flags];
const ofService = { code: 0, asked: ['service.example.com:443'] };

test.each([
  ['NODE_EXTRA_CA_CERTS', 'a draft', draft],
  // The store of the system.
  ['SSL_CERT_FILE', 'a draft', draft],
  ['NODE_EXTRA_CA_CERTS', 'the doctor', ['doctor', '--service-url', url]],
])(
  'where only a proxy that inspects TLS leads out, and %s names its authority, %s works',
  async (variable, _works, args) => {
    expect(await call(args, { [variable]: authorityPath })).toMatchObject(ofService);
  },
);

test('what runs on this machine is never asked for at the proxy', async () => {
  const own = { NODE_USE_ENV_PROXY: '1', NO_PROXY: 'intranet.example.com' };
  expect(await call(['start', '--at', at, ...flags], own)).toMatchObject({ code: 0, asked: [] });
  expect(await call(['doctor', '--local'], own)).toMatchObject({ code: 0, asked: [] });
});

test('a draft says of an authority that is not known what helps', async () => {
  const says = expect.stringContaining('certificate of an unknown authority. Where this network inspects TLS, name');
  expect(await call(draft, {})).toMatchObject({ ...ofService, code: 1, says });
});

test('what the proxy refuses is said to be that, and asked for once', async () => {
  const says = expect.stringContaining('refused by the proxy. Ask who runs it');
  expect(await call(['doctor', '--service-url', 'https://other.example.com'], {})).toMatchObject({ code: 1, says });
  expect(proxy.asked).toEqual(['other.example.com:443']);
});

test('AWS is asked through the proxy, too', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-west-1', AWS_MAX_ATTEMPTS: '1' };
  expect(await call(['sender', '--yes'], keys)).toMatchObject({
    code: 1,
    asked: ['email.eu-west-1.amazonaws.com:443'],
  });
});
