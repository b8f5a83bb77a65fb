import { Temporal } from 'temporal-polyfill';
import { afterAll, expect, test, vi } from 'vitest';
import { failureCodes, refusalCodes } from '../../functions/domain/failure-codes.ts';
import { insertRun } from '../../functions/ledger/runs/runs.ts';
import type { Failure } from '../../functions/run/failure.ts';
import { failRun } from '../../functions/run/receipt/finish.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { chooseDue, chooseReport } from '../../infra/program/command-line/choices.ts';
import { doctorCommand } from '../../infra/program/doctor/doctor-command.ts';
import { runCommand } from '../../infra/program/commands/run.ts';
import { senderCommand } from '../../infra/program/commands/sender.ts';
import { statusCommand } from '../../infra/program/commands/status.ts';
import { openLocalSystem } from '../../infra/program/targets/local-system.ts';
import { environmentOf } from '../support/commands.ts';
import { configurationWith } from '../support/configuration.ts';
import { createFolders } from '../support/start-folders.ts';

const account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
for (const [name, value] of Object.entries(environmentOf(account))) vi.stubEnv(name, value);
const configuration = configurationWith();
const { out, state } = createFolders();
const place = { local: true, out, state, serviceUrl: account.url, configuration };
const target = await openLocalSystem(place);
const report = chooseReport(configuration, 'daily');

afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await account.close();
  vi.unstubAllEnvs();
});

const failures = [...failureCodes, 'internal' as const].filter((code) => !refusalCodes.some((other) => other === code));
/** The commands that mend the cause of a failure, or look at it, before the run is triggered again. */
const first: Partial<Record<Failure['code'], string>> = {
  'sender-unverified': 'sender',
  'credentials-missing': 'secret',
  'credentials-refused': 'secret',
  'service-unavailable': 'doctor',
};

test.each(failures.map((code, index) => ({ code, day: `2026-10-${10 + index}` })))(
  'what is printed of a run that failed by $code helps: each command works, and the last one has the run done',
  async ({ code, day }) => {
    const due = chooseDue(report, { period: day });
    const key = { report: report.name, period: due.period };
    const now = Temporal.Now.instant();
    const planned = { ...key, run: `daily_${day}`, scheduledTime: due.scheduledTime, plannedAt: due.scheduledTime };
    await insertRun(target.table, planned, 4_000_000_000);
    await failRun(key, { code, message: 'It failed.' }, { table: target.table, now });
    const commandsNow = async (flags = target.flags): Promise<string[]> =>
      (await statusCommand({ ...target, flags }, now)).lines.flatMap(
        (line) => /^ *npm run ops -- (.*)$/.exec(line)?.[1] ?? [],
      );
    const again = `run daily --at ${due.scheduledTime}`;
    const mends = first[code] === undefined ? [] : [first[code]];
    expect(await commandsNow([])).toEqual([...mends, again]);
    // There is no secret locally.
    const local = (await commandsNow()).map((command) => command.split(' --local')[0]);
    expect(local).toEqual([...mends.filter((command) => command !== 'secret'), again]);
    if (local.includes('sender')) expect((await senderCommand(place)).code).toBe(0);
    if (local.includes('doctor')) expect((await doctorCommand({ ...place, strict: false }, report)).code).toBe(0);
    const order = { hold: false, follow: true, resendUnknown: false, yes: false };
    const { json } = await runCommand(target, report, chooseDue(report, { at: again.split(' --at ')[1] ?? '' }), order);
    expect(json).toMatchObject({ state: 'done', balance: { balanced: true, planned: 0 } });
    expect(await commandsNow()).toEqual([]);
  },
);
