import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readOptOuts } from '../../functions/ledger/persons/opt-outs.ts';
import { addMembers } from '../../functions/ledger/persons/members.ts';
import { openHashes, putTriggerSubscribers } from '../../functions/ledger/persons/persons.ts';
import { recordReportSeen, retireReport } from '../../functions/ledger/reports.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import type { StoredItem } from '../../functions/ledger/table.ts';
import { requireReport } from '../../functions/run/find-run.ts';
import { readReceipt } from '../../functions/run/receipt/receipt.ts';
import { functionNames, type FunctionName } from '../../infra/function-settings.ts';
import { chooseDue } from '../../infra/program/command-line/choices.ts';
import { forgetAddress } from '../../infra/program/commands/addresses.ts';
import { testCommand } from '../../infra/program/commands/test.ts';
import { subscribersCommand } from '../../infra/program/commands/subscribers.ts';
import { triggerOutcomeOf, type RunTarget } from '../../infra/program/targets/target.ts';
import { targetOf } from '../infra/program/target.ts';
import { accessKeyIdOfFunction, type AwsCall } from '../support/aws/aws-front.ts';
import { authorizeBy } from '../support/aws/rights.ts';
import { configurationWith } from '../support/configuration.ts';
import { deploy, platformCalls, scheduledInput, synthesize, type Deployed } from '../support/aws/deployed.ts';
import { named } from '../support/named.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { readMails } from '../support/start-folders.ts';
import { requireCarriedOut } from '../support/system.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const at = '2026-11-09T08:00:00Z';
const nextMonday = '2026-11-16T08:00:00Z';
const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' };
const subscribers = ['ada@example.com', 'bounce@simulator.amazonses.com', 'complaint@simulator.amazonses.com'];
const imported = ['forgotten@example.org', 'removed@example.org', 'stays@example.org'] as const;
const [forgotten, removed, staying] = imported;

const service = await startService({ answers: smallAccount('2026-11-04') });
afterAll(() => service.close());
const configuration = configurationWith({
  service: { baseUrl: service.url },
  mail: { settleMinutes: 0 },
  reports: [
    { name: 'weekly', schedule, subscribers },
    { name: 'monthly', schedule: { ...schedule, every: 'month', on: 1 }, subscribers: [] },
  ],
});
const weekly = requireReport(configuration, 'weekly');
const folder = temporaryFolder();
const stack = await synthesize(configuration, folder);

/** The deployed stack as an operator works on it. */
const targetOn = (deployed: Deployed): RunTarget =>
  targetOf(deployed, {
    configuration,
    trigger: (payload) => {
      const ended = deployed.lambda.executeDurable(stack.functions.run, payload);
      return Promise.resolve(async () => triggerOutcomeOf(await ended));
    },
  });

/** People who were imported, and then removed, forgotten, sent a test, or named for one run, which is next Monday's. */
async function operate(deployed: Deployed): Promise<void> {
  const target = targetOn(deployed);
  const due = chooseDue(weekly, { at: nextMonday });
  expect(await testCommand(target, weekly, due, { to: ['tester@example.org'], yes: true })).toMatchObject({ code: 0 });
  await subscribersCommand(target, weekly, 'remove', [removed]);
  expect((await forgetAddress(target, forgotten, { yes: true })).json).toMatchObject({ forgotten: true });
  const addresses = ['named@example.org', forgotten];
  const key = await putTriggerSubscribers(deployed.table, addresses, { keepMonths: 26, now: new Date() });
  await execute(deployed, nextMonday);
  await execute(deployed, nextMonday, { subscribers: key, trigger: undefined });
}

/** An item as text, with what is compressed in it. */
function textOf(item: StoredItem): string {
  const parts = Object.values(item).map((value) => (value instanceof Uint8Array ? gunzipSync(value).toString() : ''));
  return `${JSON.stringify(item)} ${parts.join(' ')}`.toLowerCase();
}

/** The parameters of a call, without those that must have an address: what SES is given to deliver, the item of a person. */
function textOfCall({ action, parameters }: AwsCall): string {
  const fields = Object.entries(Object(parameters)).filter(([name]) => !/^(?:Destinations|RawMessage)\b/.test(name));
  const text = JSON.stringify(Object.fromEntries(fields)).toLowerCase();
  return action === 'dynamodb:UpdateItem' && text.includes('"person#') ? '' : text;
}

