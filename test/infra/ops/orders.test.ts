import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { recordAction, recordOrderOutcome, type ActionName } from '../../../functions/ledger/runs/actions.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { runsCommand } from '../../../infra/ops/commands/runs.ts';
import { showCommand } from '../../../infra/ops/commands/show.ts';
import type { LedgerTarget } from '../../../infra/ops/targets/target.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';
import { planKeptRun } from '../../functions/run/kept-run.ts';
import { reportNamed } from '../../support/report-named.ts';

let ledger: Ledger;
let target: LedgerTarget;
let run: string;

beforeAll(async () => {
  ledger = await openLedger();
  target = {
    configuration: loadConfiguration(),
    table: ledger.table,
    scan: async function* () {},
    operator: 'ada',
    flags: [],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: null,
    close: () => Promise.resolve(),
  };
  ({ run } = await planKeptRun(ledger.table, 1));
  const error = { code: 'not-held', message: 'It is not held.' };
  await order('ada', 'run', 'done');
  await order('grace', 'release', 'refused', error);
  await order('alan', 'hold', 'failed', { code: 'service-unavailable', message: 'No list.' });
  await order('katherine', 'discard', null);
  await order('mary', 'lift-address', null);
  await order('dorothy', 'hold', 'done', undefined, 'Nothing was held.');
});

let hour = 10;

/** Records what somebody ordered an hour after the last order, and what became of it, if that is known. */
async function order(
  by: string,
  what: ActionName,
  state: 'done' | 'refused' | 'failed' | null,
  error?: { code: string; message: string },
  note?: string,
): Promise<void> {
  const action = { what, by, at: `2026-11-16T${hour}:00:00Z`, run };
  hour += 1;
  const key = await recordAction(ledger.table, { report: 'weekly' }, action, 4_000_000_000);
  if (state === null) return;
  const outcome = { state, ...(error === undefined ? {} : { error }), ...(note === undefined ? {} : { note }) };
  await recordOrderOutcome(ledger.table, reportNamed('weekly'), key, outcome);
}

test('what became of each order is shown, and an order that was refused does not read as if it was done', async () => {
  const { answer } = await showCommand(target, run, { messages: false, view: false });
  expect(answer.lines).toContainEqual(expect.stringMatching(/^Planned 2026-11-\d\d \d\d:\d\d Europe\/London by ada/));
  expect(answer.lines.slice(-6)).toEqual([
    '2026-11-16 10:00 Europe/London  run  by ada: done',
    '2026-11-16 11:00 Europe/London  release  by grace: refused (not-held). It is not held.',
    '2026-11-16 12:00 Europe/London  hold  by alan: failed (service-unavailable). No list.',
    '2026-11-16 13:00 Europe/London  discard  by katherine: no outcome recorded',
    // No order to the run function: it is done once it is recorded.
    '2026-11-16 14:00 Europe/London  lift-address  by mary',
    '2026-11-16 15:00 Europe/London  hold  by dorothy: done. Nothing was held.',
  ]);
});

test('whose order was refused is not among those who triggered the run', async () => {
  const { json } = await runsCommand(target, 'weekly');
  expect(json).toMatchObject({ runs: [{ run, by: ['ada', 'alan', 'katherine', 'mary', 'dorothy'] }] });
});

test('the mail of a local run that was sent to nobody is written to a file where no browser shows it, and nowhere else', async () => {
  const outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
  try {
    const local = { ...target, outbox };
    const { answer } = await showCommand(local, run, { messages: false, view: false, write: true });
    const file = join(outbox, `${run}.html`);
    expect(answer.lines.at(-1)).toBe(`To see the mail, open ${file}`);
    expect(await readFile(file, 'utf8')).toContain('</html>');

    await rm(file);
    await showCommand(local, run, { messages: false, view: false });
    await showCommand(target, run, { messages: false, view: false, write: true });
    // Of a report that is no longer configured there is no mail to render, and the rest is shown.
    const { configuration } = target;
    const reports = configuration.reports.filter(({ name }) => name !== 'weekly');
    const gone = { ...local, configuration: { ...configuration, reports } };
    for (const view of [true, false]) {
      const { answer, openView } = await showCommand(gone, run, { messages: false, view, write: true });
      expect([answer.code, openView]).toEqual([0, null]);
      expect(answer.lines.at(-1)).toBe('The mail is not shown: there is no report "weekly" any more.');
    }
    expect(await readdir(outbox)).toEqual([]);
  } finally {
    await rm(outbox, { recursive: true });
  }
});
