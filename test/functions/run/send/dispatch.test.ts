import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimMessage, settleClaim } from '../../../../functions/ledger/runs/claims.ts';
import { cardId, planMessage, readMessages } from '../../../../functions/ledger/runs/messages.ts';
import { holdRun, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { dispatchMessages } from '../../../../functions/run/send/dispatch.ts';
import type { Plan } from '../../../../functions/run/plan/plan.ts';
import { createSesClient } from '../../../../functions/run/send/ses.ts';
import { settleUnknown } from '../../../../functions/run/send/send-once.ts';
import { startScriptedSes, widthAtItsRate } from '../../../support/aws/scripted-ses.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured, reportOf } from '../configured.ts';
import { dependenciesOf, planKeptRun, week } from '../kept-run.ts';

vi.mock('node:timers/promises', async () => (await import('../../../support/short-pauses.ts')).timers);

const ledger = await openLedger();
const ses = await startScriptedSes();
let runs = 0;

afterAll(() => ses.close());
beforeEach(() => ses.recover());

function planTo(subscribers: number): Promise<Plan> {
  runs += 1;
  const startDate = `2026-11-${String(runs).padStart(2, '0')}`;
  return planKeptRun(ledger.table, subscribers, { ...week, kind: 'day', startDate, name: startDate });
}

/** Sends a run, replaying it after every wait. Gives what it came to, its waits in minutes, and its messages by state. */
async function dispatch(plan: Plan, { settleMinutes = 60, onWait = () => {}, table = ledger.table } = {}) {
  const configuration = configured({ mail: { settleMinutes } });
  const dependencies = dependenciesOf({ configuration, table, ses: createSesClient() });
  const options = { ...dependencies, report: reportOf() };
  const { result, waits } = await replayExecution((context) => dispatchMessages(context, plan, options), onWait);
  return { ...result, waits, messages: await messagesOf(plan) };
}

async function messagesOf({ run }: Plan): Promise<Record<string, number>> {
  const byState = Map.groupBy(await readMessages(ledger.table, run), ({ state }) => state);
  return Object.fromEntries([...byState].map(([state, rows]) => [state, rows.length]));
}

const unavailable = { code: 'ses-unavailable', message: expect.stringContaining('Run it again') };
const sends = () => ses.asked.filter((action) => action === 'SendRawEmail').length;

describe('where SES answers with faults', () => {
  test('for a while in the middle, sending waits a minute and goes on; those on their way then are unknown', async () => {
    let waited = false;
    ses.health = (action) => (action === 'SendRawEmail' && sends() > 10 && !waited ? 500 : 'well');
    const { sentNow, stopped, waits, messages } = await dispatch(await planTo(30), { onWait: () => (waited = true) });
    const unknown = messages['claimed'] ?? 0;
    expect({ stopped, waits }).toEqual({ stopped: null, waits: [1] });
    expect(unknown).toBeGreaterThanOrEqual(3);
    expect(unknown).toBeLessThanOrEqual(3 + widthAtItsRate - 1);
    expect([sentNow, messages]).toEqual([30 - unknown, { sent: 30 - unknown, claimed: unknown }]);
  });

  test('for more than an hour, six waits cost three messages each, and the rest stays planned', async () => {
    ses.health = (action) => (action === 'SendRawEmail' ? 500 : 'well');
    expect(await dispatch(await planTo(30))).toEqual({
      sentNow: 0,
      stopped: unavailable,
      waits: [1, 2, 4, 8, 16, 32],
      messages: { claimed: 7 * 3, planned: 9 },
    });
  });

  test('to the last messages, nothing is left to wait for: they are unknown and sending has ended', async () => {
    ses.health = (action) => (action === 'SendRawEmail' ? 500 : 'well');
    expect(await dispatch(await planTo(3))).toEqual({ sentNow: 0, stopped: null, waits: [], messages: { claimed: 3 } });
  });
});

describe('where SES does not say how much it takes', () => {
  test.each([
    { where: 'deployed', settleMinutes: 60, waits: [1, 2, 4, 8, 16, 32] },
    { where: 'on embedded parts', settleMinutes: 0, waits: [] },
  ])('for good, $where, nothing is sent, and all is planned', async ({ settleMinutes, waits }) => {
    ses.health = () => 500;
    const outcome = await dispatch(await planTo(5), { settleMinutes });
    expect(outcome).toEqual({ sentNow: 0, stopped: unavailable, waits, messages: { planned: 5 } });
  });

  test.each([
    ['it refuses to', true, 'ses-refused', 'GetSendQuota (AccessDenied)', ['GetSendQuota']],
    ['it has not verified the sender', false, 'sender-unverified', '"npm run ops -- sender"', []],
  ])('because %s, the run fails with a name, and waits for nothing', async (_why, hasVerified, name, says, asked) => {
    Object.assign(ses, { health: () => 'AccessDenied', hasVerified });
    const plan = await planTo(5);
    await expect(dispatch(plan)).rejects.toMatchObject({ name, message: expect.stringContaining(says) });
    expect([ses.asked, await messagesOf(plan)]).toEqual([asked, { planned: 5 }]);
  });
});

describe("where SES's daily quota is used up", () => {
  test('sending asks every hour whether the 24 hours have rolled on, and hands over nothing meanwhile', async () => {
    ses.most = 10;
    let hours = 0;
    const onWait = (): void => void ((hours += 1) % 3 === 0 && (ses.taken = 0));
    const outcome = await dispatch(await planTo(25), { onWait });
    expect(outcome).toEqual({ sentNow: 25, stopped: null, waits: Array(6).fill(60), messages: { sent: 25 } });
    expect(sends()).toBeLessThanOrEqual(25 + 2 * widthAtItsRate);
  });

  test('for good, two days are waited for, and the rest stays planned', async () => {
    Object.assign(ses, { most: 200, taken: 200 });
    const plan = await planTo(3);
    const outcome = { sentNow: 0, stopped: { code: 'daily-quota' }, messages: { planned: 3 } };
    expect(await dispatch(plan)).toMatchObject({ ...outcome, waits: Array(48).fill(60) });
    expect(sends()).toBe(0);
    const { waitsUntil = '' } = await requireRun(ledger.table, plan.report, plan.period);
    expect((Date.parse(waitsUntil) - Date.now()) / 3_600_000).toBeCloseTo(48, 0);
  });
});

test('a run that an operator holds just before its sending begins stays as it is', async () => {
  const plan = await planTo(2);
  const update: Table['update'] = async (key, change) => {
    if (change.set?.['state'] === 'sending') await holdRun(ledger.table, plan);
    return await ledger.table.update(key, change);
  };
  const outcome = await dispatch(plan, { table: { ...ledger.table, update } });
  expect(outcome).toEqual({ sentNow: 0, stopped: null, waits: [], messages: { planned: 2 } });
});

/** Settles the unknown outcomes of a run of a claimed card and a claimed mail, which an event settles in the wait of this number. Gives the waits in minutes. */
async function settleWithin(minutes: number, settledIn: number): Promise<number[]> {
  runs += 1;
  const run = `settled-${runs}`;
  const [id = ''] = await ledger.plan(run, 'ada@example.com');
  const card = cardId('managers');
  await planMessage(ledger.table, run, { id: card, expiresAt: 1_900_000_000 });
  for (const one of [id, card])
    await claimMessage(ledger.table, run, one, { claim: 'c', execution: 'e', claimedAt: 1 });
  let waited = 0;
  const settle = async (): Promise<void> => {
    if (waited === settledIn)
      await settleClaim(ledger.table, { run, id, claim: 'c' }, { state: 'sent', messageId: 'ses-1' });
    waited += 1;
  };
  await settle();
  return (await replayExecution((context) => settleUnknown(context, run, ledger.table, minutes), settle)).waits;
}

test.each([
  { what: 'known before', minutes: 60, settledIn: 0, waits: [] },
  { what: 'settled by an event in the second wait', minutes: 60, settledIn: 2, waits: [1, 2] },
  { what: 'never settled', minutes: 0, settledIn: Infinity, waits: [] },
  { what: 'never settled', minutes: 60, settledIn: Infinity, waits: [1, 2, 4, 8, 16, 29] },
])('an outcome that is $what is waited for in $minutes minutes for $waits', async ({ minutes, settledIn, waits }) => {
  expect(await settleWithin(minutes, settledIn)).toEqual(waits);
});
