import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLeaveTokens } from '../../../functions/leave-token.ts';
import { addressKey } from '../../../functions/ledger/addresses.ts';
import { readUnsubscribed } from '../../../functions/ledger/unsubscriptions.ts';
import { answerRequest, type Answer } from '../../../functions/unsubscribe/answer.ts';
import type { LeaveRequest } from '../../../functions/unsubscribe/request.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import { reportNamed } from '../../support/report-named.ts';

const configuration = loadConfiguration({ today: '2026-11-20' });
const tokens = createLeaveTokens('a-generated-secret-of-some-forty-characters');
const expiresAt = new Date('2027-12-20T00:00:00Z');
let ledger: Ledger;

beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const tokenOf = (address: string, report = 'weekly'): Promise<string> =>
  tokens.issue({ addressKey: addressKey(address), report }, expiresAt);

async function ask(request: LeaveRequest, now = '2026-11-16T09:00:00Z'): Promise<Omit<Answer, 'report'>> {
  const desk = { configuration, table: ledger.table, tokens, now: new Date(now) };
  const { status, page } = await answerRequest(request, desk);
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

  test('leaves by POST, however often, and comes back by another', async () => {
    const token = await tokenOf('Ada+weekly@example.com');
    const leave = { method: 'POST', token, wants: 'leave' } as const;
    expect(await ask(leave)).toEqual({ status: 200, page: 'left' });
    expect(await ask(leave, '2026-11-17T09:00:00Z')).toEqual({ status: 200, page: 'left' });
    expect(await ask({ method: 'GET', token, wants: 'nothing' })).toEqual({ status: 200, page: 'left' });
    expect(await left('ada+WEEKLY@example.com')).toBe(true);
    expect(await ledger.items(`ADDRESS#${addressKey('ada+weekly@example.com')}`)).toMatchObject([
      { sk: 'UNSUBSCRIBED#weekly', report: 'weekly', left: true, at: '2026-11-16T09:00:00.000Z' },
    ]);
    expect(await ask({ ...leave, wants: 'return' })).toEqual({ status: 200, page: 'returned' });
    expect(await left('ada+weekly@example.com')).toBe(false);
    expect(await ask(leave)).toEqual({ status: 200, page: 'left' });
    expect(await left('ada+weekly@example.com')).toBe(true);
  });

  test('leaves one report and not another', async () => {
    await ask({ method: 'POST', token: await tokenOf('grace@example.com', 'daily'), wants: 'leave' });
    expect([await left('grace@example.com', 'daily'), await left('grace@example.com')]).toEqual([true, false]);
  });

  test('leaves nothing behind where somebody comes back who never left', async () => {
    await ask({ method: 'POST', token: await tokenOf('new@example.com'), wants: 'return' });
    expect(await ledger.items(`ADDRESS#${addressKey('new@example.com')}`)).toEqual([]);
  });

  test('asks again where a POST wants nothing that we know, and on any other method', async () => {
    const token = await tokenOf('odd@example.com');
    expect(await ask({ method: 'POST', token, wants: 'nothing' })).toEqual({ status: 400, page: 'ask' });
    expect(await ask({ method: 'DELETE', token, wants: 'nothing' })).toEqual({ status: 405, page: 'ask' });
    expect(await left('odd@example.com')).toBe(false);
  });
});

const post = (token: string): LeaveRequest => ({ method: 'POST', token, wants: 'leave' });

describe('a link that is not good changes nothing', () => {
  test('where it is too old', async () => {
    const token = await tokenOf('late@example.com');
    expect(await ask(post(token), '2028-01-01T00:00:00Z')).toEqual({ status: 410, page: 'expired' });
    expect(await left('late@example.com')).toBe(false);
  });

  test('where it is of another deployment, malformed, or of a report that is no more', async () => {
    const foreign = createLeaveTokens('another-generated-secret-of-forty-characters');
    const key = addressKey('alan@example.com');
    const tokensTried = [
      await foreign.issue({ addressKey: key, report: 'weekly' }, expiresAt),
      `${(await tokenOf('alan@example.com')).slice(0, -4)}AAAA`,
      '',
      'favicon.ico',
      await tokenOf('alan@example.com', 'gone'),
    ];
    for (const token of tokensTried) expect(await ask(post(token))).toEqual({ status: 404, page: 'invalid' });
    expect(await ledger.items(`ADDRESS#${key}`)).toEqual([]);
  });
});
