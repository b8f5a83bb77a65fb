import { createRenderer } from '../../functions/render/render.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { functionName } from '../../infra/local/system.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import { startService, type Service } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { faultsOfDigest } from '../support/oracle/compare/digest.ts';
import { input } from '../support/digests/pieces.ts';
import { knownOf } from '../support/oracle/known.ts';
import { accountOf, knownBefore } from '../support/faulty-account/account.ts';
import { runOps, runStart, type Ended } from '../support/commands.ts';
import {
  copyRepository,
  createFolders,
  namesIn,
  readDigestFile,
  readMails,
  readReceiptFile,
  shownParts,
  type Folders,
} from '../support/start-folders.ts';
import { withLedger } from '../support/start-ledger.ts';
import { startSystemOf, type SystemOf } from '../support/system.ts';

const at = '2026-11-16T08:00:00Z';
const week = { start: '2026-11-09T00:00:00+00:00', end: '2026-11-16T00:00:00+00:00' };

let folders: Folders;
beforeEach(() => {
  folders = createFolders();
});

async function openService(...args: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...args);
  onTestFinished(() => service.close());
  return service;
}

/** Starts the system in the folders of the start command. */
async function openSystem(service: Service): Promise<SystemOf> {
  const state = folders.stateOfClient(service.credentials.id);
  const system = await startSystemOf(service, { out: folders.out, state, sendRate: 50 });
  onTestFinished(() => system.close());
  return system;
}

async function runAgainst(service: Service, ...flags: string[]): Promise<Ended> {
  const { environment } = service;
  return runStart(['--service-url', service.url, '--at', at, ...folders.flags, ...flags], { environment });
}

