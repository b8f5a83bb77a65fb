import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { messageKey } from '../../functions/ledger/runs/messages.ts';
import { serveOnLoopback } from '../../infra/local/loopback.ts';
import { functionName } from '../../infra/local/system.ts';
import { handOn } from '../support/aws/aws-front.ts';
import { environmentOf, runOps, runStart, type Ended } from '../support/commands.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { createFolders, namesIn, readMails, readReceiptFile, shownParts } from '../support/start-folders.ts';
import { requireCarriedOut, startSystemOf } from '../support/system.ts';

// Promise 4 is in start.test.ts; 6, and what the service writes, in functions/render.

const at = '2026-11-16T08:00:00Z';

const service = await startService({ answers: smallAccount() });
const system = await startSystemOf(service, { sendRate: 50 });
afterAll(() => Promise.all([system.close(), service.close()]));

test('Promise 1: no subscriber gets two mails of a run, though triggers race and the function crashes while sending', async () => {
  const to = Array.from({ length: 60 }, (_, index) => `subscriber-${index}@example.com`);
  const trigger = { report: 'weekly', scheduledTime: at, subscribers: await system.subscribersOf(...to) };
  const race = [system.execute(trigger), system.execute(trigger)];
  await expect
    .poll(async () => (await readMails(system.out)).length, { timeout: 60_000, interval: 5 })
    .toBeGreaterThan(9);
  expect(await system.lambda.kill(functionName('run'))).toBeGreaterThan(0);
  (await Promise.all(race)).forEach(requireCarriedOut);
  const { result } = await system.execute(trigger);

  const mails = await readMails(system.out);
  expect(new Set(mails.map((mail) => mail.to)).size).toBe(mails.length);
  expect(new Set(mails.map(({ email }) => shownParts(email).text)).size).toBe(1);
  // On their way when the crash came: their answers were lost, and nobody may send them again.
  const { unknown } = Object(result).balance;
  expect(unknown).toBeLessThan(30);
  expect(result).toMatchObject({ state: 'done', balance: { intended: 60, sent: 60 - unknown, balanced: true } });
  expect(mails.length).toBeGreaterThanOrEqual(60 - unknown);
});

test('Promise 2: a receipt that has lost a subscriber does not balance, and the run is red', async () => {
  await system.execute({ report: 'weekly', scheduledTime: '2026-11-09T08:00:00Z', hold: true });
  const hashOf = await openHashes(system.table);
  await system.table.remove(messageKey('weekly_2026-W45', hashOf('grace@example.com')));
  const { result } = await system.execute({ action: 'release', run: 'weekly_2026-W45' });
  expect(result).toMatchObject({ balance: { intended: 3, sent: 2, balanced: false } });
  const log = await readFile(join(system.state, 'logs', `${functionName('run')}.log`), 'utf8');
  expect(log).toMatch(/"message":"The run ended\.".*"balanced":false/);
});

test('Promise 3: late, repeated and manual triggers of a week mean the same period and run', async () => {
  // The clock in London went back on the last day of this week; an instant that is its end closes it.
  const instants = ['2026-10-26T00:00:00Z', '2026-11-02T00:59:59+01:00'];
  const runs = await Array.fromAsync(instants, async (scheduledTime) => {
    const { result } = await system.execute({ report: 'weekly', scheduledTime });
    return { run: Object(result).run, sentNow: Object(result).balance.sentNow };
  });
  expect(runs).toEqual([
    { run: 'weekly_2026-W43', sentNow: 3 },
    { run: 'weekly_2026-W43', sentNow: 0 },
  ]);
  expect((await system.receiptOf('weekly', '2026-W43')).period).toEqual({
    kind: 'week',
    start: '2026-10-19T00:00:00+01:00',
    end: '2026-10-26T00:00:00+00:00',
    timeZone: 'Europe/London',
  });
});

test('Promise 5: no secret, token or address is in a log, an output, an error, a metric or a durable history', async () => {
  const canary = 'canary-subscriber@example.com';
  const folders = createFolders();
  // The service's own text of a refusal is a canary, too.
  const refusing = { ...smallAccount(), recipients: (id: string) => (id === 'd2' ? 403 : []) };
  const account = await startService({ answers: refusing });
  onTestFinished(() => account.close());
  const flags = ['--service-url', account.url, ...folders.flags];
  const environment = environmentOf(account);
  const to = ['--to', canary, '--to', 'canary-two@example.com'];
  const ended: Ended[] = [await runStart([...flags, '--at', at, ...to], environment)];
  expect((await readMails(folders.out)).map(({ to }) => to)).toEqual([canary, 'canary-two@example.com'].toSorted());
  const wrong = { ...environment, SERVICE_CLIENT_SECRET: 'canary-wrong-secret' };
  const state = join(folders.state, 'of-another');
  const refused = await runStart([...flags, '--at', at, '--state', state, '--to', canary], wrong);
  const { error, balance } = await readReceiptFile(folders);
  expect([refused.code, error?.code, balance.planned, balance.balanced]).toEqual([1, 'credentials-refused', 1, true]);
  expect(refused.stdout).toContain(`\n${error?.message}\n`);
  // What the run before left there is gone.
  expect((await namesIn(folders.out)).filter((name) => name.endsWith('.json'))).toEqual(['receipt.json']);
  ended.push(refused, await runOps(['doctor', '--local', ...flags], environment));
  const shown = await runOps(['show', 'weekly_2026-W46', '--local', ...flags], environment);
  ended.push(shown);
  expect(shown.stdout).toContain('weekly_2026-W46');

  const { id, secret } = account.credentials;
  const checkpoints: string[] = [];
  const front = await serveOnLoopback((request) => {
    checkpoints.push(request.body.toString());
    return handOn(request, opened.lambda.url);
  });
  const opened = await startSystemOf(account, {
    out: folders.out,
    state: folders.stateOfClient(id),
    environment: { AWS_ENDPOINT_URL_LAMBDA: front.url },
  });
  onTestFinished(() => Promise.all([opened.close(), front.close()]).then(() => undefined));
  const subscribers = await opened.subscribersOf(canary, 'canary-three@example.com');
  const execution = await opened.carryOut({ report: 'weekly', scheduledTime: '2026-11-09T08:00:00Z', subscribers });
  expect(checkpoints.join('').split('"ChainedInvokeOptions"').length).toBeGreaterThan(2);
  const history = (await execution.recorded).getHistoryEvents();
  expect(history.length).toBeGreaterThan(10);

  const logs = join(folders.stateOfClient(id), 'logs');
  const logged = await Promise.all((await namesIn(logs)).map((name) => readFile(join(logs, name), 'utf8')));
  expect(logged.join('')).toContain('The run ended.');
  const everything = JSON.stringify([ended, checkpoints, execution, history, logged]).toLowerCase();
  const tokens = account.log().authority.issued;
  expect(tokens.length).toBeGreaterThan(0);
  const forbidden = [secret, 'canary-wrong-secret', ...tokens, 'canary-', '@example.com'];
  expect(forbidden.filter((text) => everything.includes(text.toLowerCase()))).toEqual([]);
});
