import { setGlobalProxyFromEnv, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { turnChannelOn } from '../../../../functions/ledger/channels.ts';
import { cardId, planMessage, readCards } from '../../../../functions/ledger/runs/messages.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { postCard } from '../../../../functions/run/send/webhook.ts';
import { dispatchMessages } from '../../../../functions/run/send/dispatch.ts';
import { createSesClient } from '../../../../functions/run/send/ses.ts';
import type { Plan } from '../../../../functions/run/plan/plan.ts';
import { authority } from '../../../support/certificates.ts';
import { cutShort, startHttpStub, status, text } from '../../../support/http-stub.ts';
import { startProxy } from '../../../support/proxy.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { startScriptedSes } from '../../../support/aws/scripted-ses.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured, reportOf } from '../configured.ts';
import { dependenciesOf, planKeptRun } from '../kept-run.ts';

const ledger = await openLedger();
const webhook = await startHttpStub();
const ses = await startScriptedSes();
vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', webhook.url);
let runs = 0;

afterAll(async () => {
  await webhook.close();
  await ses.close();
});
beforeEach(() => void webhook.requests.splice(0));
afterEach(() => vi.useRealTimers());

const hook = `${webhook.url}/hook`;
const busy = (seconds: number) => status(429, { 'retry-after': String(seconds) });
const lost = (response: ServerResponse): void => void response.destroy();

describe('a webhook', () => {
  const refusedInside = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error';
  test.each<readonly [code: number, body: string, outcome: object]>([
    [200, 'ok', { outcome: 'accepted' }],
    [202, '', { outcome: 'accepted' }],
    ...['{"ok":true,"error":null}', '{"error":""}'].map((body) => [200, body, { outcome: 'accepted' }] as const),
    ...['{"ok": false}', '{"success":false}', '{"error":"canary"}', '{"error":["canary"]}', '{"error":{"code":1}}'].map(
      (body) => [200, body, { outcome: 'refused', refusal: 'HTTP 200 with an error' }] as const,
    ),
    [200, '\n<!doctype html>canary', { outcome: 'refused', refusal: 'HTTP 200 with a page, as of no webhook' }],
    [200, `${refusedInside} 413 with ContextId canary`, { outcome: 'refused', refusal: 'HTTP 413' }],
    [200, `${refusedInside} 429 with ContextId canary`, { outcome: 'busy', refusal: 'HTTP 429', waitSeconds: 0 }],
    [410, 'ok', { outcome: 'gone', refusal: 'HTTP 410' }],
    [400, 'ok', { outcome: 'refused', refusal: 'HTTP 400' }],
    [302, 'ok', { outcome: 'refused', refusal: 'HTTP 302' }],
    [300, 'ok', { outcome: 'refused', refusal: 'HTTP 300' }],
    [200, `${refusedInside} 300 with ContextId canary`, { outcome: 'refused', refusal: 'HTTP 300' }],
    [500, 'ok', { outcome: 'unknown' }],
  ])('that answers %i with %j has said what became of the card, which is posted once', async (code, body, outcome) => {
    const headers = { location: `${webhook.url}/elsewhere` };
    webhook.answer('/hook', (response) => void response.writeHead(code, headers).end(body));
    expect(await postCard(hook, { text: 'News' })).toEqual(outcome);
    expect(webhook.requests).toMatchObject([{ path: '/hook', method: 'POST', body: '{"text":"News"}' }]);
  });

  test('that hangs up leaves the card unknown, unless it took it before; one that cannot be reached surely has not got it', async () => {
    webhook.answer('/hook', lost);
    expect(await postCard(hook, {})).toEqual({ outcome: 'unknown' });
    webhook.answer('/hook', cutShort('o', 2));
    expect(await postCard(hook, {})).toEqual({ outcome: 'accepted' });
    const busy = { outcome: 'busy', refusal: 'no connection', waitSeconds: 0 };
    expect(await postCard('http://127.0.0.1:9/', {})).toEqual(busy);
  });

  test('is posted to by a proxy where there is one, and is not taken for unreached once the way there is open', async () => {
    const answers: Array<(response: ServerResponse) => unknown> = [(response) => response.end(), lost];
    const proxy = await startProxy((_asked, response) => void answers.shift()?.(response));
    const known = getCACertificates();
    setDefaultCACertificates([...known, authority]);
    const withoutProxy = setGlobalProxyFromEnv({ https_proxy: proxy.url });
    syncBuiltinESMExports();
    const address = 'https://service.example.com/hook';
    const posted = [await postCard(address, {}), await postCard(address, {})];
    withoutProxy();
    syncBuiltinESMExports();
    setDefaultCACertificates(known);
    await proxy.close();
    expect(posted).toEqual([{ outcome: 'accepted' }, { outcome: 'unknown' }]);
    expect(proxy.asked).toEqual(['service.example.com:443', 'service.example.com:443']);
  });

  test('that does not answer in time leaves the card unknown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    webhook.answer('/hook', () => undefined);
    const posted = postCard(hook, {});
    await vi.waitFor(() => expect(webhook.requests.length).toBe(1));
    vi.advanceTimersByTime(15_000);
    expect(await posted).toEqual({ outcome: 'unknown' });
  });

  const named = ['ada@hooks.example.com', ':s@hooks.example.com'];
  const inside = '10.0.0.8 [fd00::8] 169.254.169.254 hooks hooks.internal hooks.local hooks.localhost'.split(' ');
  const urls = [...named, ...inside].map((host) => `https://${host}/x`);
  const refused = [undefined, 'nonsense', 'http://hooks.example.com/x', ...urls];
  test.each([...refused, hook])('at %j is not asked outside of a local run', async (address) => {
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', undefined);
    expect(await postCard(address, {})).toMatchObject({ outcome: 'refused' });
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', webhook.url);
  });
});

