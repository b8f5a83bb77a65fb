import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { withAdvice } from '../../../../functions/reporting-service/requests/failure.ts';
import { listenOnLoopback } from '../../../../infra/local/loopback.ts';
import { authority, certificateNamed } from '../../../support/certificates.ts';
import * as http from '../../../support/http-stub.ts';
import { readAll, unavailableFrom } from '../connect.ts';
import { connect, stub, stubEachTest } from '../service-stub.ts';

const html = http.text('<html>Bad gateway</html>', { 'content-type': 'text/html' });
const cutJson = http.text('{"broadcast":{"name":"Friday');

stubEachTest();

/** Failures that may pass, the word by which they are counted, and the reason that the error gives. */
const passing: ReadonlyArray<[failure: string, answer: http.StubAnswer, word: string, unavailable: object]> = [
  ['a 500', http.status(500), '500', { reason: 'failed', status: 500 }],
  ['a reset', http.reset, 'connection lost', { reason: 'failed' }],
  ['a body cut before its Content-Length', http.cutShort('{"data":', 400), 'connection lost', { reason: 'failed' }],
  ['a cut body whose Content-Length is right', cutJson, 'no JSON', { reason: 'unreadable' }],
  ['a page of html with status 200', html, 'html and no JSON, as of a login page or a proxy', { reason: 'unreadable' }],
  ['an empty body', http.text(''), 'no JSON', { reason: 'unreadable' }],
  ['no answer at all', http.hang, 'no answer in time', { reason: 'failed' }],
  ['a body that stalls', http.stall('{"data":'), 'no answer in time', { reason: 'failed' }],
];

test.each(passing)(
  '%s is asked again, five times in all, and then named without token, query or anything of the answer',
  async (_failure, answer, word, unavailable) => {
    const list = '/v1/broadcasts/deliveries/d/contents/c/recipients';
    const filter = { name: 'rating', value: 'canary-value' };
    stub.answer(list, answer);
    const { service, tally } = connect({ timeoutMs: word === 'no answer in time' ? 100 : 5_000 });
    const error = await unavailableFrom(readAll(service.contentRecipients('d', 'c', filter)));
    expect([error.message, error.unavailable]).toEqual([`[GET] ${list}: ${word}`, unavailable]);
    expect(tally.coverage.requests['content-recipients']).toEqual({ [word]: 5 });
    const shown = inspect(error, { depth: null, showHidden: true });
    expect(shown).not.toMatch(/access-1|canary|Bad gateway/);
  },
);

test('where no service listens, the error says that the connection was refused', async () => {
  const closed = await http.startHttpStub();
  await closed.close();
  const { service } = connect({ settings: { baseUrl: closed.url } });
  const error = await unavailableFrom(service.broadcast('71'));
  expect(error.message).toBe('[POST] /v1/auth: connection refused');
  expect(withAdvice(error)).toContain('refused. No service is there: check its address');
  // Fetch asks nobody on some ports.
  const blocked = connect({ settings: { baseUrl: 'http://127.0.0.1:1' } });
  expect((await unavailableFrom(blocked.service.broadcast('71'))).message).toBe('[POST] /v1/auth: no connection');
});

/** Addresses of real servers that nobody can use, however often they are asked, by what the error says. */
test.each<[word: string, help: string, certificate: string | null, trusts: boolean]>([
  ['certificate of an unknown authority', 'NODE_EXTRA_CA_CERTS', 'service', false],
  ['certificate of another name', 'the address', 'service', true],
  ['certificate that is not valid today', 'the clock', 'expired', true],
  ['no TLS', 'its port', null, true],
])('a %s is asked for once, and %s is said to help', async (word, help, certificate, trusts) => {
  const known = getCACertificates();
  const server = certificate === null ? createServer() : createTlsServer(certificateNamed(certificate));
  const { url, close } = await listenOnLoopback(server);
  if (trusts) setDefaultCACertificates([...known, authority]);
  const { service, tally } = connect({ settings: { baseUrl: url.replace('http://127.0.0.1', 'https://localhost') } });
  const error = await unavailableFrom(service.broadcast('71')).finally(() => setDefaultCACertificates(known));
  await close();
  expect(error.message).toBe(`[POST] /v1/auth: ${word}`);
  expect(withAdvice(error)).toContain(help);
  expect(tally.coverage.requests).toEqual({ auth: { [word]: 1 } });
});
