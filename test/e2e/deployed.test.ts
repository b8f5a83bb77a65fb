import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readOptOuts } from '../../functions/ledger/persons/opt-outs.ts';
import { openHashes } from '../../functions/ledger/persons/persons.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt } from '../../functions/run/receipt/receipt.ts';
import { createUnsubscribeTokens } from '../../functions/links/unsubscribe-links.ts';
import { functionSettings } from '../../infra/function-settings.ts';
import { tableRequest, type AwsCall } from '../support/aws-front.ts';
import { authorizeBy, type Rights } from '../support/rights.ts';
import { requireCarriedOut } from '../support/carried-out.ts';
import {
  deploy,
  platformCalls,
  scheduledInput,
  unsubscribeSecret,
  synthesize,
  type Deployed,
} from '../support/deployed.ts';
import { named } from '../support/named.ts';
import { startService } from '../support/service/service.ts';
import { smallAccount } from '../support/service/small-account.ts';
import { readMails } from '../support/start-folders.ts';
import { configurationWith } from '../support/template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const at = '2026-11-09T08:00:00Z';
const nextMonday = '2026-11-16T08:00:00Z';
const weekly = {
  name: 'weekly',
  schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
};
const subscribers = ['ada@example.com', 'bounce@simulator.amazonses.com', 'complaint@simulator.amazonses.com'];
const many = Array.from({ length: 12 }, (_, index) => `subscriber-${100 + index}@example.com`);

const service = await startService({ answers: smallAccount('2026-11-04') });
afterAll(() => service.close());
const settings = {
  service: { baseUrl: service.url },
  mail: { settleMinutes: 0 },
  reports: [
    { ...weekly, subscribers },
    { ...weekly, name: 'large', subscribers: many },
  ],
};
const stack = await synthesize(configurationWith(settings), temporaryFolder());

/** All that a deployed stack does of itself: a scheduled run, SES's events, an order that is refused, a look at the reports, somebody who leaves, somebody who reads the page. */
async function drive(deployed: Deployed): Promise<void> {
  const { functions } = stack;
  for (const call of platformCalls(stack)) deployed.authorize(call);
  await execute(deployed, at);
  await deployed.ses.eventsSettled();
  const order = { action: 'discard', run: 'weekly_2026-W45' };
  expect(await deployed.lambda.executeDurable(functions.run, order)).toMatchObject({ result: { state: 'refused' } });
  deployed.sns.isRefusing = true;
  expect(await deployed.lambda.invoke(functions.watch, {})).toMatchObject({ functionError: 'Unhandled' });
  deployed.sns.isRefusing = false;
  await invoke(deployed, functions.watch, {});
  await Promise.all([leaveReport(deployed, functions.unsubscribe), openPage(deployed, functions.page)]);
}

async function execute(deployed: Deployed, when: string, report = 'weekly'): Promise<void> {
  requireCarriedOut(await deployed.lambda.executeDurable(stack.functions.run, scheduledInput(stack, report, when)));
}

async function invoke(deployed: Pick<Deployed, 'lambda'>, name: string, event: unknown): Promise<unknown> {
  const outcome = await deployed.lambda.invoke(name, event);
  if ('functionError' in outcome) throw new Error(`${name}: ${JSON.stringify(outcome.payload)}`);
  return outcome.payload;
}

/** The path of the page that the mails link to. */
async function pathOfPage({ outDir }: Deployed): Promise<string> {
  const [mail] = await readMails(outDir);
  return new URL(/https:\S+\/page\/\S+/.exec(mail?.email.text ?? '')?.[0] ?? '').pathname;
}

/** Opens the page that the mails link to, as the HTTP API would. */
async function openPage(deployed: Deployed, page: string): Promise<void> {
  const { lambda } = deployed;
  const rawPath = await pathOfPage(deployed);
  const event = { version: '2.0', rawPath, headers: {}, requestContext: { http: { method: 'GET' } } };
  const answer = await invoke({ lambda }, page, event);
  if (Object(answer).statusCode !== 200) throw new Error(`The page: ${Object(answer).statusCode}`);
  expect(Object(answer).body).toContain('News');
}