/** All that a deployed stack does of itself: a scheduled run, the daily observation, SES's events, an order that is refused, a look at the reports, somebody who leaves, somebody who reads the page. */
async function drive(deployed: Deployed): Promise<void> {
  const { functions } = stack;
  for (const call of platformCalls(stack)) deployed.authorize(call);
  await execute(deployed, at);
  const observed = await deployed.lambda.executeDurable(functions.run, { action: 'observe' });
  expect(observed).toMatchObject({ result: { observed: expect.stringMatching(/./) } });
  await deployed.ses.eventsSettled();
  await letAnHourPass(deployed);
  const order = { action: 'discard', run: 'weekly_2026-W45' };
  expect(await deployed.lambda.executeDurable(functions.run, order)).toMatchObject({ result: { state: 'refused' } });
  deployed.sns.isRefusing = true;
  await expect(deployed.lambda.invoke(functions.watch, {})).rejects.toThrow();
  deployed.sns.isRefusing = false;
  await deployed.lambda.invoke(functions.watch, {});
  await leaveReport(deployed, functions.unsubscribe);
  expect(await request(deployed, functions.page, await pathOfPage(deployed))).toContain('News');
}

/** Makes what SES's events said as old as it has to be before it is decided whom a bounce suppresses. */
async function letAnHourPass({ table }: Deployed): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  for await (const { pk, sk } of table.query('NOTICES', { prefix: 'SUPPRESSED#' }))
    await table.update({ pk: String(pk), sk: String(sk) }, { set: { at } });
}

async function execute(deployed: Deployed, when: string, more: object = {}, report = 'weekly'): Promise<void> {
  const input = { ...Object(scheduledInput(stack, report, when)), ...more };
  requireCarriedOut(await deployed.lambda.executeDurable(stack.functions.run, input));
}

/** What the first run of the monthly report ends with while "yearly" has a subscriber and is in no configuration; retires that. */
async function firstRunBesideLostReport(deployed: Deployed, when: string): Promise<string> {
  const { table, lambda } = deployed;
  const yearly = { name: 'yearly' };
  const hash = (await openHashes(table))(staying);
  await recordReportSeen(table, yearly, at);
  await addMembers(table, yearly.name, [{ hash, address: staying }], { by: 'grace', at });
  const ended = await lambda.executeDurable(stack.functions.run, scheduledInput(stack, 'monthly', when));
  await retireReport(table, yearly);
  return JSON.stringify(ended);
}

/** The path of the page that the mails link to. */
async function pathOfPage({ outDir }: Deployed): Promise<string> {
  const [mail] = await readMails(outDir);
  return new URL(/https:\S+\/page\/\S+/.exec(mail?.email.text ?? '')?.[0] ?? '').pathname;
}

