import { describe, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../../../functions/links/unsubscribe-links.ts';
import * as optOuts from '../../../functions/ledger/persons/opt-outs.ts';
import { requireReport } from '../../../functions/run/find-run.ts';
import { answerRequest, type UnsubscribeRequest, type Wish } from '../../../functions/unsubscribe/answer.ts';
import { configurationWith } from '../../support/configuration.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const configuration = configurationWith();
const tokens = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const expiresAt = new Date('2027-12-20T00:00:00Z');
const ledger = await openLedger();

const tokenOf = (address: string, report = 'weekly'): Promise<string> =>
  tokens.issue({ hash: ledger.hashOf(address), report, expiresAt });

/** What the body asks for is `unread` where it must not be read. */
type Request = Omit<UnsubscribeRequest, 'readWish'> & { wants: Wish | 'unread' };

async function ask({ wants, ...request }: Request, now = '2026-11-16T09:00:00Z', configured = configuration) {
  const dependencies = { configuration: configured, table: ledger.table, tokens, now: new Date(now) };
  const readWish = (): Wish => (wants === 'unread' ? expect.unreachable() : wants);
  const { status, page, report } = await answerRequest({ ...request, readWish }, dependencies);
  return { answer: `${status} ${page}`, title: report.title, locale: report.locale };
}
const answerOf = async (...request: Parameters<typeof ask>): Promise<string> => (await ask(...request)).answer;

const left = (address: string, report = 'weekly'): Promise<boolean> =>
  optOuts.isUnsubscribed(ledger.table, ledger.hashOf(address), { name: report });

describe('a good link', () => {
  test.each([
    ['GET', '200 ask'],
    ['HEAD', '200 ask'],
    ['POST', '400 ask'],
    ['DELETE', '405 ask'],
  ])('asks and changes nothing on %s that wants nothing that we know', async (method, answer) => {
    const token = await tokenOf('scanned@example.com');
    expect(await answerOf({ method, token, wants: 'nothing' })).toBe(answer);
    expect(await left('scanned@example.com')).toBe(false);
  });

  test('unsubscribes by POST, any number of times, and subscribes again by another', async () => {
    const token = await tokenOf('Ada+weekly@example.com');
    const request = { method: 'POST', token, wants: 'unsubscribe' } as const;
    expect(await answerOf(request)).toBe('200 left');
    expect(await answerOf(request, '2026-11-17T09:00:00Z')).toBe('200 left');
    expect(await answerOf({ method: 'GET', token, wants: 'nothing' })).toBe('200 left');
    expect(await left('ada+WEEKLY@example.com')).toBe(true);
    expect(await ledger.items(`OPTOUT#${ledger.hashOf('ada+weekly@example.com')}`)).toMatchObject([
      { sk: 'UNSUBSCRIBED#weekly', report: 'weekly', left: true, at: '2026-11-16T09:00:00.000Z' },
    ]);
    expect(await answerOf({ ...request, wants: 'resubscribe' })).toBe('200 returned');
    expect(await left('ada+weekly@example.com')).toBe(false);
    expect(await answerOf(request)).toBe('200 left');
    expect(await left('ada+weekly@example.com')).toBe(true);
  });
});

const reasons = [...optOuts.suppressionReasons, 'forgotten'] as const;
test.each(reasons)('a good link promises no mail to who gets none for this reason, and says so: %s', async (reason) => {
  const [hash, at] = [ledger.hashOf(reason), '2026-11-16T08:00:00Z'];
  if (reason === 'forgotten') await optOuts.markForgotten(ledger.table, hash, at);
  else await optOuts.suppress(ledger.table, hash, { reason, at });
  const token = await tokenOf(reason);
  expect(await answerOf({ method: 'POST', token, wants: 'resubscribe' })).toBe(`200 ${reason}`);
});

describe('a good link whose report is not configured under its name', () => {
  const weekly = requireReport(configuration, 'weekly');
  const renamed = { ...configuration, reports: [{ ...weekly, name: 'news', locale: 'de' }] };
  const follow = (wants: Wish, token: string, now?: string) =>
    ask({ method: wants === 'nothing' ? 'GET' : 'POST', token, wants }, now, renamed);

  test('leaves the report whose name the release before moved, and comes back to it, in its language and by its title', async () => {
    for (const [sk, movedTo] of Object.entries({ weekly: 'weekly-news', 'weekly-news': 'news' }))
      await ledger.table.update({ pk: 'REPORTS', sk }, { set: { movedTo } });
    const token = await tokenOf('mary@example.com');
    const report = { title: weekly.title, locale: 'de' };
    expect(await follow('nothing', token)).toEqual({ ...report, answer: '200 ask' });
    expect(await follow('unsubscribe', token)).toEqual({ ...report, answer: '200 left' });
    expect(await left('mary@example.com', 'news')).toBe(true);
    expect(await follow('nothing', token)).toEqual({ ...report, answer: '200 left' });
    expect(await follow('resubscribe', token, '2026-11-16T10:00:00Z')).toEqual({ ...report, answer: '200 returned' });
    expect(await left('mary@example.com', 'news')).toBe(false);

    // The name is used again: a link made before is of the report that had it then.
    const both = { ...renamed, reports: [...renamed.reports, weekly] };
    for (const firstSeenAt of ['2026-11-16T00:00:00Z', '2020-01-01T00:00:00Z']) {
      const news = firstSeenAt.startsWith('2026');
      await ledger.table.update({ pk: 'REPORTS', sk: 'weekly' }, { set: { firstSeenAt } });
      const address = `${firstSeenAt.slice(0, 4)}@example.com`;
      await ask({ method: 'POST', token: await tokenOf(address), wants: 'unsubscribe' }, undefined, both);
      expect([await left(address, 'news'), await left(address, 'weekly')]).toEqual([news, !news]);
    }
  });

  test('unsubscribes from a report that is gone, and no page says that its mails come again', async () => {
    const token = await tokenOf('olga@example.com', 'gone');
    const gone = { title: 'gone', locale: 'en' };
    expect(await follow('nothing', token)).toEqual({ ...gone, answer: '200 ask' });
    expect(await follow('unsubscribe', token)).toEqual({ ...gone, answer: '200 left' });
    expect(await left('olga@example.com', 'gone')).toBe(true);
    expect(await follow('resubscribe', token, '2026-11-16T10:00:00Z')).toEqual({ ...gone, answer: '200 ask' });
    expect(await left('olga@example.com', 'gone')).toBe(false);
  });
});

test('a link that is too old, of another deployment or malformed changes nothing, and its body is not read', async () => {
  const foreign = createUnsubscribeTokens('another-generated-secret-of-forty-characters');
  const hash = ledger.hashOf('alan@example.com');
  const token = await tokenOf('alan@example.com');
  const post = { method: 'POST', wants: 'unread' } as const;
  expect(await answerOf({ ...post, token }, '2028-01-01T00:00:00Z')).toBe('410 expired');
  const forged = await foreign.issue({ hash, report: 'weekly', expiresAt });
  for (const tried of [forged, `${token.slice(0, -4)}AAAA`, '', '.', '....', 'eyJhbGciOiJub25lIn0.e30.', '%00']) {
    expect(await answerOf({ ...post, token: tried })).toBe('404 invalid');
  }
  expect(await ledger.items(`OPTOUT#${hash}`)).toEqual([]);
});
