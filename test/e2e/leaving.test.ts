import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { recordLeft } from '../../functions/ledger/persons/opt-outs.ts';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { putTriggerSubscribers } from '../../functions/ledger/runs/triggers.ts';
import type { StoredItem } from '../../functions/ledger/table.ts';
import { requireReport } from '../../functions/run/find-run.ts';
import { readReceipt } from '../../functions/run/receipt/receipt.ts';
import { chooseDue } from '../../infra/program/command-line/choices.ts';
import { forgetAddress } from '../../infra/program/commands/addresses.ts';
import { testCommand } from '../../infra/program/commands/run.ts';
import { subscribersCommand } from '../../infra/program/commands/subscribers.ts';
import { triggerOutcomeOf, type RunTarget } from '../../infra/program/targets/target.ts';
import { targetOf } from '../infra/program/target.ts';
import { accessKeyIdOfFunction, type AwsCall } from '../support/aws-front.ts';
import { drawsOf } from '../support/faulty-account/deviation.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { deploy, scheduledInput, synthesize, type Deployed } from '../support/deployed.ts';
import { interruptedAt } from '../support/interrupted.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { readMails } from '../support/start-folders.ts';
import { configurationWith } from '../support/template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const simulated = ['bounce@simulator.amazonses.com', 'complaint@simulator.amazonses.com'];
const configured = ['ada@example.com', ...simulated];
const staying = Array.from({ length: 5 }, (_, n) => `stays-${n}@example.com`);

const service = await startService({ answers: smallAccount('2026-11-04') });
afterAll(() => service.close());
const schedules = {
  weekly: { every: 'week', on: 'monday', at: '08:00', timeZone: 'UTC' },
  daily: { every: 'day', at: '08:00', timeZone: 'UTC' },
};
const configuration = configurationWith({
  service: { baseUrl: service.url },
  mail: { settleMinutes: 0 },
  reports: [
    { name: 'weekly', schedule: schedules.weekly, subscribers: configured },
    { name: 'daily', schedule: schedules.daily, subscribers: [] },
  ],
});
const folder = temporaryFolder();
const stack = await synthesize(configuration, folder);

/** The deployed stack as an operator works on it. */
const targetOn = (deployed: Pick<Deployed, 'lambda' | 'table' | 'scan'>): RunTarget =>
  targetOf(deployed, {
    configuration,
    trigger: (payload) => {
      const ended = deployed.lambda.executeDurable(stack.functions.run, payload);
      return Promise.resolve(async () => triggerOutcomeOf(await ended));
    },
  });

const runAt = (deployed: Deployed, report: string, at: string, more: object = {}) =>
  deployed.lambda.executeDurable(stack.functions.run, { ...Object(scheduledInput(stack, report, at)), ...more });

/** An item as text, with what is compressed in it. */
function textOf(item: StoredItem): string {
  const parts = Object.values(item).map((value) => (value instanceof Uint8Array ? gunzipSync(value).toString() : ''));
  return `${JSON.stringify(item)} ${parts.join(' ')}`.toLowerCase();
}

