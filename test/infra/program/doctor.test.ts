import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { presentFindings, type Finding } from '../../../infra/program/doctor/finding.ts';
import { examineService } from '../../../infra/program/doctor/service.ts';
import { json, startHttpStub, status, type HttpStub, type StubAnswer } from '../../support/http-stub.ts';

const token = `${part({ alg: 'none' })}.${part({ exp: 2_000_000_300, iat: 2_000_000_000 })}.c2ln`;
const list = '/v1/broadcasts/deliveries';
const recipients = '/v1/broadcasts/deliveries/d-1/recipients';
const recipientsOfGone = '/v1/broadcasts/deliveries/d-0/recipients';
const contentOf = (id: string): string => `/v1/broadcasts/deliveries/d-1/contents/${id}/recipients`;

const delivery = { id: 'd-1', broadcast: { id: '7', name: "Ada's news" }, status: 'delivered' };
const gone = { ...delivery, id: 'd-0' };
const seen = { seenAt: '2026-11-10T09:00:00+00:00', respondedAt: null };
const responded = { seenAt: '2026-11-10T09:00:00+00:00', respondedAt: '2026-11-10T09:05:00+00:00' };
const unseen = { seenAt: null, respondedAt: '2026-11-10T09:05:00+00:00' };
const untouched = { seenAt: null, respondedAt: null };
const person = { id: '4711', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.org' };

/** A broadcast with an item of each type. */
const broadcastOf = (...types: string[]): unknown => ({
  broadcast: { id: '7', name: "Ada's news" },
  contents: types.map((type, index) => ({ id: `7${index + 1}`, type })),
});

let service: HttpStub;

beforeEach(async () => {
  service = await startHttpStub();
  service.answer('/v1/auth', json({ token, refresh_token: 'f00d' }));
  service.answer('/v1/auth/refresh', json({ token: `${token}2`, refresh_token: 'beef' }));
  service.answer('/v1/users', json([{ user: person }]));
  service.answer(list, json([{ delivery }]));
  service.answer(
    recipients,
    json([
      { ...seen, ...person },
      { ...responded, ...person },
    ]),
  );
  service.answer(
    '/v1/broadcasts/7',
    json({
      broadcast: { id: '7', name: "Ada's news", created: { by: person, at: '2026-11-09T09:00:00+00:00' } },
      contents: [
        { id: '71', type: 'text' },
        { id: '72', type: 'rating' },
      ],
    }),
  );
  service.answer(contentOf('71'), json([seen, responded, untouched]));
  service.answer(contentOf('72'), json([{ ...responded, rating: 4 }, untouched, untouched]));
});
afterEach(() => service.close());

const base = loadConfiguration();

async function examine(settings: Partial<Configuration['service']> = {}, clockIsRight = false): Promise<Finding[]> {
  const configuration = { ...base, service: { ...base.service, baseUrl: service.url, timeout: 1, ...settings } };
  const [report] = configuration.reports;
  if (report === undefined) throw new Error('There is no report.');
  const credentials = { id: 'id', secret: 'canary-secret' };
  return await examineService(configuration, report, { credentials, clockIsRight, say: () => undefined });
}

test('a service of the likeliest readings gives nothing to change', async () => {
  const findings = await examine();
  expect(findings.map(({ check, verdict }) => `${verdict} ${check}`)).toEqual([
    'good credentials',
    'good token',
    "good service's clock",
    'good refresh',
    'good users',
    'good list',
    'good paging',
    'good statuses',
    'good recipients',
    'good dates',
    'good broadcast',
    'good content items',
    'good content items',
    'good content types',
    'good delivery lists',
    'good content lists',
    'good ratings',
    'good coverage',
  ]);
  expect(service.requests.length).toBeLessThan(12);
});

test('samples show shapes, and no name, address or id of a person, and nothing shows a secret or a token', async () => {
  const text = JSON.stringify(await examine());
  for (const personal of ['Ada', 'Grace', 'Hopper', 'grace@', '4711', 'canary-secret', token, 'f00d', 'beef']) {
    expect(text).not.toContain(personal);
  }
  expect(text).toContain('"firstName":"xxxxx"');
  expect(text).toContain('"seenAt":"2026-11-10T09:00:00+00:00"');
});

test('a list of very many deliveries is examined like any other', async () => {
  const many = Array.from({ length: 200_000 }, () => ({ delivery }));
  service.answer(list, json(many));
  const findings = await examine({ timeout: 60 });
  expect(findings.find(({ check }) => check === 'list')?.verdict).toBe('good');
});

/** A service that differs in one thing from the likeliest one, and the finding that it leads to. */
interface Case {
  differs: string;
  answers: Record<string, [StubAnswer, ...StubAnswer[]]>;
  settings?: Partial<Configuration['service']>;
  says: { check: string; verdict: Finding['verdict']; found?: unknown; setting?: Finding['setting'] };
}

const cases: Case[] = [
  {
    differs: 'the list is at another path',
    answers: { [list]: [status(404)], '/v1/deliveries': [json([{ delivery }])] },
    says: { check: 'list', verdict: 'fault', setting: { name: 'service.deliveries.path', value: '/v1/deliveries' } },
  },
  {
    differs: 'the list is nowhere that is known',
    answers: { [list]: [status(404)] },
    says: {
      check: 'list',
      verdict: 'fault',
      setting: { name: 'service.deliveries.path', value: "the path that the account's documentation gives" },
    },
  },
  {
    differs: 'the list needs parameters',
    answers: { [list]: [status(400)] },
    says: {
      check: 'list',
      verdict: 'fault',
      setting: { name: 'service.deliveries.query', value: expect.stringContaining('parameters') },
    },
  },
  {
    differs: 'the body holds several lists',
    answers: { [list]: [json({ deliveries: [{ delivery }], people: [] })] },
    says: { check: 'list', verdict: 'fault' },
  },
  {
    differs: 'the list is cut off with no way on',
    answers: { [list]: [json({ items: [delivery], total: 40 })] },
    says: {
      check: 'paging',
      verdict: 'look',
      setting: { name: 'service.deliveries.query', value: expect.stringContaining('limit') },
    },
  },
  {
    differs: 'a recipient list is cut off with no way on',
    answers: { [recipients]: [json({ items: [seen], response_metadata: { next_cursor: 'abc' } })] },
    says: {
      check: 'paging',
      verdict: 'look',
      setting: { name: 'service.notPaging', value: expect.stringContaining('["response_metadata.next_cursor"]') },
    },
  },
  {
    differs: 'dates have no offset',
    answers: { [recipients]: [json([{ seenAt: '2026-11-10 09:00:00', respondedAt: null }])] },
    says: {
      check: 'dates',
      verdict: 'look',
      setting: { name: 'reports[].schedule.timeZone', value: expect.stringContaining('zone') },
    },
  },
  {
    differs: 'dates cannot be read',
    answers: { [recipients]: [json([{ seenAt: 'last Tuesday', respondedAt: null }])] },
    says: { check: 'dates', verdict: 'look' },
  },
  {
    differs: 'items list people who did nothing, and more than engaged with their delivery',
    answers: { [contentOf('71')]: [json([responded, untouched, untouched, untouched, untouched])] },
    says: {
      check: 'content lists',
      verdict: 'good',
      found: '6 of 8 rows are of people who did nothing yet: the lists are read as the audience.',
    },
  },
  {
    differs: 'those who engaged are more than the delivery lists',
    answers: {
      [contentOf('71')]: [json([seen, seen, seen])],
      [contentOf('72')]: [json([{ ...responded, rating: 4 }])],
    },
    says: {
      check: 'content lists',
      verdict: 'good',
      found: '0 of 4 rows are of people who did nothing yet: the lists are read as those who engaged.',
    },
  },
  {
    differs: 'the setting says audience, and the lists name those who engaged',
    answers: { [contentOf('71')]: [json([seen])], [contentOf('72')]: [json([{ ...responded, rating: 4 }])] },
    settings: { contentRecipients: 'audience' },
    says: {
      check: 'content lists',
      verdict: 'look',
      setting: { name: 'service.contentRecipients', value: '"engaged"' },
    },
  },
  {
    differs: "the deliveries' own lists name people who did nothing, and the setting says otherwise",
    answers: { [recipients]: [json([seen, untouched])] },
    settings: { deliveryRecipients: 'engaged' },
    says: {
      check: 'delivery lists',
      verdict: 'look',
      setting: { name: 'service.deliveryRecipients', value: '"audience"' },
    },
  },
  {
    differs: 'deliveries that reached people have another status',
    answers: { [list]: [json([{ delivery: { ...delivery, status: 'sent' } }])] },
    says: { check: 'statuses', verdict: 'fault', setting: { name: 'reports[].statuses', value: '["sent"]' } },
  },
  {
    differs: 'some deliveries have another status',
    answers: { [list]: [json([{ delivery }, { delivery: { ...delivery, id: 'd-2', status: 'archived' } }])] },
    says: { check: 'statuses', verdict: 'info' },
  },
  {
    differs: 'ratings are counted by a filter of another name',
    answers: {
      [contentOf('72')]: [json([responded, responded, untouched])],
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((value) => [
          `${contentOf('72')}?score=${value}`,
          [json(value === 4 ? [responded, responded] : [])],
        ]),
      ),
    },
    says: {
      check: 'ratings',
      verdict: 'look',
      setting: { name: 'service.ratingFilter', value: '{"name":"score","values":["1","2","3","4","5"]}' },
    },
  },
  {
    differs: 'the filter of ratings is refused',
    answers: {
      [contentOf('72')]: [json([responded])],
      ...Object.fromEntries(
        ['rating', 'ratings', 'rating%5B%5D', 'ratings%5B%5D', 'score', 'stars', 'value'].map((name) => [
          `${contentOf('72')}?${name}=1`,
          [status(400)],
        ]),
      ),
      ...Object.fromEntries([2, 3, 4, 5].map((value) => [`${contentOf('72')}?rating=${value}`, [status(400)]])),
    },
    says: {
      check: 'ratings',
      verdict: 'look',
      setting: { name: 'service.ratingFilter', value: expect.stringContaining('"off"') },
    },
  },
  {
    differs: 'ratings have other values',
    answers: {
      [contentOf('72')]: [json([responded, responded])],
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((value) => [`${contentOf('72')}?rating=${value}`, [json(value === 5 ? [responded] : [])]]),
      ),
    },
    says: {
      check: 'ratings',
      verdict: 'look',
      setting: { name: 'service.ratingFilter', value: expect.stringContaining('values') },
    },
  },
  {
    differs: 'the filter counts some of those who rated',
    answers: {
      [contentOf('72')]: [json([responded, responded, untouched])],
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((value) => [`${contentOf('72')}?rating=${value}`, [json(value === 5 ? [responded] : [])]]),
      ),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((value) => [`${contentOf('72')}?stars=${value}`, [json(value > 3 ? [responded] : [])]]),
      ),
    },
    says: {
      check: 'ratings',
      verdict: 'look',
      setting: { name: 'service.ratingFilter', value: '{"name":"stars","values":["1","2","3","4","5"]}' },
    },
  },
  {
    differs: 'ratings are no numbers',
    answers: { [contentOf('72')]: [json([{ ...responded, rating: 'great' }])] },
    says: { check: 'ratings', verdict: 'look' },
  },
  {
    differs: 'people respond without having seen, also to content items',
    answers: {
      [recipients]: [json([seen, unseen])],
      [contentOf('71')]: [json([seen])],
      [contentOf('72')]: [json([{ ...unseen, rating: 4 }])],
    },
    says: { check: 'content lists', verdict: 'good' },
  },
  {
    differs: 'people respond without having seen, and a list is longer than that of all who engaged',
    answers: { [recipients]: [json([seen, unseen])], [contentOf('72')]: [json([{ ...responded, rating: 4 }])] },
    says: { check: 'content lists', verdict: 'good' },
  },
  {
    differs: 'somebody responded without having seen',
    answers: { [recipients]: [json([seen, unseen])] },
    says: { check: 'responses', verdict: 'info' },
  },
  {
    differs: 'documented fields are missing',
    answers: { [recipients]: [json([{ seenAt: '2026-11-10T09:05:00Z' }])] },
    says: { check: 'recipients', verdict: 'fault' },
  },
  {
    differs: 'the token says no end',
    answers: { '/v1/auth': [json({ token: 'opaque', refresh_token: 'f00d' })] },
    says: { check: 'token', verdict: 'info' },
  },
  {
    differs: 'its clock is an hour ahead',
    answers: {
      '/v1/auth': [json({ token, refresh_token: 'f00d' }, { date: new Date(Date.now() + 3_600_000).toUTCString() })],
    },
    says: { check: "service's clock", verdict: 'look' },
  },
  {
    differs: 'the refresh token is refused',
    answers: { '/v1/auth/refresh': [status(401)] },
    says: { check: 'refresh', verdict: 'info' },
  },
  {
    differs: 'the credentials are refused',
    answers: { '/v1/auth': [status(401)] },
    says: { check: 'credentials', verdict: 'fault' },
  },
  {
    differs: 'the account is below a path prefix',
    answers: { '/v1/auth': [status(404)] },
    says: {
      check: 'reach',
      verdict: 'fault',
      setting: { name: 'service.baseUrl', value: expect.stringContaining('path prefix') },
    },
  },
  {
    differs: 'it redirects',
    answers: { '/v1/auth': [status(302, { location: 'https://example.com/' })] },
    says: {
      check: 'reach',
      verdict: 'fault',
      setting: { name: 'service.baseUrl', value: expect.stringContaining('address') },
    },
  },
  {
    differs: 'it asks to slow down',
    answers: { '/v1/broadcasts/7': [status(429, { 'retry-after': '0' }), json({ broadcast: {}, contents: [] })] },
    says: { check: 'limits', verdict: 'look', setting: { name: 'service.concurrency', value: 'less than 8' } },
  },
  {
    differs: 'users cannot be listed',
    answers: { '/v1/users': [status(403)] },
    says: { check: 'users', verdict: 'info' },
  },
  {
    differs: 'a recipient list is forbidden',
    answers: { [recipients]: [status(403)] },
    says: { check: 'recipients', verdict: 'fault' },
  },
  {
    differs: 'the one delivery has no recipient list',
    answers: { [recipients]: [status(404)] },
    says: { check: 'recipients', verdict: 'fault' },
  },
  {
    differs: 'one delivery of two has no recipient list',
    answers: { [list]: [json([{ delivery: gone }, { delivery }])], [recipientsOfGone]: [status(404)] },
    says: { check: 'recipients', verdict: 'info' },
  },
  {
    differs: 'one delivery of two may not be read',
    answers: { [list]: [json([{ delivery: gone }, { delivery }])], [recipientsOfGone]: [status(403)] },
    says: { check: 'recipients', verdict: 'fault' },
  },
  {
    differs: 'the one broadcast is gone',
    answers: { '/v1/broadcasts/7': [status(410)] },
    says: { check: 'broadcast', verdict: 'fault' },
  },
  {
    differs: 'one broadcast of two is gone',
    answers: {
      [list]: [json([{ delivery: { ...gone, broadcast: { id: '6', name: 'x' } } }, { delivery }])],
      [recipientsOfGone]: [json([{ ...seen, ...person }])],
      '/v1/broadcasts/6': [status(410)],
    },
    says: { check: 'broadcast', verdict: 'info' },
  },
  {
    differs: 'the list of one content item is gone',
    answers: { [contentOf('71')]: [status(404)] },
    says: { check: 'content items', verdict: 'info' },
  },
  {
    differs: 'no content item has a list',
    answers: { [contentOf('71')]: [status(404)], [contentOf('72')]: [status(404)] },
    says: { check: 'content items', verdict: 'fault' },
  },
  {
    differs: 'no type of its items asks',
    answers: { '/v1/broadcasts/7': [json(broadcastOf('text'))] },
    says: {
      check: 'content types',
      verdict: 'look',
      found:
        'Content items that ask for a response: none. Items that only inform: "text". So the mail has no response rate.',
      setting: { name: 'service.informingTypes', value: expect.stringContaining('without the types') },
    },
  },
  {
    differs: 'nobody responds to a type that asks',
    answers: {
      '/v1/broadcasts/7': [json(broadcastOf('Poll'))],
      [contentOf('71')]: [json(Array.from({ length: 10 }, () => seen))],
    },
    says: {
      check: 'content types',
      verdict: 'look',
      found: expect.stringContaining('None of 10 who saw a "Poll" responded.'),
      setting: { name: 'service.informingTypes', value: expect.stringContaining('with "Poll"') },
    },
  },
  {
    differs: 'half of the people respond to a type that informs, and another is very long',
    answers: {
      '/v1/broadcasts/7': [json(broadcastOf('text', 'x'.repeat(5_000)))],
      [contentOf('71')]: [json(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? seen : responded)))],
    },
    says: {
      check: 'content types',
      verdict: 'look',
      found: expect.stringMatching(/"x{40}"\. .* 5 of 10 who saw a "text" responded\.$/),
      setting: { name: 'service.informingTypes', value: expect.stringContaining('without "text"') },
    },
  },
  {
    differs: 'nobody has given a rating',
    answers: { [contentOf('72')]: [json([seen, untouched, untouched])] },
    says: { check: 'ratings', verdict: 'info' },
  },
  {
    differs: 'the list is empty',
    answers: { [list]: [json([])] },
    says: { check: 'statuses', verdict: 'look' },
  },
];

