import { Temporal } from 'temporal-polyfill';
import { beforeEach, expect, test } from 'vitest';
import { addMembers, configuredIn, removeMembers } from '../../../functions/ledger/persons/members.ts';
import { markForgotten, recordLeft, suppress } from '../../../functions/ledger/persons/opt-outs.ts';
import { readStandings, reasonAgainst } from '../../../functions/ledger/persons/standing.ts';
import { pauseReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { createUnsubscribeTokens } from '../../../functions/links/unsubscribe-links.ts';
import { planRun } from '../../../functions/run/plan/plan.ts';
import { answerRequest, type Wish } from '../../../functions/unsubscribe/answer.ts';
import { configurationWith } from '../../support/configuration.ts';
import { interruptedAt } from '../../support/interrupted.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';

const tokens = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const address = 'alan@example.com';
const stamp = { by: 'grace', at: '2026-11-01T08:00:00Z' };
const monthly = { name: 'monthly' };
const now = Temporal.Instant.from('2026-12-07T10:00Z');
const full = configurationWith();
let configuration = full;
let ledger: Ledger;
let hash = '';

/** Alan is in the weekly report alone; the reports are on. */
async function open(): Promise<void> {
  configuration = full;
  ledger = await openLedger();
  hash = ledger.hashOf(address);
  for (const report of configuration.reports) await resumeReport(ledger.table, report, stamp.at);
}
beforeEach(open);

/** Follows the link in a weekly mail to Alan: the page, and the report that it offers or names. */
async function follow(wish: Wish, table = ledger.table): Promise<string> {
  const token = await tokens.issue({ hash, report: 'weekly', expiresAt: new Date('2027-12-20T00:00:00Z') });
  const request = { method: wish === 'nothing' ? 'GET' : 'POST', token, readWish: () => wish };
  const options = { configuration, table, tokens, now: new Date('2026-11-16T09:00:00Z') };
  const { status, page, longer } = await answerRequest(request, options);
  return `${status} ${page} ${longer?.name ?? '-'}`;
}

/** The schedules of the reports whose next run mails Alan: planned, and not withheld as mails are sent. The daily one never does. */
async function mailed(): Promise<string[]> {
  const mailing: string[] = [];
  const options = { configuration, table: ledger.table, execution: 'e', now };
  const configured = configuredIn(configuration.reports, ledger.hashOf);
  for (const report of configuration.reports) {
    const { run } = { run: '', ...(await planRun({ action: 'run', report }, options)) };
    const rows = await readMessages(ledger.table, run);
    const standing = (await readStandings(ledger.table, report, [hash], configured)).get(hash);
    const reason = standing && reasonAgainst(standing, { isConfiguredOrNamed: report.subscribers.includes(address) });
    if (reason === null && rows.some(({ id }) => id === hash)) mailing.push(report.schedule.every);
  }
  return mailing;
}

const remove = (name: string) => removeMembers(ledger.table, name, [{ hash }], stamp);
const pause = () => pauseReport(ledger.table, monthly, stamp);
const leave = () => recordLeft(ledger.table, hash, monthly, { left: true, at: stamp.at });
const bounce = () => suppress(ledger.table, hash, { reason: 'bounce', at: stamp.at });
const forget = () => markForgotten(ledger.table, hash, stamp.at);
const add = () => addMembers(ledger.table, 'monthly', [{ hash, address }], stamp);

/** Changes the reports of cdk.json: Alan is not in the weekly one any more, or there is none. */
const change = (to: (reports: typeof full.reports) => typeof full.reports) => () =>
  Promise.resolve(void (configuration = { ...full, reports: to(full.reports) }));
const takeOut = change((reports) =>
  reports.map((report) => ({ ...report, subscribers: report.subscribers.filter((one) => one !== address) })),
);
const drop = change((reports) => reports.filter(({ name }) => name !== 'weekly'));

/** Follows the link, and expects this page, and mails of these reports afterwards. */
const does =
  (wish: Wish, page: string, ...mails: string[]) =>
  async () =>
    expect([await follow(wish), await mailed()]).toEqual([page, mails]);
const take = does('instead', '200 instead monthly', 'month');
const goBack = does('resubscribe', '200 returned -', 'week');
const refuse = (...mails: string[]) => does('instead', '200 refused monthly', ...mails);
const look = (page: string, ...mails: string[]) => does('nothing', page, ...mails);
const isOffered = look('200 ask monthly', 'week');

test.each<[string, ...steps: Array<() => Promise<unknown>>]>([
  ['is offered it', isOffered],
  ['takes it and goes back', take, take, does('unsubscribe', '200 left -', 'month'), goBack, take],
  ['cannot take it while it is paused', pause, look('200 ask -', 'week'), refuse('week')],
  ['cannot take it who left it', leave, look('200 ask -', 'week'), refuse('week')],
  ['cannot take it whose mail bounced', bounce, look('200 ask -'), refuse()],
  ['cannot take it who is forgotten', forget, look('200 ask -'), refuse()],
  ['cannot take it whom operators removed from it', () => remove('monthly'), refuse('week')],
  ['cannot take it whom operators removed from theirs', () => remove('weekly'), refuse()],
  ['loses it to operators', take, () => remove('monthly'), look('200 left -'), goBack],
  ['gets neither whom cdk.json has in theirs no more', isOffered, takeOut, does('instead', '200 instead monthly')],
  ['keeps it where theirs is gone', take, drop, async () => expect(await mailed()).toEqual(['month'])],
  ['has both again whom operators added', add, take, does('resubscribe', '200 returned -', 'week', 'month')],
])('with a report that comes less often than theirs, a person %s', async (_, ...steps) => {
  for (const step of steps) await step();
});

test('who is stopped at a write gets what they got, as who took it gets the other, and by a click nothing', async () => {
  for (let write = 1, isDone = false; !isDone; write += 1) {
    await open();
    const answered = follow('instead', interruptedAt(ledger.table, write));
    isDone = await answered.then(() => true).catch(() => false);
    expect([write > 3, await mailed()]).toEqual([isDone, [isDone ? 'month' : 'week']]);
    // Katherine, and Alan only where he is in it: nobody is planned who would be withheld.
    const planned = await readMessages(ledger.table, 'monthly_2026-11');
    expect(planned).toHaveLength(isDone ? 2 : 1);
    if (!isDone) expect([await follow('unsubscribe'), await mailed()]).toEqual(['200 left -', []]);
  }
});