/** Follows the link of the first subscriber's mail to leave its report, and one of a report that has another name now. */
async function leaveReport(deployed: Deployed, unsubscribe: string): Promise<void> {
  const [mail] = await readMails(deployed.outDir);
  const header = mail?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const link = new URL(/<(https:[^>]+)>/.exec(header)?.[1] ?? '');
  const expiresAt = new Date(Date.now() + 1_000_000);
  const earlier = { hash: 'hash-of-bo', report: 'earlier', expiresAt };
  const ofEarlier = `/unsubscribe/${await createUnsubscribeTokens(unsubscribeSecret).issue(earlier)}`;
  for (const [method, path] of [
    ['GET', link.pathname],
    ['POST', link.pathname],
    ['GET', ofEarlier],
  ] as const) {
    const event = {
      version: '2.0',
      rawPath: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      requestContext: { http: { method } },
      ...(method === 'POST' ? { body: 'List-Unsubscribe=One-Click', isBase64Encoded: false } : {}),
    };
    const answer = await invoke(deployed, unsubscribe, event);
    if (Object(answer).statusCode !== 200) throw new Error(`${method} of the link: ${JSON.stringify(answer)}`);
  }
}

/** Whether the roles allow each of the calls without one statement. */
function suffices(calls: readonly AwsCall[], without: string): boolean {
  const rights: Rights = Object.fromEntries(
    Object.entries(stack.rights).map(([name, statements]) => [name, statements.filter(({ id }) => id !== without)]),
  );
  const judge = authorizeBy(rights);
  return calls.every((call) => judge(call) === true);
}

/** The calls that the first test sees: up to the first that a missing statement denies, a deployment without it calls the same. */
const calls: AwsCall[] = [];

/** How often an item under a key was written after it was planned, throttled or not. */
const writesTo = (key: string, seen: readonly AwsCall[]): number =>
  seen
    .filter(({ action }) => action === 'dynamodb:UpdateItem')
    .flatMap(({ action, parameters }) => tableRequest(action, parameters).keys)
    .filter((written) => written === key).length;