test.each(cases)('where $differs, the doctor says so and names the setting', async ({ answers, settings, says }) => {
  for (const [path, script] of Object.entries(answers)) service.answer(path, ...script);
  const findings = (await examine(settings)).map(({ sample: _sample, ...finding }) => finding);
  const finding = findings.find(({ check, verdict }) => check === says.check && verdict === says.verdict);
  expect(finding).toEqual({ found: expect.stringMatching(/\.$/), ...says });
});

test('a clock of the service that is wrong is for nobody here to set, where this one is known to be right', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  service.answer('/v1/auth', json({ token, refresh_token: 'f00d' }, { date }));
  const findings = await examine({}, true);
  expect(findings.filter(({ verdict }) => verdict !== 'good')).toEqual([
    {
      check: "service's clock",
      verdict: 'info',
      found: expect.stringMatching(/^The service's clock and this one are 3(?:599|600|601) seconds apart\./),
    },
  ]);
});

test('the doctor quotes the name that says that the list goes on, and is told by a setting that it does not', async () => {
  service.answer(list, json({ items: [{ delivery }], summary: { total: 40 } }));
  const found = (await examine()).find(({ check }) => check === 'paging')?.found;
  expect(found).toContain('"summary.total"');
  const told = await examine({ notPaging: ['Summary.Total'] });
  expect(told.find(({ check }) => check === 'paging')?.verdict).toBe('good');
});