test('Promise 1: no subscriber gets two mails of a run, though triggers race and the function crashes while sending', async () => {
  const service = await openService({ answers: smallAccount() });
  const system = await openSystem(service);
  const to = Array.from({ length: 60 }, (_, index) => `subscriber-${index}@example.com`);
  const subscribers = await system.subscribersOf(...to);
  const trigger = { report: 'weekly', scheduledTime: at, subscribers };
  const race = [system.execute(trigger), system.execute(trigger)];
  await expect
    .poll(async () => (await readMails(folders.out)).length, { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(9);
  expect(await system.lambda.kill(functionName('run'))).toBeGreaterThan(0);
  (await Promise.all(race)).forEach(requireCarriedOut);
  const last = await system.execute(trigger);

  const mails = await readMails(folders.out);
  expect(new Set(mails.map((mail) => mail.to)).size).toBe(mails.length);
  expect(new Set(mails.map(({ email }) => shownParts(email).text)).size).toBe(1);
  // On their way when the crash came: their answers were lost, and nobody may send them again.
  const { unknown } = Object(last.result).balance;
  expect(unknown).toBeLessThan(30);
  expect(last.result).toMatchObject({ state: 'done', balance: { intended: 60, sent: 60 - unknown, balanced: true } });
  expect(mails.length).toBeGreaterThanOrEqual(60 - unknown);
});

test('Promise 2: a receipt that has lost a subscriber does not balance, and the run is red', async () => {
  const flags = ['--local', ...folders.flags];
  await runOps(['run', 'weekly', '--hold', '--at', at, ...flags]);
  await withLedger(folders.sampleState, async ({ table, lose }) => {
    const hashOf = await openHashes(table);
    await lose({ pk: 'RUN#weekly_2026-W46', sk: `MESSAGE#${hashOf('grace@example.com')}` });
  });
  const { code, stdout } = await runOps(['release', 'weekly_2026-W46', '--json', ...flags]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ balance: { intended: 3, sent: 2, balanced: false } });
  const log = await readFile(join(folders.sampleState, 'logs', `${functionName('run')}.log`), 'utf8');
  expect(log).toMatch(/"message":"The run ended\.".*"balanced":false/);
});

test('Promise 3: late, repeated and manual triggers of a week mean the same period and run, wherever they are given', async () => {
  // The clock in London went back on the last day of this week; an instant that is its end closes it.
  const instants = ['2026-10-26T00:00:00Z', '2026-11-02T00:59:59+01:00'];
  const runs: unknown[] = [];
  for (const instant of instants) {
    const { stdout } = await runStart([...folders.flags, '--json', '--at', instant], {
      environment: { TZ: 'Pacific/Kiritimati' },
    });
    const receipt = JSON.parse(stdout);
    runs.push({ run: receipt.run, period: receipt.period, sentNow: receipt.balance.sentNow });
  }
  const period = {
    kind: 'week',
    start: '2026-10-19T00:00:00+01:00',
    end: '2026-10-26T00:00:00+00:00',
    timeZone: 'Europe/London',
  };
  const same = { run: 'weekly_2026-W43', period };
  expect(runs).toEqual([
    { ...same, sentNow: 3 },
    { ...same, sentNow: 0 },
  ]);
});

test('Promise 4: html, text and digest.json have the figures that the service gives, to every subscriber', async () => {
  await runStart([...folders.flags, '--at', at]);
  const digest = await readDigestFile(folders);
  const known = knownOf(accountOf({ asOf: at, period: week }), { earlier: knownBefore(week.start) });
  const [first, ...others] = (await readMails(folders.out)).map(({ email }) => email);
  const parts = [first, ...others].map((email) => shownParts(email ?? {}));
  expect(parts).toEqual([parts[0], parts[0], parts[0]]);
  expect(faultsOfDigest(known, digest)).toEqual([]);
  const rendered = createRenderer(await loadTemplates('templates'))(input(digest));
  expect(first?.text).toContain(/\n {2}Responses .*\n.*\n.*\n/.exec(rendered.text)?.[0]);
  expect(digest.broadcasts.filter(({ kind }) => kind === 'new').length).toBeGreaterThan(3);
});

test('Promise 5: no secret, token or address is in a log, an output, an error, a metric or a durable history', async () => {
  const canary = 'canary-subscriber@example.com';
  // The service's own text of a refusal is a canary, too.
  const recipients = { recipients: (id: string) => (id === 'd2' ? 403 : []) };
  const service = await openService({ answers: { ...smallAccount(), ...recipients } });
  const outputs: string[] = [];
  const note = ({ stdout, stderr }: Ended): void => void outputs.push(stdout, stderr);
  const wrong = { ...service.environment, SERVICE_CLIENT_SECRET: 'canary-wrong-secret' };
  const refused = await runStart(['--service-url', service.url, '--at', at, ...folders.flags, '--to', canary], {
    environment: wrong,
  });
  note(refused);
  expect(refused.code).toBe(1);
  const { error, balance } = await readReceiptFile(folders);
  expect([error?.code, balance.planned, balance.balanced]).toEqual(['credentials-refused', 1, true]);
  expect(refused.stdout).toContain(`\n${error?.message}\n`);
  expect(new Set(service.asked())).toEqual(new Set(['POST /v1/auth']));
  note(await runAgainst(service, '--dry-run', '--to', canary));
  note(await runAgainst(service, '--to', canary, '--to', 'canary-two@example.com'));
  expect((await readMails(folders.out)).map(({ to }) => to)).toEqual([canary, 'canary-two@example.com'].toSorted());

  const { id, secret } = service.credentials;
  const system = await openSystem(service);
  const subscribers = await system.subscribersOf(canary, 'canary-three@example.com');
  const trigger = { report: 'weekly', scheduledTime: '2026-11-09T08:00:00Z', subscribers };
  const payloads: unknown[] = [];
  const execution = await system.lambda.executeDurable(functionName('run'), trigger, (payload) =>
    payloads.push(payload),
  );
  requireCarriedOut(execution);
  expect(payloads.length).toBeGreaterThan(1);
  const history = (await execution.recorded).getHistoryEvents();
  expect(history.length).toBeGreaterThan(10);
  outputs.push(JSON.stringify(payloads), JSON.stringify(execution), JSON.stringify(history));

  const logs = join(folders.stateOfClient(id), 'logs');
  const logged = await Promise.all((await namesIn(logs)).map((name) => readFile(join(logs, name), 'utf8')));
  expect(logged.join('')).toContain('The run ended.');
  const everything = [...outputs, ...logged].join('\n').toLowerCase();
  const tokens = service.log().authority.issued;
  expect(tokens.length).toBeGreaterThan(0);
  for (const forbidden of [secret, 'canary-wrong-secret', ...tokens, 'canary-', '@example.com']) {
    expect(everything.includes(forbidden.toLowerCase())).toBe(false);
  }
});

test('Promise 6: a run asks for each thing once, repeats only what failed, and a kept run asks nothing', async () => {
  const failed = 'GET /v1/broadcasts/deliveries/d2/recipients';
  const service = await openService({
    answers: smallAccount(),
    refusal: ({ address }, { attempts }) =>
      address === failed && !attempts.some((attempt) => attempt.address === failed) ? 500 : undefined,
  });
  const system = await openSystem(service);
  const runFor = async (address: string): Promise<void> => {
    const subscribers = await system.subscribersOf(address);
    await system.carryOut({ report: 'weekly', scheduledTime: at, subscribers });
  };
  await runFor('ada@example.com');
  const once = [
    'POST /v1/auth',
    'GET /v1/broadcasts/deliveries',
    'GET /v1/broadcasts/deliveries/d1/recipients',
    'GET /v1/broadcasts/71',
    'GET /v1/broadcasts/deliveries/d1/contents/711/recipients',
    'GET /v1/broadcasts/deliveries/d2/contents/711/recipients',
  ];
  const expected = [...once, failed, failed].toSorted();
  expect(service.asked().toSorted()).toEqual(expected);
  await runFor('late@example.com');
  expect(service.asked().toSorted()).toEqual(expected);
  expect((await readMails(folders.out)).map(({ to }) => to)).toEqual(['ada@example.com', 'late@example.com']);
});

test('Promise 8: faults of a configuration are named in one message; nothing is asked, written or sent', async () => {
  const service = await openService({ answers: smallAccount() });
  await mkdir(folders.out);
  await writeFile(join(folders.out, 'receipt.json'), 'of the last run');
  const repository = await copyRepository((json) =>
    json
      .replace('"every": "week"', '"every": "fortnight"')
      .replace('"timeZone": "Europe/London"', '"timeZone": "Mars"'),
  );
  const { environment, url } = service;
  expect(await runStart(['--service-url', url, ...folders.flags], { environment, repository })).toEqual({
    code: 64,
    stdout: '',
    stderr:
      'Invalid configuration:\n' +
      '- reports[0].schedule.every: Expected one of "day", "week", "month", "quarter", found "fortnight".\n' +
      '- reports[0].schedule.timeZone: Expected an IANA time zone such as "Europe/London", found "Mars".\n',
  });
  expect(service.asked()).toEqual([]);
  expect(await namesIn(folders.out)).toEqual(['receipt.json']);
  expect(existsSync(folders.state)).toBe(false);
});
