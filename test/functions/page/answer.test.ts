import { beforeAll, describe, expect, test } from 'vitest';
import { periodBefore, precedingPeriod, runName } from '../../../functions/domain/period.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { beginMove } from '../../../functions/ledger/reports.ts';
import { findDigest } from '../../../functions/ledger/runs/digests.ts';
import {
  discardKeptDigest,
  holdRun,
  insertRun,
  keepDigest,
  recordOutcome,
  releaseHeldRun,
  requireRun,
} from '../../../functions/ledger/runs/runs.ts';
import { answerPageRequest, type PageLinksShown, readEarlierDigests } from '../../../functions/page/answer.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { reportNamed } from '../../support/report-named.ts';
import { configurationWith } from '../../support/template.ts';
import { expiresAt, madeAt, openPages, tokens, weekOf, type Pages } from './open-pages.ts';

const openTokens = () => Promise.resolve(tokens);
const openedAt = new Date('2026-11-16T09:00:00Z');
let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
});

/** What the page of a digest leads to. */
async function linksOf(run: string, id: string, configuration = pages.configuration): Promise<PageLinksShown> {
  const token = (await pages.linkTo(run, id)).slice(1);
  const request = { method: 'GET', link: { token, file: null }, acceptsGzip: false };
  const { table } = pages.ledger;
  const answer = await answerPageRequest(request, { configuration, table, openTokens, now: openedAt });
  if (answer.shows !== 'page') throw new Error(`It shows "${answer.shows}".`);
  return answer.links;
}

/** The starts of the periods that a page leads to, with their runs. The links end as that of the page does. */
async function earlierOf(...page: Parameters<typeof linksOf>): Promise<[start: string, run: string][]> {
  const { earlier } = await linksOf(...page);
  const found: [string, string][] = [];
  for (const { start, url } of earlier) {
    const read = await tokens.read(url.slice(1), openedAt);
    if (typeof read === 'string') throw new Error(`The link is ${read}.`);
    expect([read.madeAt, read.expiresAt]).toEqual([madeAt, expiresAt]);
    found.push([start.slice(0, 10), read.run]);
  }
  return found;
}

describe('the digests that a page leads to', () => {
  test('are those that were sent for the seven periods before, newest first, and never a later one', async () => {
    const ids = new Map<string, string>();
    const mondays = Array.from({ length: 10 }, (_, week) =>
      new Date(Date.UTC(2026, 7, 31) + week * 7 * 86_400_000).toISOString().slice(0, 10),
    );
    for (const monday of mondays) ids.set(monday, await pages.storeRun('weekly', monday));
    const earlier = await earlierOf('weekly_2026-W44', ids.get('2026-10-26') ?? '');
    const before = mondays.slice(1, 8).toReversed();
    expect(earlier).toEqual(before.map((monday) => [monday, runName('weekly', weekOf(monday))]));
    expect(await earlierOf('weekly_2026-W36', ids.get('2026-08-31') ?? '')).toEqual([]);
  });

  test('leave out what nobody was sent: a digest that is held, one that was skipped, and a run that failed before', async () => {
    await pages.storeRun('daily', '2026-10-05');
    await pages.storeRun('daily', '2026-10-12', { withheld: 'held' });
    await pages.storeRun('daily', '2026-10-19', { withheld: 'empty' });
    await pages.storeRun('daily', '2026-10-26', { state: 'failed' });
    const id = await pages.storeRun('daily', '2026-11-02', { withheld: 'held' });
    expect(await earlierOf('daily_2026-W45', id)).toEqual([['2026-10-05', 'daily_2026-W41']]);
  });

  test('leave out those of periods of another kind, which the report had before', async () => {
    const { table } = pages.ledger;
    const day = periodBefore('day', 'Europe/London', '2026-06-02T08:00:00Z');
    const times = { scheduledTime: day.end, plannedAt: day.end };
    await insertRun(table, { run: runName('weekly', day), report: 'weekly', period: day, ...times }, 4_000_000_000);
    const run = await requireRun(table, 'weekly', day);
    await keepDigest(table, run, 'digest-1', { withheld: null });
    await recordOutcome(table, run, { state: 'done', sentNow: 1, finishedAt: day.end });
    await pages.storeRun('weekly', '2026-06-01');
    const id = await pages.storeRun('weekly', '2026-06-08');
    expect(await earlierOf('weekly_2026-W24', id)).toEqual([['2026-06-01', 'weekly_2026-W23']]);
  });

  test('end and are revoked together with the link of the page', async () => {
    await pages.storeRun('monthly', '2026-10-05');
    const id = await pages.storeRun('monthly', '2026-10-12');
    const [earlier = { url: '' }] = (await linksOf('monthly_2026-W42', id)).earlier;
    const { url } = earlier;
    expect((await pages.ask(url)).status).toBe(200);
    const revocation = { before: '2026-11-16T08:30:00Z', expiresAt: 4_000_000_000 };
    await revokePageLinks(pages.ledger.table, reportNamed('monthly'), revocation);
    expect((await pages.ask(url)).status).toBe(410);
    expect((await pages.ask(await pages.linkTo('monthly_2026-W42', id))).status).toBe(410);
    const later = { madeAt: new Date('2026-11-16T08:30:00.001Z') };
    expect((await pages.ask(await pages.linkTo('monthly_2026-W42', id, later))).status).toBe(200);
  });
});