test('what is worth knowing lets the doctor end well, and one fault is one fault', () => {
  const findings: Finding[] = [
    { check: 'a', verdict: 'good', found: 'Good.' },
    { check: 'b', verdict: 'info', found: 'So it is.' },
  ];
  expect(presentFindings(findings)).toMatchObject({
    code: 0,
    lines: ['ok    a: Good.', 'info  b: So it is.', '0 faults, 0 things to look at.'],
  });
  const looked: Finding[] = [...findings, { check: 'c', verdict: 'look', found: 'Look.' }];
  expect(presentFindings(looked)).toMatchObject({ code: 2, json: { faults: 0, looks: 1 } });
  const failed = presentFindings([...looked, { check: 'd', verdict: 'fault', found: 'Bad.' }]);
  expect({ code: failed.code, last: failed.lines.at(-1) }).toEqual({ code: 1, last: '1 fault, 1 thing to look at.' });
});

test('wrappers, paging by a link and other date formats are read, and nothing is to change', async () => {
  service.answer(list, json({ data: [delivery], links: { next: `${list}?page=2` } }));
  service.answer(`${list}?page=2`, json({ data: [{ ...delivery, id: 'd-2' }] }));
  service.answer('/v1/broadcasts/deliveries/d-2/recipients', json([]));
  service.answer(recipients, json({ recipients: [{ recipient: { seenAt: 1_794_300_000, respondedAt: null } }] }));
  const findings = await examine();
  expect(findings.filter(({ verdict }) => verdict !== 'good').map(({ check }) => check)).toEqual([]);
  expect(findings.find(({ check }) => check === 'list')?.found).toContain('object with "data"');
  expect(findings.find(({ check }) => check === 'paging')?.found).toContain('links.next');
  expect(findings.find(({ check }) => check === 'dates')?.found).toContain('epoch seconds');
});

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
