import { describe, expect, test } from 'vitest';
import { forPages } from '../../../functions/domain/configuration/configuration.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { putDigest } from '../../../functions/ledger/runs/digests.ts';
import { putDocument } from '../../../functions/ledger/documents.ts';
import { discardKeptDigest, requireRun, runKey } from '../../../functions/ledger/runs/runs.ts';
import { named } from '../../support/named.ts';
import { answerPageRequest } from '../../../functions/page/answer.ts';
import { configurationWith } from '../../support/configuration.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { english } from '../../support/words.ts';
import { openPages, weekOf } from './open-pages.ts';

const pages = await openPages();
const { table } = pages.ledger;

/** The answer to the link to a digest. */
const follow = async (run: string, id: string) => await pages.ask(await pages.linkTo(run, id));
const statusOf = async (...link: Parameters<typeof follow>) => (await follow(...link)).status;

/** The runs that the page of a digest leads to. */
async function earlierOf(run: string, id: string): Promise<string[]> {
  const link = { id: (await pages.linkTo(run, id)).replace('/page/', ''), run: null, isFile: false };
  const { configuration } = pages;
  const context = { configuration, table, now: new Date('2026-11-16T09:00:00Z') };
  const answer = await answerPageRequest({ method: 'GET', link, acceptsGzip: false }, context);
  return answer.shows === 'page' ? answer.links.earlier.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)) : [];
}

describe('the digests that a page leads to', () => {
  test('are those that were sent for the seven periods before, newest first, and no other under the same link', async () => {
    const ids: string[] = [];
    for (let week = 36; week <= 45; week += 1)
      ids.push(await pages.storeRun('weekly', named(`2026-W${week}`).startDate));
    const before = [43, 42, 41, 40, 39, 38, 37].map((week) => `weekly_2026-W${week}`);
    expect(await earlierOf('weekly_2026-W44', ids[8] ?? '')).toEqual(before);
    expect(await earlierOf('weekly_2026-W36', ids[0] ?? '')).toEqual([]);
    const path = await pages.linkTo('weekly_2026-W44', ids[8] ?? '');
    const asked = await Promise.all([45, 38, 37, 36].map((week) => pages.ask(`${path}/weekly_2026-W${week}`)));
    expect(asked.map(({ status }) => status)).toEqual([404, 200, 200, 404]);
    expect(asked[1]?.text).not.toContain('weekly_2026-W36');
    // A week without one does not make them fewer: they reach eight weeks back.
    for (const week of [20, 21, 22, 23, 24, 25, 27]) await pages.storeRun('daily', named(`2026-W${week}`).startDate);
    const last = await pages.storeRun('daily', named('2026-W28').startDate);
    const seven = [27, 25, 24, 23, 22, 21, 20].map((week) => `daily_2026-W${week}`);
    expect(await earlierOf('daily_2026-W28', last)).toEqual(seven);
  });

  test('leave out what nobody was sent: a digest that is held, one that was skipped, and a run that failed before', async () => {
    await pages.storeRun('daily', '2026-10-05');
    await pages.storeRun('daily', '2026-10-12', { withheld: 'held' });
    await pages.storeRun('daily', '2026-10-19', { withheld: 'empty' });
    await pages.storeRun('daily', '2026-10-26', { state: 'failed' });
    const id = await pages.storeRun('daily', '2026-11-02', { withheld: 'held' });
    expect(await earlierOf('daily_2026-W45', id)).toEqual(['daily_2026-W41']);
  });

  test('are shown under the same link, each with those before it, and end and are revoked with it; nothing else is shown', async () => {
    for (const date of ['2026-09-28', '2026-10-05']) await pages.storeRun('monthly', date);
    const path = await pages.linkTo('monthly_2026-W42', await pages.storeRun('monthly', '2026-10-12'));
    await pages.storeRun('monthly', '2026-10-19');
    await pages.storeRun('monthly', '2026-09-21', { withheld: 'held' });
    const statuses = async (below: string[], now?: string) =>
      await Promise.all(below.map(async (rest) => (await pages.ask(`${path}${rest}`, now ? { now } : {})).status));
    const earlier = await pages.ask(`${path}/monthly_2026-W41`);
    expect(earlier.text).toContain(`href="${path}/monthly_2026-W40"`);
    expect((await pages.ask(`${path}/monthly_2026-W40`)).text).not.toMatch(/href="[^"]*monthly_2026-W4\d"/);
    const good = ['', '/monthly_2026-W42', '/monthly_2026-W41', '/monthly_2026-W40', '/monthly_2026-W40.xlsx'];
    expect(await statuses(good)).toEqual(good.map(() => 200));
    // A later one, one that is held, another report's, one that never was, and what is no run's name.
    const others = ['/monthly_2026-W43', '/monthly_2026-W39', '/daily_2026-W41', '/monthly_2026-W38', '/nothing'];
    expect(await statuses(others)).toEqual(others.map(() => 404));
    expect(await statuses(good, '2027-02-14T08:00:01Z')).toEqual(good.map(() => 410));
    await revokePageLinks(table, { name: 'monthly' });
    expect(await statuses(good)).toEqual(good.map(() => 404));
  });
});

