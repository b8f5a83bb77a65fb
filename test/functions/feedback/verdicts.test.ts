import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { parseSesEvent } from '../../../functions/feedback/parse-event.ts';
import { settleEvent } from '../../../functions/feedback/settle-event.ts';
import { endSuppressed } from '../../../functions/ledger/notices.ts';
import { lift, readOptOuts } from '../../../functions/ledger/persons/opt-outs.ts';
import { claimMessage } from '../../../functions/ledger/runs/claims.ts';
import { readMessage } from '../../../functions/ledger/runs/messages.ts';
import { publishNotices } from '../../../functions/watch/publish-notices.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const timestamp = '2026-11-16T08:00:00Z';
const week = 'weekly_2026-W46';

/** What SES says of a mail, in its own form. */
const bounced = (bounceType: string, bounceSubType: string, status?: string) => {
  const bouncedRecipients = [{ emailAddress: '0@example.com', action: 'failed', status, diagnosticCode: 'smtp; 550' }];
  const bounce = { feedbackId: '0100', bounceType, bounceSubType, bouncedRecipients, timestamp };
  return { eventType: 'Bounce', bounce };
};
const complained = (complaintSubType: string | null) => {
  return { eventType: 'Complaint', complaint: { complaintSubType, complaintFeedbackType: 'abuse', timestamp } };
};
const refused = (status: string) => bounced('Permanent', 'General', status);
const heldBack = complained('OnAccountSuppressionList');

const after = (minutes: number) => Temporal.Instant.from(timestamp).add({ minutes });

/** A ledger with a run's mails to `0@example.com` and so on, SES that reports on them, and a watch that looks, minutes after eight. */
async function system(mails: number) {
  const ledger = await openLedger();
  const { table, hashOf } = ledger;
  const hash = (n: number): string => hashOf(`${n}@example.com`);
  const send = async (run: string): Promise<void> => {
    const ids = await ledger.plan(run, ...Array.from({ length: mails }, (_, n) => `${n}@example.com`));
    for (const id of ids) await claimMessage(table, run, id, { claim: run, execution: 'e', claimedAt: 1 });
  };
  const report = async (n: number, said: object, { minutes = 0, run = week } = {}): Promise<void> => {
    const mail = { messageId: `${run}-${n}`, timestamp, tags: { run: [run], message: [hash(n)], claim: [run] } };
    const recorded = { at: after(minutes).toString(), expiresAt: 4_000_000_000 };
    for (const detail of [said, { eventType: 'Send' }]) {
      const event = parseSesEvent({ source: 'aws.ses', detail: { ...detail, mail } });
      if (event !== null) await settleEvent(table, event, recorded);
    }
  };
  const look = async (minutes: number): Promise<string[]> => {
    const heard: string[] = [];
    const place = { environment: undefined, flags: [] };
    const publish = ({ subject = '', body = '' }) => Promise.resolve(void heard.push(`${subject}\n${body}`));
    await publishNotices({ account: 'sample', table, reports: [], place, publish, now: after(minutes) });
    return heard;
  };
  const suppressed = async (): Promise<number> => {
    const optOuts = Array.from({ length: mails }, (_, n) => readOptOuts(table, hash(n)));
    return (await Promise.all(optOuts)).filter(({ suppression }) => suppression !== null).length;
  };
  await send(week);
  return { table, hash, send, report, look, suppressed };
}

type Row = [said: object, suppressed: number, state: string, notice: RegExp | null];
const others = [bounced('Permanent', 'NoEmail'), ...['5.1.8', '5.2.2', '5.3.4', '5.7.1', '5.7.26'].map(refused)];
const notOfPerson = /^Mails not delivered.* 1 bounced for another reason than the address\./s;
const lists = ['Suppressed', 'OnAccountSuppressionList'].map((list) => bounced('Permanent', list, '5.1.1'));
const byList = /^Mails not delivered.* 1 not sent, because a list of SES has it\./s;

