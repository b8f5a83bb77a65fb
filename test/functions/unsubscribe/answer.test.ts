import { describe, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../../../functions/signed-links/tokens.ts';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import { beginMove } from '../../../functions/ledger/reports.ts';
import { readUnsubscribed } from '../../../functions/ledger/addresses/unsubscriptions.ts';
import { requireReport } from '../../../functions/run/find-run.ts';
import {
  answerRequest,
  type UnsubscribeRequest,
  type UnsubscribeResponse,
} from '../../../functions/unsubscribe/answer.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { reportNamed } from '../../support/report-named.ts';

const configuration = loadConfiguration();
const tokens = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const expiresAt = new Date('2027-12-20T00:00:00Z');
const ledger = await openLedger();

const tokenOf = (address: string, report = 'weekly'): Promise<string> =>
  tokens.issue({ addressKey: addressKey(address), report, expiresAt });

async function ask(
  request: UnsubscribeRequest,
  now = '2026-11-16T09:00:00Z',
): Promise<Omit<UnsubscribeResponse, 'report'>> {
  const dependencies = { configuration, table: ledger.table, tokens, now: new Date(now) };
  const { status, page } = await answerRequest(request, dependencies);
  return { status, page };
}

const left = async (address: string, report = 'weekly'): Promise<boolean> =>
  (await readUnsubscribed(ledger.table, reportNamed(report), [address])).has(addressKey(address));

describe('a good link', () => {
  test.each(['GET', 'HEAD'])('asks and changes nothing on %s', async (method) => {
    const token = await tokenOf('scanned@example.com');
    expect(await ask({ method, token, wants: 'nothing' })).toEqual({ status: 200, page: 'ask' });
    expect(await left('scanned@example.com')).toBe(false);
  });

  test('unsubscribes by POST, any number of times, and subscribes again by another', async () => {
    const token = await tokenOf('Ada+weekly@example.com');
    const request = { method: 'POST', token, wants: 'unsubscribe' } as const;
    expect(await ask(request)).toEqual({ status: 200, page: 'left' });
    expect(await ask(request, '2026-11-17T09:00:00Z')).toEqual({ status: 200, page: 'left' });
    expect(await ask({ method: 'GET', token, wants: 'nothing' })).toEqual({ status: 200, page: 'left' });
    expect(await left('ada+WEEKLY@example.com')).toBe(true);
    expect(await ledger.items(`ADDRESS#${addressKey('ada+weekly@example.com')}`)).toMatchObject([
      { sk: 'UNSUBSCRIBED#weekly', report: 'weekly', left: true, at: '2026-11-16T09:00:00.000Z' },
    ]);
    expect(await ask({ ...request, wants: 'resubscribe' })).toEqual({ status: 200, page: 'returned' });
    expect(await left('ada+weekly@example.com')).toBe(false);
    expect(await ask(request)).toEqual({ status: 200, page: 'left' });
    expect(await left('ada+weekly@example.com')).toBe(true);
  });

  test('unsubscribes from one report and not from another', async () => {
    await ask({ method: 'POST', token: await tokenOf('grace@example.com', 'daily'), wants: 'unsubscribe' });
    expect([await left('grace@example.com', 'daily'), await left('grace@example.com')]).toEqual([true, false]);
  });

  test('writes nothing where somebody subscribes again who never unsubscribed', async () => {
    await ask({ method: 'POST', token: await tokenOf('new@example.com'), wants: 'resubscribe' });
    expect(await ledger.items(`ADDRESS#${addressKey('new@example.com')}`)).toEqual([]);
  });

  test('asks again where a POST wants nothing that we know, and on any other method', async () => {
    const token = await tokenOf('odd@example.com');
    expect(await ask({ method: 'POST', token, wants: 'nothing' })).toEqual({ status: 400, page: 'ask' });
    expect(await ask({ method: 'DELETE', token, wants: 'nothing' })).toEqual({ status: 405, page: 'ask' });
    expect(await left('odd@example.com')).toBe(false);
  });
});

describe('a good link whose report is not configured under its name', () => {
  const renamed = {
    ...configuration,
    reports: [{ ...requireReport(configuration, 'weekly'), name: 'news', locale: 'de' }],
  };
  const answerOf = async (wants: UnsubscribeRequest['wants'], token: string, now = '2026-11-16T09:00:00Z') => {
    const dependencies = { configuration: renamed, table: ledger.table, tokens, now: new Date(now) };
    const { status, page, report } = await answerRequest(
      { method: wants === 'nothing' ? 'GET' : 'POST', token, wants },
      dependencies,
    );
    return { status, page, title: report.title, locale: report.locale };
  };

  test('leaves the report whose name was moved, and comes back to it, in its language and by its title', async () => {
    await beginMove(ledger.table, 'weekly', 'weekly-news');
    await beginMove(ledger.table, 'weekly-news', 'news');
    const token = await tokenOf('mary@example.com');
    const of = { status: 200, title: 'Weekly broadcast digest', locale: 'de' };
    expect(await answerOf('nothing', token)).toEqual({ ...of, page: 'ask' });
    expect(await answerOf('unsubscribe', token)).toEqual({ ...of, page: 'left' });
    expect(await left('mary@example.com', 'news')).toBe(true);
    expect(await answerOf('nothing', token)).toEqual({ ...of, page: 'left' });
    expect(await answerOf('resubscribe', token, '2026-11-16T10:00:00Z')).toEqual({ ...of, page: 'returned' });
    expect(await left('mary@example.com', 'news')).toBe(false);
  });

  test('unsubscribes from a report that is gone, and no page says that its mails come again', async () => {
    const token = await tokenOf('olga@example.com', 'gone');
    const of = { status: 200, title: 'gone', locale: 'en' };
    expect(await answerOf('nothing', token)).toEqual({ ...of, page: 'ask' });
    expect(await answerOf('unsubscribe', token)).toEqual({ ...of, page: 'left' });
    expect(await left('olga@example.com', 'gone')).toBe(true);
    expect(await answerOf('resubscribe', token, '2026-11-16T10:00:00Z')).toEqual({ ...of, page: 'ask' });
    expect(await left('olga@example.com', 'gone')).toBe(false);
  });
});

test('a link that is too old, of another deployment or malformed changes nothing', async () => {
  const foreign = createUnsubscribeTokens('another-generated-secret-of-forty-characters');
  const key = addressKey('alan@example.com');
  const token = await tokenOf('alan@example.com');
  const post = { method: 'POST', wants: 'unsubscribe' } as const;
  expect(await ask({ ...post, token }, '2028-01-01T00:00:00Z')).toEqual({ status: 410, page: 'expired' });
  const forged = await foreign.issue({ addressKey: key, report: 'weekly', expiresAt });
  for (const tried of [forged, `${token.slice(0, -4)}AAAA`, '', 'favicon.ico']) {
    expect(await ask({ ...post, token: tried })).toEqual({ status: 404, page: 'invalid' });
  }
  expect(await ledger.items(`ADDRESS#${key}`)).toEqual([]);
});
