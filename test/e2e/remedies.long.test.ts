import { Temporal } from 'temporal-polyfill';
import { afterAll, expect, test } from 'vitest';
import { failureCodes, refusalCodes } from '../../functions/domain/failures.ts';
import { insertRun } from '../../functions/ledger/runs/runs.ts';
import { failRun } from '../../functions/run/receipt/receipt.ts';
import { chooseDue, chooseReport } from '../../infra/program/command-line/choices.ts';
import { runCommand } from '../../infra/program/commands/run.ts';
import { senderCommand } from '../../infra/program/commands/sender.ts';
import { statusCommand } from '../../infra/program/commands/status.ts';
import { doctorCommand } from '../../infra/program/commands/doctor.ts';
import { openLocalSystem } from '../../infra/program/targets/local-system.ts';
import { configurationWith } from '../support/configuration.ts';
import { createFolders } from '../support/start-folders.ts';

const configuration = configurationWith();
const place = { ...createFolders(), local: true, configuration };
const target = await openLocalSystem(place);
const report = chooseReport(configuration, 'daily');
afterAll(() => target[Symbol.asyncDispose]());

const failures = [...failureCodes, 'internal' as const].filter((code) => !refusalCodes.some((other) => other === code));
const mends = { 'sender-unverified': 'sender', 'service-unavailable': 'doctor', credentials: 'secret' };

test.each(failures)('what is printed of a run that failed by %s helps: the last command has it done', async (code) => {
  const due = chooseDue(report, { period: `2026-10-${10 + failures.indexOf(code)}` });
  const { table } = target;
  const planned = { ...due, report: 'daily', run: `daily_${due.period.name}`, plannedAt: due.scheduledTime };
  await insertRun(table, planned, 4_000_000_000);
  await failRun(planned, { code, message: 'It failed.' }, { table, now: Temporal.Now.instant() });
  const printed = async (flags = target.flags): Promise<string[]> =>
    (await statusCommand({ ...target, flags })).lines.flatMap(
      (line) => /^ +npm run ops -- (.*)$/.exec(line)?.[1] ?? [],
    );
  const again = `run daily --at ${due.scheduledTime}`;
  const mend = Object.entries(mends).flatMap(([begin, command]) => (code.startsWith(begin) ? [command] : []));
  expect(await printed([])).toEqual([...mend, again]);
  // There is no secret locally.
  const local = (await printed()).map((command) => command.split(' --local')[0]);
  expect(local).toEqual([...mend.filter((command) => command !== 'secret'), again]);
  if (local.includes('sender')) expect((await senderCommand({ ...place, yes: true })).code).toBe(0);
  if (local.includes('doctor')) expect((await doctorCommand({ ...place, strict: false }, report)).code).toBe(0);
  const order = { hold: false, follow: true, resendUnknown: false, yes: false };
  const { json } = await runCommand(target, report, chooseDue(report, { at: due.scheduledTime }), order);
  expect(json).toMatchObject({ state: 'done', balance: { balanced: true, planned: 0 } });
  expect(await printed()).toEqual([]);
});