test('there is no workbook where the settings want none', async () => {
  const path = await pages.linkTo('weekly_2026-W30', await pages.storeRun('weekly', '2026-07-20'));
  const file = `${path}/weekly_2026-W30.xlsx`;
  expect([(await pages.ask(file)).status, (await pages.ask(path)).text.includes(file)]).toEqual([200, true]);
  const configuration = forPages(configurationWith({ mail: { workbook: 'none' } }));
  const without = await Promise.all([file, path].map((asked) => pages.ask(asked, { configuration })));
  expect(without.map(({ status }) => status)).toEqual([404, 200]);
  expect(without[1]?.text).not.toContain('.xlsx');
});

test('a link of a report whose name was moved leads to its pages, whatever the run is called', async () => {
  const reports = pages.configuration.reports.map((report) => Object.assign({}, report, { name: 'sites' }));
  const configuration = { ...pages.configuration, reports };
  const run = 'old-sites_2026-W40';
  const id = await pages.storeRun('old-sites', '2026-09-28');
  const paths = [await pages.linkTo(run, id), await pages.linkTo(run, id, 'sites')];
  const answers = await Promise.all(paths.map((path) => pages.ask(path, { configuration })));
  expect(answers.map(({ status }) => status)).toEqual([410, 200]);
});

test('a digest that was discarded says that it was replaced, and the next one is shown', async () => {
  const first = await pages.storeRun('monthly', '2026-09-07', { withheld: 'held' });
  expect(await statusOf('monthly_2026-W37', first)).toBe(200);
  const discarded = { execution: 'e', at: '2026-11-10T09:00:00Z', digest: first };
  await discardKeptDigest(table, await requireRun(table, 'monthly', weekOf('2026-09-07')), discarded);
  const gone = await follow('monthly_2026-W37', first);
  expect([gone.status, gone.text]).toEqual([410, expect.stringContaining(english.say('link.replaced'))]);
  // That of a test mail was never the run's.
  const tested = await putDigest(table, 'monthly_2026-W37', digestNamed('a quiet week'), 4_000_000_000);
  expect(await statusOf('monthly_2026-W37', tested)).toBe(200);
  const second = await pages.storeRun('monthly', '2026-09-07');
  expect(await statusOf('monthly_2026-W37', first)).toBe(410);
  expect(await statusOf('monthly_2026-W37', second)).toBe(200);
});

test('a digest of an earlier release says so, and any other has the note of its run', async () => {
  const older = { digest: { schemaVersion: 4, run: 'daily_2026-W01' } };
  await putDocument(table, { pk: 'DIGEST#daily_2026-W01', sk: 'older' }, older, 4_000_000_000);
  const { status, text } = await follow('daily_2026-W01', 'older');
  expect([status, text]).toEqual([410, expect.stringContaining(english.say('link.older'))]);
  const id = await pages.storeRun('daily', '2026-01-05');
  const note = { text: 'The pool is closed.', by: 'grace', at: '2026-01-12T08:00:00Z' };
  await table.update(runKey({ report: 'daily', period: weekOf('2026-01-05') }), { set: { note } });
  expect((await follow('daily_2026-W02', id)).text).toContain(note.text);
});

describe('the response', async () => {
  const id = await pages.storeRun('weekly', '2026-11-09');
  const path = await pages.linkTo('weekly_2026-W46', id);

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['identity', undefined],
    ['br, gzip; q=0.00', undefined],
  ])('is compressed for a client only where that accepts it: %s', async (accepted, encoding) => {
    const plain = await pages.ask(path);
    const asked = await pages.ask(path, { headers: { 'accept-encoding': accepted } });
    expect(asked.headers['content-encoding']).toBe(encoding);
    expect([asked.headers['vary'], asked.text.length]).toEqual(['accept-encoding', plain.text.length]);
  });

  test('is for those who have the link alone: not found, not stored in between, not told to others, and it loads nothing', async () => {
    const { headers } = await pages.ask(path);
    const head = await pages.ask(path, { method: 'HEAD' });
    expect([head.status, head.headers, head.text]).toEqual([200, headers, '']);
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      vary: 'accept-encoding',
    });
  });
});
