import { Temporal } from 'temporal-polyfill';
import { beforeEach, expect, test } from 'vitest';
import { addMembers, removeMembers } from '../../../functions/ledger/persons/members.ts';
import { liftOptOuts, recordLeft, suppress } from '../../../functions/ledger/persons/opt-outs.ts';
import { readStandings, reasonAgainst } from '../../../functions/ledger/persons/standing.ts';
import { pauseReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { createUnsubscribeTokens } from '../../../functions/links/unsubscribe-links.ts';
import { planRun } from '../../../functions/run/plan/plan.ts';
import { answerRequest, type Wish } from '../../../functions/unsubscribe/answer.ts';
import { moveCommand } from '../../../infra/program/commands/move.ts';
import { configurationWith } from '../../support/configuration.ts';
import { interruptedAt } from '../../support/interrupted.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';

const tokens = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const address = 'alan@example.com';
const stamp = { by: 'grace', at: '2026-11-01T08:00:00Z' };
const monthly = { name: 'monthly' };
let configuration = configurationWith();
let ledger: Ledger;
let hash = '';

/** Alan is in the weekly report alone; the reports are on. */
async function open(): Promise<void> {
  ledger = await openLedger();
  hash = ledger.hashOf(address);
  configuration = configurationWith();
  for (const report of configuration.reports) await resumeReport(ledger.table, report, stamp.at);
}
beforeEach(open);

/** Follows the link in a weekly mail to Alan: the page, and the report that it offers or names. */
async function follow(wish: Wish, table = ledger.table): Promise<string> {
  const token = await tokens.issue({ hash, report: 'weekly', expiresAt: new Date('2027-12-20T00:00:00Z') });
  const request = { method: wish === 'nothing' ? 'GET' : 'POST', token, readWish: () => Promise.resolve(wish) };
  const options = { configuration, table, tokens, now: new Date('2026-11-16T09:00:00Z') };
  const { status, page, longer } = await answerRequest(request, options);
  return `${status} ${page} ${longer?.name ?? '-'}`;
}

/** The schedules of the reports whose next run mails Alan: planned, and not withheld as mails are sent. The daily one never does. */
async function mailed(kinds = ['day', 'week', 'month']): Promise<string[]> {
  const mailing: string[] = [];
  for (const report of configuration.reports.filter(({ schedule }) => kinds.includes(schedule.every))) {
    const options = {
      configuration,
      table: ledger.table,
      execution: 'e',
      now: Temporal.Instant.from('2026-12-07T10:00Z'),
    };
    const { run } = { run: '', ...(await planRun({ action: 'run', report }, options)) };
    const rows = await Array.fromAsync(readMessages(ledger.table, run));
    const standing = (await readStandings(ledger.table, report, [hash])).get(hash);
    const reason = standing && reasonAgainst(standing, { isConfiguredOrNamed: report.subscribers.includes(address) });
    if (reason === null && rows.some(({ id }) => id === hash)) mailing.push(report.schedule.every);
  }
  return mailing;
}

test('one POST takes the report that comes less often, another goes back, and who then leaves by a click has left', async () => {
  const items = () => Array.fromAsync(ledger.scan());
  const before = await items();
  expect([await follow('nothing'), await items()]).toEqual(['200 ask monthly', before]);
  for (const [wish, page, mails] of [
    ['instead', '200 instead monthly', ['month']],
    ['instead', '200 instead monthly', ['month']],
    ['unsubscribe', '200 left -', ['month']],
    ['resubscribe', '200 returned -', ['week']],
    ['unsubscribe', '200 left -', []],
    ['instead', '200 instead monthly', ['month']],
  ] as const)
    expect([await follow(wish), await mailed()]).toEqual([page, mails]);
  await liftOptOuts(ledger.table, hash, stamp.at);
  expect(await mailed()).toEqual(['week']);
});

test('who is stopped at a write gets what they got, as who took it gets the other, and by a click nothing', async () => {
  for (let write = 1, isDone = false; !isDone; write += 1) {
    await open();
    isDone = await follow('instead', interruptedAt(ledger.table, write)).then(
      () => true,
      () => false,
    );
    expect([write > 3, await mailed()]).toEqual([isDone, [isDone ? 'month' : 'week']]);
    if (!isDone) expect([await follow('unsubscribe'), await mailed()]).toEqual(['200 left -', []]);
  }
});

const remove = (name: string) => removeMembers(ledger.table, name, [{ hash }], stamp);
test.each<[string, offered: string, () => Promise<unknown>]>([
  ['it is paused', '-', () => pauseReport(ledger.table, monthly, stamp)],
  ['they left it', '-', () => recordLeft(ledger.table, hash, monthly, { left: true, at: stamp.at })],
  ['their mail bounced', '-', () => suppress(ledger.table, hash, { reason: 'bounce', at: stamp.at })],
  ['operators removed them from it', 'monthly', () => remove('monthly')],
  ['operators removed them from theirs', 'monthly', () => remove('weekly')],
])('who would not get the other report, because %s, is told so, and nothing changes', async (_, offered, have) => {
  await have();
  const before = await mailed();
  expect(await follow('nothing')).toBe(`200 ask ${offered}`);
  expect([await follow('instead'), await mailed()]).toEqual(['200 refused monthly', before]);
});

test('what operators added stays: who takes the other report has both again when they go back', async () => {
  await addMembers(ledger.table, 'monthly', [{ hash, address }], stamp);
  expect([await follow('instead'), await mailed()]).toEqual(['200 instead monthly', ['month']]);
  expect([await follow('resubscribe'), await mailed()]).toEqual(['200 returned -', ['week', 'month']]);
});

test.each(['weekly', 'monthly'])(
  'they get the same once the %s report has a new name, and can go back',
  async (from) => {
    await follow('instead');
    const reports = configuration.reports.map((report) =>
      report.name === from ? { ...report, name: 'news' } : report,
    );
    configuration = { ...configuration, reports };
    await moveCommand({ ...ledger, configuration, operator: 'grace' }, from, 'news');
    expect(await mailed()).toEqual(['month']);
    expect([await follow('resubscribe'), await mailed()]).toEqual(['200 returned -', ['week']]);
  },
);

test('the address stays as long as they get the other report, whether or not the first one has it', async () => {
  await mailed(['week']);
  await ledger.table.update({ pk: `PERSON#${hash}`, sk: 'PERSON' }, { set: { expiresAt: 100 } });
  await follow('instead');
  await mailed(['month']);
  expect((await ledger.items(`PERSON#${hash}`))[0]?.['expiresAt']).toBeGreaterThan(100);
});