test('after a month of runs, tests, imports, bounces and a forgotten person each address is in its own item alone', async () => {
  const calls: AwsCall[] = [];
  const deployed = await deploy(stack, { credentials: service.credentials, onCall: (call) => calls.push(call) });
  try {
    const target = targetOn(deployed);
    const weekly = requireReport(configuration, 'weekly');
    const file = join(folder, 'people.csv');
    const imported = ['forgotten@example.org', 'removed@example.org', 'left@example.org', 'stays@example.org'];
    const [forgotten = '', removed = '', left = ''] = imported;
    await writeFile(file, ['email', ...imported].join('\n'));
    await subscribersCommand(target, weekly, 'import', [file]);
    for (const at of ['2026-10-19T08:00:00Z', '2026-10-26T08:00:00Z']) {
      requireCarriedOut(await runAt(deployed, 'weekly', at));
      await deployed.ses.eventsSettled();
    }
    const due = chooseDue(weekly, { at: '2026-11-02T08:00:00Z' });
    expect(await testCommand(target, weekly, due, ['tester@example.org'], { yes: true })).toMatchObject({ code: 0 });
    await subscribersCommand(target, weekly, 'remove', [removed]);
    const hashOf = await openHashes(deployed.table);
    await recordLeft(deployed.table, hashOf(left), weekly, { left: true, at: '2026-10-28T08:00:00Z' });
    expect((await forgetAddress(target, forgotten, { yes: true })).json).toEqual({ forgotten: true });
    const subscribers = await putTriggerSubscribers(deployed.table, ['named@example.org', forgotten], {
      keepMonths: 26,
      now: new Date(),
    });
    requireCarriedOut(await runAt(deployed, 'weekly', '2026-11-02T08:00:00Z'));
    requireCarriedOut(await runAt(deployed, 'weekly', '2026-11-02T08:00:00Z', { subscribers, trigger: undefined }));
    await deployed.lambda.invoke(stack.functions.watch, {});

    const items = await Array.fromAsync(deployed.scan());
    const kinds = new Set(items.map(({ pk }) => String(pk).split('#')[0]));
    for (const kind of ['PERSON', 'OPTOUT', 'MEMBERS', 'TRIGGER', 'RUN', 'RUNS', 'ACTIONS', 'NOTICES', 'DIGEST']) {
      expect(kinds).toContain(kind);
    }
    const logs = (await readdir(deployed.logDir)).map((name) => readFile(join(deployed.logDir, name), 'utf8'));
    // What SES is given to deliver, and the item of a person, have the address.
    const said = calls.map(({ action, parameters }) => {
      const { Destinations: _to, RawMessage: _raw, ...others } = Object(parameters);
      const fields = Object.entries(others).filter(([name]) => !/^(?:Destinations|RawMessage)\b/.test(name));
      const text = JSON.stringify(Object.fromEntries(fields));
      return action === 'dynamodb:UpdateItem' && text.includes('"PERSON#') ? '' : text;
    });
    const elsewhere = [...said, ...(await Promise.all(logs)), JSON.stringify(deployed.sns.published)]
      .join()
      .toLowerCase();
    const everybody = [...configured, ...imported, 'tester@example.org', 'named@example.org'];
    const places = everybody.map((address) => {
      const found = items.filter((item) => textOf(item).includes(address));
      return [address, found.map(({ pk }) => String(pk)), elsewhere.includes(address)];
    });
    expect(places).toEqual(
      everybody.map((address) => [address, address === forgotten ? [] : [`PERSON#${hashOf(address)}`], false]),
    );
    expect(calls.some(({ action }) => action === 'ses:SendRawEmail')).toBe(true);
    expect(elsewhere).toContain(hashOf('ada@example.com'));

    const run = await requireRun(deployed.table, 'weekly', { kind: 'week', startDate: '2026-10-26' });
    const { messages, balance } = await readReceipt(deployed.table, run, Date.now());
    expect(Object.fromEntries(messages.map(({ to, outcome }) => [to, outcome]))).toEqual({
      'ada@example.com': 'sent',
      [simulated[0] ?? '']: 'suppressed',
      [simulated[1] ?? '']: 'suppressed',
      forgotten: 'suppressed',
      [left]: 'unsubscribed',
      'stays@example.org': 'sent',
      'named@example.org': 'sent',
    });
    expect(balance.balanced).toBe(true);
  } finally {
    await deployed.close();
  }
});

const dayOfJanuary = (day: number): string => `2026-01-${String(day).padStart(2, '0')}`;

/** What was seen of one person while a run was killed and gone on with. */
interface Watched {
  hash: string;
  /** When it was last read whether the person gets mail, and when each claim's reading was; milliseconds. */
  readAt: number;
  claimsReadAt: number[];
}

