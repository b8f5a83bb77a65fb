import { beforeAll, expect, test } from 'vitest';
import { loadConfiguration } from '../../../infra/config.ts';
import { testCommand } from '../../../infra/ops/commands/test.ts';
import type { RunTarget } from '../../../infra/ops/targets/target.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

/** A target whose run function answers a test with these counts. */
function targetThat(counts: object): RunTarget {
  const result = { test: 'weekly_2026-W46', kept: true, ...counts };
  return {
    stack: null,
    configuration: loadConfiguration(),
    table: ledger.table,
    scan: async function* () {},
    operator: 'grace',
    flags: [],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: null,
    trigger: () => Promise.resolve({ ended: () => Promise.resolve({ status: 'succeeded', result }) }),
    close: () => Promise.resolve(),
  };
}

const begin = 'Test of run weekly_2026-W46, the stored digest: sent to';

test.each([
  { counts: { sent: 2, notSent: 0, unknown: 0 }, line: `${begin} 2 addresses.`, code: 0 },
  { counts: { sent: 1, notSent: 1, unknown: 0 }, line: `${begin} 1 address. 1 could not be sent.`, code: 2 },
  { counts: { sent: 0, notSent: 2, unknown: 0 }, line: `${begin} 0 addresses. 2 could not be sent.`, code: 1 },
  {
    counts: { sent: 0, notSent: 1, unknown: 3 },
    line: `${begin} 0 addresses. 1 could not be sent. SES's answer to 3 was lost: they may have been sent.`,
    code: 2,
  },
])('a test of $counts says so and ends with $code', async ({ counts, line, code }) => {
  const answer = await testCommand(targetThat(counts), 'weekly', { to: ['x@example.com'], at: '2026-11-16T08:00:00Z' });
  expect(answer).toEqual({ json: { run: 'weekly_2026-W46', kept: true, ...counts }, lines: [line], code });
});

test('an answer of an earlier version, which does not count what is unknown, is read', async () => {
  const answer = await testCommand(targetThat({ sent: 1, notSent: 0 }), 'weekly', {
    to: ['x@example.com'],
    at: '2026-11-16T08:00:00Z',
  });
  expect(answer).toMatchObject({ json: { sent: 1, notSent: 0, unknown: 0 }, code: 0 });
});
