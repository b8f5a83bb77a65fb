import { createServer } from 'node:https';
import { UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import cases from '../../fixtures/doctor-findings.json' with { type: 'json' };
import { chooseReport } from '../../../infra/program/command-line/choices.ts';
import { presentFindings } from '../../../infra/program/commands/doctor.ts';
import type { Finding } from '../../../infra/program/doctor/finding.ts';
import { examineService, openService } from '../../../infra/program/doctor/service.ts';
import { listenOnLoopback } from '../../../infra/local/loopback.ts';
import { certificateNamed } from '../../support/certificates.ts';
import { hang, json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { configurationWith } from '../../support/configuration.ts';

const token = new UnsecuredJWT({ exp: 2_000_000_300, iat: 2_000_000_000 }).encode();
const list = '/v1/broadcasts/deliveries';
const recipients = '/v1/broadcasts/deliveries/d-1/recipients';
const contentOf = (id: string): string => `/v1/broadcasts/deliveries/d-1/contents/${id}/recipients`;

const delivery = { id: 'd-1', broadcast: { id: '7', name: "Ada's news" }, status: 'delivered' };
const seen = { seenAt: '2026-11-10T09:00:00+00:00', respondedAt: null };
const responded = { seenAt: '2026-11-10T09:00:00+00:00', respondedAt: '2026-11-10T09:05:00+00:00' };
const untouched = { seenAt: null, respondedAt: null };
const person = { id: '4711', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.org' };

let service: HttpStub;

beforeEach(async () => {
  service = await startHttpStub();
  service.answer('/v1/auth', json({ token, refresh_token: 'f00d' }));
  service.answer('/v1/auth/refresh', json({ token: `${token}2`, refresh_token: 'beef' }));
  service.answer('/v1/users', json({ users: [{ user: person }, { user: person }] }));
  service.answer(list, json([{ delivery }]));
  service.answer(recipients, json([seen, responded].map((row) => Object.assign({}, row, person))));
  const broadcast = { id: '7', name: "Ada's news", created: { by: person, at: '2026-11-09T09:00:00+00:00' } };
  const contents = ['text', 'rating'].map((type, index) => ({ id: `7${index + 1}`, type }));
  service.answer('/v1/broadcasts/7', json({ broadcast, contents }));
  service.answer(contentOf('71'), json([seen, responded, untouched]));
  service.answer(contentOf('72'), json([{ ...responded, rating: 4 }, untouched, untouched]));
});
afterEach(() => service.close());

async function examine(settings: object = {}, slice: object = {}): Promise<Finding[]> {
  const configuration = configurationWith({ service: { baseUrl: service.url, timeout: 1, ...settings } });
  const credentials = { id: 'id', secret: 'canary-secret' };
  const report = { ...chooseReport(configuration, 'weekly'), ...slice };
  const findings = await examineService(openService(configuration, report, credentials, () => undefined));
  for (const personal of ['Ada', 'Grace', 'Hopper', 'grace@', 'canary-secret', token, 'f00d', 'beef'])
    expect(JSON.stringify(findings)).not.toContain(personal);
  return findings;
}

test('a service of the likeliest readings gives nothing to change', async () => {
  const findings = await examine();
  expect(findings.filter(({ verdict }) => verdict !== 'good')).toEqual([]);
  expect([...new Set(findings.map(({ check }) => check))].join(', ')).toBe(
    'service, users, statuses, content types, delivery lists, content lists, requests, reading',
  );
  expect(findings[1]?.sentence).toContain('2 entries');
  expect(service.asked().slice(0, 4)).toEqual(['/v1/auth', '/v1/auth/refresh', '/v1/users', list]);
  expect(service.requests.length).toBeLessThan(12);
});

test('a service that cannot be reached is no good finding, and what helps is said once', async () => {
  const findings = await examine({ baseUrl: 'http://127.0.0.1:1' });
  expect(findings).toMatchObject([{ check: 'reach', verdict: 'fault', setting: { name: 'service.baseUrl' } }]);
  expect(findings[0]?.sentence).toMatch(/no connection\. No service is there: .* "doctor --deployed"/);
}, 60_000);

test('http to a service that speaks https is said to be that', async () => {
  const { url, close } = await listenOnLoopback(createServer(certificateNamed('service')));
  // Retries follow at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const [finding] = await examine({ baseUrl: url });
  vi.restoreAllMocks();
  await close();
  expect(finding?.sentence).toBe('[POST] /v1/auth: connection lost. What is there may want https.');
});

/** Services that differ in one thing from the likeliest one, each with the finding that this leads to. */
interface Case {
  differs: string;
  settings?: object;
  /** The rows of a list are there so often: few of them decide nothing. */
  answers: Record<string, Array<{ status?: number; json?: unknown; times?: number; headers?: Record<string, string> }>>;
  finding: { verdict: string; setting?: object };
  /** What the finding's sentence names. */
  about: string;
}

test.each<Case>(cases)('where $differs, the doctor says so', async ({ answers, settings, finding, about }) => {
  for (const [path, script] of Object.entries(answers)) {
    const [first = hang, ...others] = script.map(({ status: code, json: body, times = 1, headers }) => {
      const repeated = Array.isArray(body) ? Array.from({ length: times }, () => body).flat() : body;
      return code === undefined ? json(repeated, headers) : status(code, headers);
    });
    service.answer(path, first, ...others);
  }
  const findings = await examine(settings);
  const { setting, ...verdict } = finding;
  const named = setting === undefined ? {} : { setting: expect.objectContaining(setting) };
  const expected = { ...verdict, sentence: expect.stringContaining(about), ...named };
  expect(findings).toContainEqual(expected);
  if (finding.verdict === 'good') expect(findings.filter((other) => other.verdict === 'fault')).toEqual([]);
});

test('a name that says that the list goes on is not quoted where a setting says that it does not', async () => {
  service.answer(list, json({ items: [{ delivery }], summary: { total: 40 } }));
  const findings = await examine({ notPaging: ['Summary.Total'] });
  expect(findings.filter(({ check }) => check === 'paging')).toEqual([]);
});

test.each([
  { verdicts: ['good'], strict: true, code: 0, last: '0 faults, 0 things to look at.' },
  { verdicts: ['good', 'look'], strict: false, code: 0, last: '0 faults, 1 thing to look at.' },
  { verdicts: ['good', 'look'], strict: true, code: 2, last: '0 faults, 1 thing to look at.' },
  { verdicts: ['look', 'fault'], strict: true, code: 1, last: '1 fault, 1 thing to look at.' },
] as const)(
  'the doctor ends with $code where what it finds is $verdicts, strict: $strict',
  ({ verdicts, strict, ...end }) => {
    const findings = verdicts.map((verdict) => ({ check: 'a', verdict, sentence: 'b.' }));
    const { code, lines } = presentFindings(findings, { strict });
    expect({ code, last: lines.at(-1) }).toEqual(end);
  },
);

test.each<[slice: object, verdict: string | undefined]>([
  [{}, undefined],
  [{ only: { createdBy: 'GRACE  hopper' } }, 'good'],
  [{ only: { contentType: 'Rating' } }, 'good'],
  [{ only: { createdBy: 'Grace' } }, 'look'],
  [{ except: { broadcastName: 'news' } }, 'look'],
])('whether a listed broadcast is one of the slice %j is said: %s', async (slice, verdict) => {
  const findings = (await examine({}, slice)).filter(({ check }) => check === 'slice');
  expect(findings.map((finding) => finding.verdict)).toEqual(verdict === undefined ? [] : [verdict]);
});

function told(findings: readonly Finding[], wanted: string): string[] {
  return findings.filter(({ check }) => check === wanted).map(({ sentence }) => sentence);
}

function named(name: string) {
  return { delivery: { ...delivery, broadcast: { id: '7', name } } };
}

test('names with entities, and names that cannot be read, are told', async () => {
  service.answer(list, json([named('Health &amp; Caf&eacute;'), named('Caf\ufffd')]));
  const decoded = await examine({}, { only: { broadcastName: 'Health & Caf\u00e9' } });
  expect(told(decoded, 'slice')).toEqual([expect.stringContaining('"&amp;"'), expect.stringContaining('None of')]);
  expect(told(decoded, 'texts')).toEqual([expect.stringMatching(/^1 name .* the charset that the answer declares/)]);
  const written = await examine(
    {},
    { only: { broadcastName: 'Health &amp; Caf&eacute;' }, except: { broadcastName: 'caf\u00e9' } },
  );
  expect(told(written, 'slice')).toEqual([expect.stringContaining('"&amp;"'), expect.stringContaining('is about')]);
  service.answer(list, json([named('Health &amp; Caf&eacute;')]));
  const good = await examine({}, { only: { broadcastName: 'Health &amp; Caf&eacute;' } });
  expect([told(good, 'slice'), told(good, 'texts')]).toEqual([['The report is about broadcasts that are listed.'], []]);
});

test('a field of a slice that the service does not say is named', async () => {
  service.answer('/v1/broadcasts/7', json({ broadcast: { id: '7' }, contents: [] }));
  const slice = (await examine({}, { only: { createdBy: 'Grace' } })).find(({ check }) => check === 'slice');
  expect(slice?.sentence).toContain('"createdBy"');
});
