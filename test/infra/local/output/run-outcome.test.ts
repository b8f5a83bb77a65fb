import { beforeAll, expect, test } from 'vitest';
import { recordOutcome, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { readOutcome } from '../../../../infra/local/output/run-outcome.ts';
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';
import { reportOf } from '../../../functions/run/configured.ts';
import { planKeptRun } from '../../../functions/run/kept-run.ts';

const at = '2026-11-16T08:00:00Z';
const sealed = { code: 'sealed', message: 'Run "weekly_2026-W46" is sealed.' };

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
  const plan = await planKeptRun(ledger.table, 0);
  const run = await requireRun(ledger.table, 'weekly', plan.period);
  await recordOutcome(ledger.table, run, { state: 'done', sentNow: 0, finishedAt: '2026-11-16T08:01:00Z' });
});

const executions: Array<{ how: string; execution: Parameters<typeof readOutcome>[2] }> = [
  {
    how: 'answered',
    execution: { status: 'SUCCEEDED', result: { state: 'refused', error: sealed }, error: undefined },
  },
  {
    how: 'thrown, as earlier releases did',
    execution: {
      status: 'FAILED',
      result: undefined,
      error: { errorType: sealed.code, errorMessage: sealed.message },
    },
  },
];

test.each(executions)(
  'a refusal that was $how is the outcome of the call, though the run was done before',
  async (of) => {
    const { receipt } = await readOutcome(reportOf(), at, of.execution, ledger.table);
    expect(receipt).toMatchObject({ run: 'weekly_2026-W46', state: 'failed', error: sealed });
  },
);

test('a refusal before there was a run has its reason in a receipt of its own', async () => {
  const [{ execution } = {}] = executions;
  if (execution === undefined) throw new Error('There is no execution.');
  const { receipt, digest } = await readOutcome(reportOf(), '2026-11-09T08:00:00Z', execution, ledger.table);
  expect({ receipt, digest }).toMatchObject({
    receipt: { run: 'weekly_2026-W45', state: 'failed', messages: [], error: sealed },
    digest: null,
  });
});

test('an execution that did its work leaves the receipt as the ledger has it', async () => {
  const result = { run: 'weekly_2026-W46', state: 'done', balance: {} };
  const execution = { status: 'SUCCEEDED', result, error: undefined } as const;
  const { receipt } = await readOutcome(reportOf(), at, execution, ledger.table);
  expect(receipt).toMatchObject({ state: 'done', balance: { balanced: true } });
  expect(receipt.error).toBeUndefined();
});