it.each<Row>([
  [refused('5.1.1'), 1, 'sent', /^Address suppressed.* 1 bounced permanently\./s],
  [refused('5.4.4'), 1, 'sent', /^Address suppressed/],
  [bounced('Permanent', 'General'), 1, 'sent', /^Address suppressed/],
  ...others.map((said): Row => [said, 0, 'sent', notOfPerson]),
  [bounced('Transient', 'General', '5.4.4'), 0, 'sent', null],
  ...[...lists, heldBack].map((said): Row => [said, 0, 'suppressed', byList]),
  [complained(null), 1, 'sent', /^Address suppressed.* 1 complained about the mail\./s],
])('what SES says decides whether a person is suppressed: %j', async (said, suppressed, state, notice) => {
  const { table, hash, report, look, suppressed: count } = await system(1);
  await report(0, said);
  expect(await look(60)).toEqual(notice === null ? [] : [expect.stringMatching(notice)]);
  expect([await count(), (await readMessage(table, week, hash(0)))?.state]).toEqual([suppressed, state]);
});

const five = ['5.1.1', '5.1.1', '5.1.1', '5.1.1', '5.1.1'];

it.each([
  [five.slice(1), 4, '4 addresses suppressed', 4],
  [five, 25, '5 addresses suppressed', 5],
  [five.with(2, '5.1.6'), 24, '5 addresses suppressed', 5],
  [five, 24, 'Mails not delivered', 0],
])('permanent bounces with %j of %i mails are "%s" once no more come', async (...[statuses, mails, notice, of]) => {
  const { report, look, suppressed } = await system(mails);
  for (const [n, status] of statuses.entries()) {
    for (const minutes of [20 * n, 20 * n + 1]) await report(n, refused(status), { minutes });
    expect(await look(20 * n + 19)).toEqual([]);
  }
  expect([await look(140), await suppressed()]).toEqual([[expect.stringMatching(`^${notice}`)], of]);
});

it('complaints are never bounces alike, however many', async () => {
  const { report, look, suppressed } = await system(5);
  for (const n of five.keys()) await report(n, complained(null));
  expect([await look(60), await suppressed()]).toEqual([[expect.stringMatching(/^5 addresses suppressed/)], 5]);
});

it('one bounce more, and those before it suppress nobody any more, save whom something else suppressed', async () => {
  const { report, look, suppressed } = await system(25);
  for (const n of five.keys()) await report(n, refused('5.1.1'));
  expect([(await look(60)).length, await suppressed()]).toEqual([1, 5]);
  await report(0, complained(null), { minutes: 60 });
  await report(5, refused('5.1.1'), { minutes: 60 });
  const alike = /^Mails not delivered.* same status: 6 with 5\.1\.1\..* addresses lift --run weekly_2026-W46\n/s;
  expect([await look(120), await suppressed()]).toEqual([[expect.stringMatching(alike)], 1]);
  expect(await look(180)).toEqual([]);
});

it('a bounce or a complaint that is handed in again after an operator lifted the address does nothing', async () => {
  const { table, hash, report, look, suppressed } = await system(5);
  const events = [refused('5.7.1'), refused('5.1.1'), complained(null), refused('5.1.1'), complained(null)];
  for (const [n, said] of events.slice(0, 3).entries()) await report(n, said);
  expect([(await look(60)).length, await suppressed()]).toEqual([1, 2]);
  for (const n of events.keys()) {
    await lift(table, hash(n), '2026-11-16T08:00:00.500Z');
    await endSuppressed(table, [{ hash: hash(n) }]);
  }
  expect(await look(80)).toEqual([]);
  // The last two were among the dead letters until now.
  for (const [n, said] of events.entries()) await report(n, said, { minutes: 90 });
  expect([await look(180), await suppressed()]).toEqual([[], 0]);
});

it('operators hear once of mails to a person that a list of SES holds back one after the other', async () => {
  const { send, report, look } = await system(1);
  const notices: number[] = [];
  for (const [run, said] of Object.entries({ 46: heldBack, 47: heldBack, 48: {}, 49: heldBack })) {
    await send(`weekly_2026-W${run}`);
    await report(0, { eventType: 'Send', ...said }, { run: `weekly_2026-W${run}` });
    notices.push((await look(0)).length);
  }
  expect(notices).toEqual([1, 0, 0, 1]);
});