/** Notes when a person's standing is read, and of each claim of the person's message when that was. */
function watch(watched: Watched, { action, parameters }: AwsCall): void {
  const text = JSON.stringify(parameters);
  if (action === 'dynamodb:BatchGetItem' && text.includes(`PERSON#${watched.hash}`)) watched.readAt = performance.now();
  const isClaim =
    action === 'dynamodb:UpdateItem' && text.includes(`MESSAGE#${watched.hash}`) && text.includes(':set_claim');
  if (isClaim) watched.claimsReadAt.push(watched.readAt);
}

test('who leaves while a run is killed and goes on, by a command that is killed at any step, gets no mail; everybody else gets theirs', async () => {
  const run = stack.functions.run;
  const draw = drawsOf(20261123);
  let seen: Watched | null = null;
  let kill: { in: number; fire: () => void } | null = null;
  const onCall = (call: AwsCall): void => {
    if (call.accessKeyId !== accessKeyIdOfFunction(run)) return;
    if (seen !== null) watch(seen, call);
    if (kill === null || (kill.in -= 1) > 0) return;
    kill.fire();
    kill = null;
  };
  const deployed = await deploy(stack, { credentials: service.credentials, onCall });
  const daily = requireReport(configuration, 'daily');
  const whole = targetOn(deployed);
  const hashOf = await openHashes(deployed.table);
  const ways: Record<string, (target: RunTarget, address: string) => Promise<unknown>> = {
    forget: (target, address) => forgetAddress(target, address, { yes: true }),
    remove: (target, address) => subscribersCommand(target, daily, 'remove', [address]),
    unsubscribe: ({ table }, address) =>
      recordLeft(table, hashOf(address), daily, { left: true, at: '2026-01-01T00:00:00Z' }),
  };
  try {
    await subscribersCommand(whole, daily, 'add', staying);
    const known = new Set<string>();
    let runs = 0;
    for (const [way, leave] of Object.entries(ways)) {
      for (let writes = 1, isDone = false; !isDone; writes += 1) {
        runs += 1;
        const leaver = `${way}-${runs}@example.com`;
        await subscribersCommand(whole, daily, 'add', [leaver]);
        const at = `${dayOfJanuary(runs + 1)}T08:00:00Z`;
        const watched: Watched = (seen = { hash: hashOf(leaver), readAt: 0, claimsReadAt: [] });
        const gone = Promise.withResolvers<number | null>();
        const frail = targetOn({ ...deployed, table: interruptedAt(deployed.table, writes + 1) });
        const leaveNow = async (): Promise<number | null> => {
          await deployed.lambda.kill(run);
          return await leave(frail, leaver).then(
            () => performance.now(),
            () => null,
          );
        };
        kill = { in: 20 + Math.floor(draw() * 30), fire: () => gone.resolve(leaveNow()) };
        await runAt(deployed, 'daily', at);
        const leftAt = await gone.promise;
        isDone = leftAt !== null;
        // An operator repeats a command that was killed.
        if (!isDone) await leave(whole, leaver);
        const goneAt = leftAt ?? performance.now();
        await runAt(deployed, 'daily', at);
        await deployed.ses.eventsSettled();

        const stored = await requireRun(deployed.table, 'daily', { kind: 'day', startDate: dayOfJanuary(runs) });
        const { messages, balance } = await readReceipt(deployed.table, stored, Date.now());
        const mails = (await readMails(deployed.outDir, known)).map(({ to }) => to);
        expect({ way, writes, late: watched.claimsReadAt.filter((readAt) => readAt > goneAt) }).toMatchObject({
          late: [],
        });
        expect(mails.filter((to) => to === leaver).length).toBeLessThanOrEqual(
          watched.claimsReadAt.length === 0 ? 0 : 1,
        );
        for (const { to, outcome } of messages.filter((each) => staying.includes(each.to))) {
          const got = mails.filter((each) => each === to).length;
          expect([to, outcome, got]).toEqual(outcome === 'unknown' ? [to, 'unknown', 0] : [to, 'sent', 1]);
        }
        expect(messages.filter(({ to }) => staying.includes(to))).toHaveLength(staying.length);
        expect(balance.balanced).toBe(true);
      }
    }
    expect(runs).toBe(7);
  } finally {
    await deployed.close();
  }
});