test.each(['day', 'week', 'month', 'quarter'] as const)(
  'the digests before are asked for from the seventh %s before on, whichever it is',
  async (kind) => {
    let from = '';
    const { table } = pages.ledger;
    const query: typeof table.query = (pk, range) => {
      if ('from' in range) ({ from } = range);
      return table.query(pk, range);
    };
    for (const zone of ['Europe/London', 'Pacific/Auckland']) {
      let period = periodBefore(kind, zone, '2028-12-31T12:00:00Z');
      for (let count = 0; count < 40; count += 1) {
        await readEarlierDigests({ ...table, query }, { name: 'none' }, period);
        const before = [precedingPeriod(period)];
        while (before.length < 8) before.unshift(precedingPeriod(before[0] ?? period));
        expect(before.map(({ startDate }) => startDate >= from)).toEqual([false, ...before.slice(1).map(() => true)]);
        period = precedingPeriod(period);
      }
    }
  },
);

test('a link of a report whose name was moved leads to its pages, and is revoked, under the new name', async () => {
  const reports = pages.configuration.reports.map((report) => Object.assign({}, report, { name: 'sites' }));
  const configuration = { ...pages.configuration, reports };
  const id = await pages.storeRun('old-sites', '2026-09-28');
  const ask = async () => (await pages.ask(await pages.linkTo('old-sites_2026-W40', id), { configuration })).status;
  expect(await ask()).toBe(410);
  const { table } = pages.ledger;
  await beginMove(table, 'old-sites', 'sites');
  expect(await ask()).toBe(200);
  await revokePageLinks(table, { name: 'sites' }, { before: '2026-11-16T08:30:00Z', expiresAt: 4_000_000_000 });
  expect(await ask()).toBe(410);
});

describe('a digest that is no longer its run’s', () => {
  test('says that it was replaced, from its discarding on, and the next one is shown', async () => {
    const { table } = pages.ledger;
    const first = await pages.storeRun('monthly', '2026-09-07', { withheld: 'held' });
    const later = { madeAt: new Date('2026-11-16T09:00:00Z') };
    const path = await pages.linkTo('monthly_2026-W37', first, later);
    expect((await pages.ask(path)).status).toBe(200);
    await discardKeptDigest(table, await requireRun(table, 'monthly', weekOf('2026-09-07')), {
      execution: 'e',
      at: '2026-11-10T09:00:00Z',
      digest: first,
    });
    const gone = await pages.ask(path);
    expect([gone.status, gone.text.includes('This digest was replaced')]).toEqual([410, true]);
    const second = await pages.storeRun('monthly', '2026-09-07');
    expect((await pages.ask(path)).status).toBe(410);
    expect((await pages.ask(await pages.linkTo('monthly_2026-W37', second, later))).status).toBe(200);
  });

  test('is shown where a test mail leads to it before the run has one', async () => {
    const { table } = pages.ledger;
    const id = await pages.storeRun('weekly', '2026-08-10', { withheld: 'held' });
    await table.remove({ pk: 'RUNS#weekly', sk: '2026-08-10#week' });
    expect((await pages.ask(await pages.linkTo('weekly_2026-W33', id))).status).toBe(200);
  });
});