describe('the cards of a run', () => {
  const channel = { name: 'managers', kind: 'teams' as const, link: false };
  const id = cardId(channel.name);

  /** Plans a run to one subscriber and these channels. */
  async function planWithCard(...ids: string[]): Promise<Plan> {
    runs += 1;
    const period = periodBefore('day', 'Europe/London', `2026-11-${String(runs).padStart(2, '0')}T08:00:00Z`);
    const plan = await planKeptRun(ledger.table, 1, period);
    for (const card of [id, ...ids]) await planMessage(ledger.table, plan.run, { id: card, expiresAt: 1_900_000_000 });
    return { ...plan, intended: 2 };
  }

  async function dispatch(plan: Plan, durableExecutionArn = 'one', table = ledger.table, channels = [channel]) {
    const dependencies = {
      report: { ...reportOf(), channels },
      ...dependenciesOf({ configuration: configured(), table, ses: createSesClient() }),
      renderCard: ({ page }: { page: string | null }) => ({ text: page ?? 'No page' }),
      linkToPage: () => Promise.resolve('https://page'),
    };
    // Without a channel the stack has no secret of addresses.
    const addresses = channels.length > 0 ? { managers: hook, board: `${webhook.url}/board` } : null;
    const channelAddresses = () => (addresses === null ? Promise.reject(new Error()) : Promise.resolve(addresses));
    const { result, waits } = await replayExecution((context) => {
      const renamed = Object.assign(Object.create(context), { executionContext: { durableExecutionArn } });
      return dispatchMessages(renamed, plan, { ...dependencies, channelAddresses });
    });
    const [card] = await readCards(ledger.table, plan.run);
    return { sentNow: result.sentNow, waits, state: card?.state, refusal: card?.refusal };
  }

  test('wait where the channel is busy, as long as it says, and give up in the end', async () => {
    webhook.answer('/hook', busy(30), busy(1), busy(0), text('ok'));
    expect(await dispatch(await planWithCard())).toMatchObject({ waits: [0.5, 0.5, 1], state: 'sent' });
    webhook.answer('/hook', busy(0));
    const plan = await planWithCard();
    const failed = { sentNow: 1, state: 'failed', refusal: 'HTTP 429' };
    expect(await dispatch(plan)).toMatchObject({ ...failed, waits: [1 / 6, 0.5, 1] });
    webhook.answer('/hook', busy(121));
    expect(await dispatch(await planWithCard())).toMatchObject({ ...failed, waits: [] });
    webhook.answer('/hook', busy(120), text('ok'));
    expect(await dispatch(await planWithCard())).toMatchObject({ waits: [2], state: 'sent' });
    webhook.answer('/hook', text('ok'));
    expect(await dispatch(plan, 'two')).toMatchObject({ sentNow: 1, state: 'sent' });
  });

  test('go each to their own channel, and wait as long as the busiest says', async () => {
    webhook.answer('/board', busy(90), text('ok'));
    webhook.answer('/hook', busy(31), text('ok'));
    const plan = await planWithCard(cardId('board'));
    const channels = [channel, { ...channel, name: 'board' }];
    expect(await dispatch(plan, 'one', ledger.table, channels)).toMatchObject({ sentNow: 3, waits: [1.5] });
    expect(webhook.requests.map(({ path }) => path)).toEqual(['/board', '/hook', '/board', '/hook']);
  });

  test('have a link to the page where their channel is to have one', async () => {
    webhook.answer('/hook', text('ok'));
    for (const link of [true, false]) await dispatch(await planWithCard(), 'one', ledger.table, [{ ...channel, link }]);
    expect(webhook.requests.map(({ body }) => body)).toEqual(['{"text":"https://page"}', '{"text":"No page"}']);
  });

  test('whose answer was lost stay unknown, and are never posted again', async () => {
    webhook.answer('/hook', lost);
    const plan = await planWithCard();
    expect(await dispatch(plan)).toMatchObject({ sentNow: 1, state: 'claimed' });
    expect(await dispatch(plan, 'two')).toMatchObject({ state: 'claimed' });
    expect(webhook.requests.length).toBe(1);
  });

  test('are posted after the mails, also where SES takes none', async () => {
    ses.recover();
    webhook.answer('/hook', (...exchange) =>
      (ses.asked.includes('SendRawEmail') ? text('ok') : status(400))(...exchange),
    );
    expect(await dispatch(await planWithCard())).toMatchObject({ sentNow: 2, state: 'sent' });
    Object.assign(ses, { most: 200, taken: 200 });
    expect(await dispatch(await planWithCard())).toMatchObject({ sentNow: 1, state: 'sent' });
    ses.recover();
  });

  test('that are refused for good fail, and in the same way in two runs in a row turn the channel off: the next are suppressed until it is on', async () => {
    webhook.answer('/hook', status(410), text('ok'), status(410), status(404), status(404), text('ok'));
    const states: unknown[] = [];
    for (let run = 1; run <= 7; run += 1) {
      states.push((await dispatch(await planWithCard())).state);
      if (run === 6) await turnChannelOn(ledger.table, 'managers');
    }
    expect(states).toEqual(['failed', 'sent', 'failed', 'failed', 'failed', 'suppressed', 'sent']);
  });

  test('are removed where the last channel is not configured any more, and the mails are sent', async () => {
    const plan = await planWithCard();
    expect(await dispatch(plan, 'two', ledger.table, [])).toMatchObject({ sentNow: 1, state: 'removed' });
  });

  test.each([
    ['before it posts', 'claimed', 0],
    ['after it posted', 'sent', 1],
  ])('are not posted a second time by a run that dies %s', async (_when, fatal, posts) => {
    webhook.answer('/hook', text('ok'));
    const plan = await planWithCard();
    const update: Table['update'] = async (key, change) => {
      const isFatal = key.sk.endsWith(id) && change.set?.['state'] === fatal;
      if (!isFatal) return await ledger.table.update(key, change);
      if (fatal === 'claimed') await ledger.table.update(key, change);
      throw new Error('The process dies.');
    };
    await expect(dispatch(plan, 'one', { ...ledger.table, update })).rejects.toThrow('The process dies.');
    expect(await dispatch(plan)).toMatchObject({ sentNow: 0, state: 'claimed' });
    expect(webhook.requests.length).toBe(posts);
  });
});