describe('the deployed stack', () => {
  it('goes from the schedule’s input to a ledger that SES’s events have settled, under its own rights', async () => {
    const deployed = await deploy(stack, { credentials: service.credentials, onCall: (call) => calls.push(call) });
    try {
      await Promise.race([drive(deployed), deployed.denied]);
      const run = await requireRun(deployed.table, 'weekly', named('2026-W45'));
      expect(run.summary).toEqual({ balanced: true, sent: 3, failed: 0, unknown: 0 });
      const { state, messages, balance } = await readReceipt(deployed.table, run, Date.now());
      expect({ state, messages: messages.map(({ to, outcome }) => ({ to, outcome })), balance }).toEqual({
        state: 'done',
        messages: subscribers.map((to) => ({ to, outcome: 'sent' })),
        balance: expect.objectContaining({ intended: 3, sent: 3, sentNow: 3, balanced: true }),
      });
      expect((await readMails(deployed.outDir)).length).toBe(3);
      expect(deployed.sns.published).toEqual([
        {
          topic: stack.template.ref(stack.template.resourcesOf('AWS::SNS::Topic')[0] ?? ''),
          subject: '2 addresses suppressed: weekly, 2 to 8 November 2026 (staging)',
          body: expect.stringMatching(
            /: 1 bounced permanently, 1 complained .+\nnpm run ops -- addresses list --env staging\n$/s,
          ),
        },
      ]);
      expect(JSON.stringify(deployed.sns.published)).not.toContain('@');
      // A metric of our own would be billed for every hour in which a function logs it in this format.
      const logs = (await readdir(deployed.logDir)).map((name) => readFile(join(deployed.logDir, name), 'utf8'));
      expect(logs.length).toBeGreaterThan(3);
      expect((await Promise.all(logs)).join('')).not.toContain('CloudWatchMetrics');
      const ofPage = await readFile(join(deployed.logDir, `${stack.functions.page}.log`), 'utf8');
      expect(ofPage).toContain('"message":"Answered."');
      expect(ofPage).not.toMatch(/weekly|News/);
      expect(ofPage).not.toContain((await pathOfPage(deployed)).slice(1));
      const hashes = subscribers.map(await openHashes(deployed.table));
      const optOuts = await Promise.all(hashes.map((hash) => readOptOuts(deployed.table, hash)));
      expect(optOuts.map(({ suppression }) => suppression?.reason ?? null)).toEqual([null, 'bounce', 'complaint']);

      await execute(deployed, nextMonday);
      const nextRun = await requireRun(deployed.table, 'weekly', named('2026-W46'));
      const receipt = await readReceipt(deployed.table, nextRun, Date.now());
      expect(receipt.messages.map(({ outcome }) => outcome)).toEqual(['unsubscribed', 'suppressed', 'suppressed']);
      expect(receipt.balance.balanced).toBe(true);
    } finally {
      await deployed.close();
    }
  });

  it('cannot do without any one statement of any function’s policy', () => {
    const statements = Object.values(stack.rights).flatMap((of) => of.map(({ id }) => id));
    const needless = statements.filter((id) => suffices(calls, id));
    expect({ statements: statements.length > 20, needless }).toEqual({ statements: true, needless: [] });
  });

  it('gives each function the environment variables that its code reads, and no other', async () => {
    const source = await readFile(new URL('../../functions/environment.ts', import.meta.url), 'utf8');
    const all = [...source.matchAll(/(?:required\(|env\[)'(\w+)'/g)].map(([, name = '']) => name);
    // That one is there where a report has channels: its right and its variable come together.
    const names = all.filter((name) => name !== 'CHANNELS_SECRET_NAME');
    expect(names.length).toBeGreaterThan(5);
    for (const { bundleDir, environment } of Object.values(stack.definitions)) {
      const code = await readFile(join(bundleDir, 'index.cjs'), 'utf8');
      // As a text, or as a field of the process's own variables.
      const read = names.filter((name) => new RegExp(`[".]${name}\\b`).test(code));
      // Node and its C library read the others themselves.
      const ours = Object.keys(environment).filter((name) => !(name in functionSettings.collect.processEnvironment));
      expect(ours.toSorted()).toEqual(read.toSorted());
    }
  });

  it('writes at most four times under the key of a run for a message, its events included, and waits where that is throttled', async () => {
    // A claim, a mark, a delivery, and where the event of the acceptance comes before the mark, that too: 800 a second at 200
    // messages, of which a partition takes 1,000.
    const writes = writesTo('RUN#weekly_2026-W45', calls);
    expect(writes).toBeGreaterThanOrEqual(3 * 3);
    expect(writes).toBeLessThanOrEqual(4 * 3);

    const throttled: AwsCall[] = [];
    const { credentials } = service;
    const deployed = await deploy(stack, { credentials, onCall: (call) => throttled.push(call), writesPerKey: 10 });
    try {
      await execute(deployed, at, 'large');
      await deployed.ses.eventsSettled();
      const run = await requireRun(deployed.table, 'large', named('2026-W45'));
      const { balance } = await readReceipt(deployed.table, run, Date.now());
      expect(balance).toMatchObject({ intended: 12, sent: 12, unknown: 0, sentNow: 12, balanced: true });
      expect((await readMails(deployed.outDir)).map(({ to }) => to)).toEqual(many);
      expect(writesTo('RUN#large_2026-W45', throttled)).toBeGreaterThan(4 * 12);
    } finally {
      await deployed.close();
    }
  });
});