/** The body that a function answers as the HTTP API asks it. Throws where it is not that of a 200. */
async function request({ lambda }: Deployed, id: string, path: string, method = 'GET', body?: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const requestContext = { http: { method } };
  const event = { version: '2.0', rawPath: path, headers, requestContext, body, isBase64Encoded: false };
  const answer = Object(await lambda.invoke(id, event));
  if (answer.statusCode !== 200) throw new Error(`${method} of the link: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** Follows the link of the first subscriber's mail to leave its report, and to take the monthly one instead. */
async function leaveReport(deployed: Deployed, unsubscribe: string): Promise<void> {
  const [mail] = await readMails(deployed.outDir);
  const header = mail?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const { pathname } = new URL(/<(https:[^>]+)>/.exec(header)?.[1] ?? '');
  for (const [method, body] of [['GET'], ['POST', 'List-Unsubscribe=One-Click'], ['POST', 'action=instead']] as const)
    await request(deployed, unsubscribe, pathname, method, body);
}

/** The rights of a function, each of one action on one thing. */
const rightsOf = (name: FunctionName) =>
  (stack.rights[stack.functions[name]] ?? []).flatMap((right) =>
    right.actions.flatMap((action) => right.on.map((on) => ({ ...right, actions: [action], on: [on] }))),
  );

/** What none of the calls of a function needs: each an action, and what it is on. */
function needlessOf(name: FunctionName): string[] {
  const rights = rightsOf(name);
  const id = stack.functions[name];
  const own = calls.filter(({ accessKeyId }) => accessKeyId === accessKeyIdOfFunction(id));
  const needless = rights.filter((right) => {
    const judge = authorizeBy({ [id]: rights.filter((other) => other !== right) });
    return own.every((call) => judge(call) === true);
  });
  return needless.map(
    ({ actions: [action = ''], on }) => `${name} ${action.replace(/^.*:/, '')} ${on.join().split(':').at(-1)}`,
  );
}

/** What the walk has no cause for: faults, answers that are lost, who runs on an earlier version, a history that is long. */
const causeless = [
  'run InvokeFunction Collect',
  'run GetItem RUN#*',
  'run PutItem HASH_KEY',
  'run GetDurableExecutionState */durable-execution/*',
  'collect Query FACTS#*',
  'feedback GetItem OPTOUT#*',
  'watch UpdateItem REPORTS',
  'watch Query RUN#*',
  'watch GetItem OPTOUT#*',
];

/** The calls that the first test sees: up to the first that a missing statement denies, a deployment without it calls the same. */
const calls: AwsCall[] = [];

describe('the deployed stack', () => {
  it('goes from the schedule’s input to a ledger that SES’s events have settled, under its own rights, and each address is in its own item alone', async () => {
    await using deployed = await deploy(stack, {
      credentials: service.credentials,
      onCall: (call) => calls.push(call),
    });
    const file = join(folder, 'people.csv');
    await writeFile(file, ['email', ...imported].join('\n'));
    await subscribersCommand(targetOn(deployed), weekly, 'import', [file]);
    await Promise.race([drive(deployed), deployed.denied]);
    const run = await requireRun(deployed.table, 'weekly', named('2026-W45'));
    expect(run.summary).toEqual({ balanced: true, sent: 6, failed: 0, unknown: 0 });
    const { state, messages, balance } = await readReceipt(deployed.table, run, Date.now());
    expect({ state, messages: messages.map(({ to, outcome }) => ({ to, outcome })), balance }).toEqual({
      state: 'done',
      messages: [...subscribers, ...imported].toSorted().map((to) => ({ to, outcome: 'sent' })),
      balance: expect.objectContaining({ intended: 6, sent: 6, sentNow: 6, balanced: true }),
    });
    expect((await readMails(deployed.outDir)).length).toBe(6);
    expect(deployed.sns.published).toEqual([
      {
        topic: stack.template.ref(stack.template.resourcesOf('AWS::SNS::Topic')[0] ?? ''),
        subject: '2 addresses suppressed: weekly, 2 to 8 November 2026 (staging)',
        body: expect.stringMatching(/: 1 bounced permanently, 1 complained .+/s),
      },
    ]);
    const ofPage = await readFile(join(deployed.logDir, `${stack.functions.page}.log`), 'utf8');
    expect(ofPage).toContain('"message":"Answered."');
    expect(ofPage).not.toMatch(/weekly|News/);
    expect(ofPage).not.toContain((await pathOfPage(deployed)).slice(1));
    const hashOf = await openHashes(deployed.table);
    const optOuts = await Promise.all(subscribers.map((to) => readOptOuts(deployed.table, hashOf(to))));
    expect(optOuts.map(({ suppression }) => suppression?.reason ?? null)).toEqual([null, 'bounce', 'complaint']);

    await operate(deployed);
    const nextRun = await requireRun(deployed.table, 'weekly', named('2026-W46'));
    const receipt = await readReceipt(deployed.table, nextRun, Date.now());
    expect(Object.fromEntries(receipt.messages.map(({ to, outcome }) => [to, outcome]))).toEqual({
      'ada@example.com': 'unsubscribed',
      'bounce@simulator.amazonses.com': 'suppressed',
      'complaint@simulator.amazonses.com': 'suppressed',
      forgotten: 'suppressed',
      [staying]: 'sent',
      'named@example.org': 'sent',
    });
    expect(receipt.balance.balanced).toBe(true);
    expect(await firstRunBesideLostReport(deployed, '2026-11-01T08:00:00Z')).toMatch(/renamed/);
    await execute(deployed, '2026-11-01T08:00:00Z', {}, 'monthly');
    const month = await requireRun(deployed.table, 'monthly', named('2026-10'));
    const ofMonth = await readReceipt(deployed.table, month, Date.now());
    expect(ofMonth.messages).toMatchObject([{ to: 'ada@example.com', outcome: 'sent' }]);
    const { lines } = await subscribersCommand(targetOn(deployed), requireReport(configuration, 'monthly'), 'export');
    expect(lines.at(-1)).toMatch(/^"ada@example.com","the subscriber instead of weekly","/);

    const items = await Array.fromAsync(deployed.scan());
    const logs = (await readdir(deployed.logDir)).map((name) => readFile(join(deployed.logDir, name), 'utf8'));
    const logged = (await Promise.all(logs)).join('');
    // A metric of our own would be billed for every hour in which a function logs it in this format.
    expect(logged).not.toContain('CloudWatchMetrics');
    const elsewhere = [...calls.map(textOfCall), logged.toLowerCase(), JSON.stringify(deployed.sns.published)].join();
    expect(elsewhere).toContain(hashOf('ada@example.com'));
    const everybody = [...subscribers, ...imported, 'tester@example.org', 'named@example.org'];
    const places = everybody.map((address) => {
      const holders = items.filter((item) => textOf(item).includes(address));
      return [address, holders.map(({ pk }) => String(pk)), elsewhere.includes(address)];
    });
    expect(places).toEqual(
      everybody.map((address) => [address, address === forgotten ? [] : [`PERSON#${hashOf(address)}`], false]),
    );
  });

  it('cannot do without any one right of any function, save those that this walk has no cause for', () => {
    const needless = functionNames.flatMap(needlessOf).map((right) => right.replace(/(?<=Collect)F.*/, ''));
    expect(needless.toSorted()).toEqual(causeless.toSorted());
  });
});
