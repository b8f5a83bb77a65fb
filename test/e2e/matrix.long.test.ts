import { afterAll, expect, test } from 'vitest';
import { closings, readCurrent } from '../../functions/ledger/observations.ts';
import { createTokenStore } from '../../functions/ledger/token-store.ts';
import { connectTo } from '../functions/reporting-service/connect.ts';
import { playOf } from '../support/accounts/play.ts';
import {
  accountWith,
  behaviourOf,
  deviationsOf,
  observedMs,
  type Deviation,
} from '../support/faulty-account/faulty-account.ts';
import { startService, type Behaviour } from '../support/service/service.ts';

const account = accountWith(1);
const concurrency = 8;
const service = await startService({ answers: {} });
afterAll(() => service.close());

/** What the first run of a ledger comes to over HTTP. More than four seconds no answer takes that comes at all. */
async function runWith(behaviour: Behaviour, workers: Deviation['workers']) {
  service.behave(behaviour);
  const [spent, dead] = [new Set<string>(), new Set<string>()];
  const given = { timeoutMs: 4_000, readCredentials: () => Promise.resolve(service.credentials), spent };
  const { run, table } = playOf(account, {
    service: { baseUrl: service.url, concurrency },
    connect: (ledger) => (settings) => connectTo(service.url, { ...given, settings, store: createTokenStore(ledger) }),
    observing: {
      isSlow: workers === 'slow',
      // Each part of the work costs one worker its life.
      dies: ({ phase }) => workers === 'die' && dead.size < dead.add(phase).size,
    },
  });
  return { outcome: await run(observedMs), table: table() };
}

const usual = { way: '500', tokens: 'plain', workers: 'live', isDown: false, seed: 1 } as const;
const { answers } = behaviourOf(account, usual);
const healthy = await runWith({ answers }, 'live');

test('the digest of the healthy service has every figure', () => {
  expect(healthy.outcome).toMatchObject({ digest: { unavailable: [], totals: { seen: expect.any(Number) } } });
});

test.each(deviationsOf(20261116))(
  'failures: $way, tokens: $tokens, workers: $workers, down: $isDown: the digest is that of a healthy service, and nothing is asked for twice',
  async (deviation) => {
    const { outcome, table } = await runWith(behaviourOf(account, deviation), deviation.workers);
    expect(outcome).toEqual(healthy.outcome);
    const { attempts, authority, mostInFlight } = service.log();
    if (deviation.way !== 'by chance') expect(attempts.map((attempt) => attempt.outcome)).toContain(deviation.way);
    const ofData = attempts.filter(({ address }) => !address.startsWith('POST'));
    const answered = ofData.filter((attempt) => attempt.outcome === 'answered').map(({ address }) => address);
    expect(new Set(answered).size).toBe(answered.length);
    const refused = ofData.filter((attempt) => attempt.outcome === '401');
    expect(new Set(refused.map(({ address, token }) => address + token)).size).toBe(refused.length);
    expect(authority.reused).toBe(0);
    expect(mostInFlight).toBeLessThanOrEqual(concurrency);

    const closed = (await readCurrent(table, 'account'))?.closed ?? { id: '' };
    const closing = await closings.read(table, { account: 'account', observation: closed.id });
    const counted = Object.values(closing?.coverage.requests ?? {}).flatMap((byStatus) => Object.values(byStatus));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(attempts.length);
    const stored = JSON.stringify([outcome, await table.get({ pk: 'TOKENS', sk: 'service' })]);
    const secrets = [service.credentials.secret, 'canary-error-body', ...authority.issued];
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  },
);
