import { expect, test } from 'vitest';
import { Temporal } from 'temporal-polyfill';
import { recordAction, recordOrderOutcome } from '../../../functions/ledger/runs/actions.ts';
import { discardKeptDigest, readRun } from '../../../functions/ledger/runs/runs.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { runsCommand } from '../../../infra/ops/commands/runs.ts';
import { statusCommand } from '../../../infra/ops/commands/status.ts';
import { openLedger } from '../../functions/ledger/open-ledger.ts';
import { planKeptRun } from '../../functions/run/kept-run.ts';
import { reportNamed } from '../../support/report-named.ts';
import { named } from '../../support/named.ts';

test('a run whose digest was discarded says so, by whom and when, and how to collect again', async () => {
  const { table } = await openLedger();
  const { run: name } = await planKeptRun(table, 2);
  const run = await readRun(table, 'weekly', named('2026-W46'));
  if (run?.digest === undefined) throw new Error('There is no digest.');
  const at = '2026-11-16T09:00:00Z';
  const key = await recordAction(
    table,
    { report: 'weekly' },
    { what: 'discard', by: 'grace', at, run: name },
    4_000_000_000,
  );
  await recordOrderOutcome(table, reportNamed('weekly'), key, { state: 'done' });
  await discardKeptDigest(table, run, { execution: 'e', at, digest: run.digest });
  const target = {
    configuration: loadConfiguration(),
    table,
    scan: async function* () {},
    operator: 'ada',
    flags: ['--local'],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: null,
    close: () => Promise.resolve(),
  };
  const line =
    'The digest of weekly_2026-W46 was discarded by grace, 2026-11-16 09:00 Europe/London. ' +
    'To collect again: npm run ops -- run weekly --at 2026-11-16T08:00:00Z --local';
  const runs = await runsCommand(target, 'weekly');
  expect(runs.lines).toContain(line);
  expect(runs.json).toMatchObject({ runs: [{ run: name, outcome: 'discarded' }] });
  const status = await statusCommand(target, Temporal.Instant.from('2026-11-16T10:00:00Z'));
  expect(status.lines).toContain(line);
  expect(status.lines).not.toContain('Nothing needs attention.');
});