test('the page of a held run is the one that its release sends', async () => {
  const { table } = pages.ledger;
  const id = await pages.storeRun('weekly', '2026-08-17', { state: 'failed' });
  const period = weekOf('2026-08-17');
  await holdRun(table, await requireRun(table, 'weekly', period));
  const path = await pages.linkTo('weekly_2026-W34', id);
  const held = await pages.ask(path);
  const changed = { subscribersAdded: 0, subscribersRemoved: 0, mail: false };
  const released = { execution: 'e', at: '2026-08-24T09:00:00Z', changed };
  expect(await releaseHeldRun(table, await requireRun(table, 'weekly', period), released)).toBe(true);
  expect([held.status, (await pages.ask(path)).text]).toEqual([200, held.text]);
});

describe('the response', () => {
  let run: { path: string; id: string };
  beforeAll(async () => {
    const id = await pages.storeRun('weekly', '2026-11-09');
    run = { id, path: await pages.linkTo('weekly_2026-W46', id) };
  });

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP;q=0.8', 'gzip'],
    ['*', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['br, gzip; q=0.00', undefined],
    ['', undefined],
  ])('is compressed for a client only where that accepts it: %s', async (accepted, encoding) => {
    const plain = await pages.ask(run.path);
    const asked = await pages.ask(run.path, { headers: { 'accept-encoding': accepted } });
    expect(asked.headers['content-encoding']).toBe(encoding);
    expect(asked.headers['vary']).toBe('accept-encoding');
    expect(asked.text.length).toBe(plain.text.length);
  });

  test('is for those who have the link alone: not found, not stored in between, not told to others, and it loads nothing', async () => {
    const { headers } = await pages.ask(run.path);
    const head = await pages.ask(run.path, { method: 'HEAD' });
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

  test('with the file is the one that came with the mail', async () => {
    const { mail, reports } = configurationWith();
    const [report] = reports;
    const stored = await findDigest(pages.ledger.table, 'weekly_2026-W46', run.id);
    if (report === undefined || stored === null) throw new Error('There is no report, or no digest.');
    const render = createRenderer(await loadTemplates('templates'));
    const { csv } = render({ digest: stored.digest, report, mail, canUnsubscribe: true, page: null });
    const file = await pages.ask((await linksOf('weekly_2026-W46', run.id)).csv);
    expect([file.status, file.text]).toEqual([200, csv?.content]);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${csv?.name}"`,
      'x-content-type-options': 'nosniff',
    });
  });

  test('with a file that is larger than Lambda answers says so, unless it is smaller when compressed', async () => {
    const [delivery] = digestNamed('an incomplete week').deliveries;
    if (delivery === undefined) throw new Error('The typical digest has a delivery.');
    const many = Array.from({ length: 700 }, (_, index) => ({
      ...delivery,
      broadcast: { ...delivery.broadcast, name: `${index} ${'x'.repeat(10_000)}` },
    }));
    const id = await pages.storeRun('weekly', '2026-07-27', {
      digest: { ...digestNamed('an incomplete week'), deliveries: many },
    });
    const path = `${await pages.linkTo('weekly_2026-W31', id)}/weekly_2026-W31.csv`;
    const large = await pages.ask(path);
    expect([large.status, large.text.includes('This file is too large to download')]).toEqual([413, true]);
    const compressed = await pages.ask(path, { headers: { 'accept-encoding': 'gzip' } });
    expect([compressed.status, compressed.text.length > 6_000_000]).toEqual([200, true]);
  });
});
