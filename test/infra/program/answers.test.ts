import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { pauseReport, resumeReport } from '../../../functions/ledger/reports.ts';
import * as actions from '../../../functions/ledger/runs/actions.ts';
import { recordSuppressed } from '../../../functions/ledger/notices.ts';
import { addMembers } from '../../../functions/ledger/persons/members.ts';
import { markForgotten, readOptOuts, recordLeft, suppress } from '../../../functions/ledger/persons/opt-outs.ts';
import { claimMessage } from '../../../functions/ledger/runs/claims.ts';
import { recordEvent, type EventFact } from '../../../functions/ledger/runs/messages.ts';
import { discardKeptDigest, requireRun } from '../../../functions/ledger/runs/runs.ts';
import { forgetAddress, liftAddresses, showAddress } from '../../../infra/program/commands/addresses.ts';
import { chooseDue } from '../../../infra/program/command-line/choices.ts';
import { revokePages } from '../../../infra/program/commands/pages.ts';
import { runCommand } from '../../../infra/program/commands/run.ts';
import { showCommand } from '../../../infra/program/commands/show.ts';
import { runsCommand } from '../../../infra/program/commands/runs.ts';
import { statusCommand } from '../../../infra/program/commands/status.ts';
import { subscribersCommand } from '../../../infra/program/commands/subscribers.ts';
import type { RunTarget } from '../../../infra/program/targets/target.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';
import { openPages } from '../../functions/page/open-pages.ts';
import { planKeptRun } from '../../functions/run/kept-run.ts';
import { named } from '../../support/named.ts';
import { configurationWith } from '../../support/configuration.ts';
import { targetOf } from './target.ts';

const { reports } = configurationWith();
const [weekly] = reports as [ReportConfiguration];
const run = 'weekly_2026-W46';
const plain = { messages: false, view: false };

type Order = [by: string, what: actions.ActionName, outcome?: Parameters<typeof actions.recordOrderOutcome>[3]];

/** Records what somebody ordered, and what became of it, if that is known. */
async function record({ table }: Ledger, at: string, [by, what, outcome]: Order): Promise<void> {
  const key = await actions.recordAction(table, 'weekly', { what, by, at, run }, 4_000_000_000);
  if (outcome !== undefined) await actions.recordOrderOutcome(table, { name: 'weekly' }, key, outcome);
}

describe('a run', async () => {
  const ledger = await openLedger();
  const target = targetOf(ledger);
  beforeAll(async () => {
    await planKeptRun(ledger.table, 1);
    const error = { code: 'not-held', message: 'It is not held.' };
    const failed = { code: 'service-unavailable', message: 'No list.' };
    const orders: Order[] = [
      ['ada', 'run', { state: 'done' }],
      ['grace', 'release', { state: 'refused', error }],
      ['alan', 'hold', { state: 'failed', error: failed }],
      ['katherine', 'discard'],
      ['mary', 'lift-address'],
      ['dorothy', 'hold', { state: 'done', note: 'Nothing was held.' }],
    ];
    for (const [hour, order] of orders.entries()) await record(ledger, `2026-11-16T1${hour}:00:00Z`, order);
  });

  test('is shown with what became of each order, and one that was refused does not read as if it was done or count as a trigger', async () => {
    const { lines } = await showCommand(target, run, plain);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Planned 2026-11-\d\d \d\d:\d\d Europe\/London by an operator\./),
    );
    expect(lines.slice(-6)).toEqual([
      '2026-11-16 10:00 Europe/London  run  by ada: done',
      '2026-11-16 11:00 Europe/London  release  by grace: refused (not-held). It is not held.',
      '2026-11-16 12:00 Europe/London  hold  by alan: failed (service-unavailable). No list.',
      '2026-11-16 13:00 Europe/London  discard  by katherine: no outcome recorded',
      // No order to the run function: it is done once it is recorded.
      '2026-11-16 14:00 Europe/London  lift-address  by mary',
      '2026-11-16 15:00 Europe/London  hold  by dorothy: done. Nothing was held.',
    ]);
    const { json } = await runsCommand(target, [weekly]);
    expect(json).toMatchObject({ runs: [{ run, by: ['ada', 'alan', 'katherine', 'mary', 'dorothy'] }] });
  });

  test('is shown without its mail where its report is no longer configured', async () => {
    const configuration = { ...target.configuration, reports: reports.slice(1) };
    const { code, view, lines } = await showCommand({ ...target, configuration }, run, { ...plain, view: true });
    expect({ code, view, last: lines.at(-1) }).toEqual({
      code: 0,
      view: undefined,
      last: 'The mail is not shown: there is no report "weekly" any more.',
    });
    expect((await showCommand(target, run, { ...plain, view: true })).view).toBeDefined();
  });
});

test('a run whose digest was discarded says so, and when, and how to collect again', async () => {
  const ledger = await openLedger();
  await planKeptRun(ledger.table, 2);
  const planned = await requireRun(ledger.table, 'weekly', named('2026-W46'));
  const discard = { execution: 'e', at: '2026-11-16T09:00:00Z', digest: planned.digest ?? '' };
  await discardKeptDigest(ledger.table, planned, discard);
  const target = targetOf(ledger, { flags: ['--local'] });
  expect((await runsCommand(target, [weekly])).json).toMatchObject({ runs: [{ run, outcome: 'discarded' }] });
  const { lines } = await statusCommand(target, Temporal.Instant.from('2026-11-16T10:00:00Z'));
  expect(lines).toContain(
    'The digest of weekly_2026-W46 was discarded, 2026-11-16 09:00 Europe/London. ' +
      'To collect again: npm run ops -- run weekly --at 2026-11-16T08:00:00Z --local',
  );
});

test('a deployed ledger says that a report is gone from cdk.json, and a local one, which mails nobody, does not', async () => {
  const ledger = await openLedger();
  await resumeReport(ledger.table, weekly, '2026-11-01T00:00:00Z');
  await planKeptRun(ledger.table, 1);
  const configuration = { ...configurationWith(), reports: reports.filter((report) => report !== weekly) };
  const at = Temporal.Instant.from('2026-11-16T10:00:00Z');
  const says = async (stack: string | null) =>
    (await statusCommand(targetOf(ledger, { stack, configuration }), at)).lines.join().includes('not configured');
  expect([await says('stack "BroadcastDigest"'), await says(null)]).toEqual([true, false]);
});

test('the messages of a run are shown with which were delivered, bounced and complained about, and only when asked for', async () => {
  const ledger = await openLedger();
  await planKeptRun(ledger.table, 4);
  const events: Array<Array<EventFact['kind']>> = [['delivered', 'complained'], ['bounced'], ['heldBack']];
  for (const [n, kinds] of events.entries()) {
    const to = `s${n}@example.com`;
    const message = ledger.hashOf(to);
    await claimMessage(ledger.table, run, message, { claim: to, execution: 'e', claimedAt: 1 });
    const origin = { run, id: message, claim: to, messageId: `ses-${n}` };
    const fact = { at: '2026-11-16T08:00:05.000Z', ...(n === 1 ? { status: '5.7.1' } : {}) };
    for (const kind of kinds) await recordEvent(ledger.table, origin, { kind, ...fact });
  }
  const on = '2026-11-16 08:00 Europe/London';
  const { lines } = await showCommand(targetOf(ledger), run, { ...plain, messages: true });
  expect(lines.slice(-4)).toEqual([
    `s0@example.com  sent  ses-0  delivered ${on}  complained ${on}`,
    `s1@example.com  sent  ses-1  bounced 5.7.1 ${on}`,
    `s2@example.com  suppressed  ses-2  held back by SES ${on}`,
    's3@example.com  planned',
  ]);
  expect(JSON.stringify(await showCommand(targetOf(ledger), run, plain))).not.toContain('@example.com');
  // Who bounced has not got it, as is said before a run goes on.
  using printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const order = { hold: false, follow: false, resendUnknown: false, yes: false };
  const due = chooseDue(weekly, { at: '2026-11-16T08:00:00Z' });
  const going = runCommand(targetOf(ledger, { stack: 'a stack' }), weekly, due, order);
  await expect(going).rejects.toThrow('sent from a stack. Go on?');
  expect(printed.mock.calls.join()).toContain(`: 1 has it, 1 bounced. `);
});

test.each([
  ['lifted', (target: RunTarget, to: string) => liftAddresses(target, [to], { yes: true })],
  ['forgotten', (target: RunTarget, to: string) => forgetAddress(target, to, { yes: true })],
  ['removed', (target: RunTarget, to: string) => subscribersCommand(target, weekly, 'remove', [to])],
])('a suppressed address that was %s is no open matter any more, and others are', async (_, dealWith) => {
  const ledger = await openLedger();
  const target = targetOf(ledger);
  const now = Temporal.Now.instant();
  await subscribersCommand(target, weekly, 'add', ['s0@example.com', 's1@example.com']);
  await planKeptRun(ledger.table, 2);
  for (const message of ['s0@example.com', 's1@example.com']) {
    const suppressed = { run, message, reason: 'bounce', hash: ledger.hashOf(message), at: now.toString() } as const;
    await recordSuppressed(ledger.table, { ...suppressed, expiresAt: 4_000_000_000 });
  }
  const open = async (): Promise<string[]> =>
    (await statusCommand(target, now)).lines.filter((line) => /suppressed: /.test(line));
  expect(await open()).toEqual([expect.stringContaining('2 addresses suppressed')]);
  await dealWith(target, 's0@example.com');
  expect(await open()).toEqual([expect.stringContaining('Address suppressed')]);
  await dealWith(target, 's1@example.com');
  expect(await open()).toEqual([]);
});

describe('a lift', async () => {
  const at = '2026-11-16T08:00:05.000Z';
  const ledger = await openLedger();
  const { table, hashOf } = ledger;
  const persons = Array.from({ length: 60 }, (_, n) => `Person.${n}@example.com`).map((address) => {
    return { address, hash: hashOf(address) };
  });
  const [other, left, forgotten] = persons;
  /** SES's own list, which tells capitals apart; how many calls were on their way at once; and whether they fail. */
  const list = new Set<string>();
  const calls = { open: 0, most: 0, fail: false };
  const target = targetOf(ledger, {
    stack: 'a stack',
    readFromAccount: (address) => Promise.resolve(list.has(address) ? 'bounce' : null),
    liftFromAccount: async (address) => {
      calls.most = Math.max(calls.most, (calls.open += 1));
      await new Promise(setImmediate);
      calls.open -= 1;
      if (calls.fail && address === persons.at(-1)?.address) throw new Error('throttled');
      return list.delete(address);
    },
  });
  const liftRun = (yes: boolean) => liftAddresses(target, [], { run, yes });
  const suppressed = async (): Promise<Array<string | undefined>> => {
    const optOuts = await Promise.all(persons.map(({ hash }) => readOptOuts(table, hash)));
    return optOuts.flatMap(({ suppression }, n) => (suppression === null ? [] : persons[n]?.address));
  };

  test('ends what a run came to with one question, and may be repeated; what others decided stays', async () => {
    await planKeptRun(table, 1);
    await addMembers(table, 'weekly', persons, { by: 'grace', at });
    for (const { hash, address } of persons) {
      const reason = hash === left?.hash ? 'complaint' : 'bounce';
      await suppress(table, hash, { reason, at });
      const record = { run: hash === other?.hash ? 'weekly_2026-W45' : run, message: hash, reason, hash, at } as const;
      await recordSuppressed(table, { ...record, expiresAt: 4_000_000_000 });
      list.add(address);
    }
    await recordLeft(table, left?.hash ?? '', weekly, { left: true, at });
    await markForgotten(table, forgotten?.hash ?? '', at);
    await expect(liftRun(false)).rejects.toThrow(/^59 addresses: .*58 suppressed by a bounce.*\. Lift that, /);
    calls.fail = true;
    await expect(liftRun(true)).rejects.toThrow('throttled');
    calls.fail = false;
    const { lines } = await liftRun(true);
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/ rejoin /), expect.stringMatching(/ add /)]));
    expect([await suppressed(), [...list], calls.open]).toEqual([[other?.address], [other?.address], 0]);
    expect(10 < calls.most && calls.most < 50).toBe(true);
    expect((await liftRun(true)).lines).toEqual(['There is no address to lift.']);
  });

  test("of another spelling is of the stored one, too, here and on SES's list; show says which one that has", async () => {
    const typed = 'person.0@example.com';
    for (const spelling of [other?.address ?? '', typed]) {
      list.clear();
      list.add(spelling);
      const { lines } = await showAddress(target, typed);
      expect(lines).toContain(`SES sends ${spelling} nothing: its list of the account has it, by a bounce.`);
      expect((await liftAddresses(target, [typed], { yes: true })).json).toMatchObject({ fromAccount: 1 });
    }
    expect(await suppressed()).toEqual([]);
  });
});

test('status has the next runs of a report or its pause, and its last run', async () => {
  const ledger = await openLedger();
  for (const report of reports) await resumeReport(ledger.table, report, '2026-11-01T00:00:00Z');
  await pauseReport(ledger.table, { name: 'daily' }, { at: '2026-11-15T12:00:00Z', by: 'grace' });
  await planKeptRun(ledger.table, 2);
  const { json, lines } = await statusCommand(targetOf(ledger), Temporal.Instant.from('2026-11-16T16:00:00Z'));
  const weeklyNext = { run: 'weekly_2026-W47', scheduledTime: '2026-11-23T08:00:00Z' };
  expect(json).toMatchObject({
    reports: [
      { report: 'weekly', paused: null, next: [weeklyNext, {}, {}], last: { run, outcome: '2 planned' } },
      { report: 'daily', paused: { since: '2026-11-15T12:00:00Z', by: 'grace' } },
      {},
    ],
  });
  expect(lines.find((line) => line.startsWith('daily'))).toContain('paused by grace, 2026-11-15 12:00 Europe/London');
});

describe('the page of a run', async () => {
  const publicUrl = 'https://front.example.com';
  const pages = await openPages();
  const target = targetOf(pages.ledger, { publicUrl });

  /** The path of the link that `show` prints. */
  const shownLink = async (name: string): Promise<string> => {
    const { lines } = await showCommand(target, name, plain);
    return lines.find((line) => line.includes(publicUrl))?.split(publicUrl)[1] ?? '';
  };
  const statusOf = async (path: string): Promise<number> =>
    (await pages.ask(path, { now: new Date(Date.now() + 1_000).toISOString() })).status;

  test('has a link in show, also where the run is held, and none where AWS does not allow it or there is no digest', async () => {
    await pages.storeRun('weekly', '2026-11-09', { withheld: 'held' });
    expect(await statusOf(await shownLink(run))).toBe(200);
    const denied = Object.assign(new Error('not for grace'), { name: 'AccessDeniedException' });
    const denying = { ...target, table: { ...target.table, insert: () => Promise.reject(denied) } };
    const { code, json, lines } = await showCommand(denying, run, plain);
    expect({ code, json }).toMatchObject({ code: 0, json: { page: null } });
    expect(lines.join()).toContain('AccessDeniedException');
    await pages.ledger.table.update({ pk: 'RUNS#weekly', sk: '2026-11-09#week' }, { remove: ['digest'] });
    expect((await showCommand(target, run, plain)).json).toMatchObject({ page: null });
  });

  test('is revoked with all links of its report that were made before, which is recorded with who did it', async () => {
    await pages.storeRun('weekly', '2026-10-12');
    await pages.storeRun('daily', '2026-10-12');
    const links = [await shownLink('weekly_2026-W42'), await shownLink('daily_2026-W42')];
    const { json } = await revokePages(target, weekly, { yes: true });
    expect(json).toEqual({ report: 'weekly', revokedBefore: expect.any(String) });
    expect(await Promise.all(links.map(statusOf))).toEqual([404, 200]);
    expect(await statusOf(await shownLink('weekly_2026-W42'))).toBe(200);
    const recorded = await actions.readActions(pages.ledger.table, 'weekly');
    expect(recorded).toMatchObject([{ what: 'revoke-pages', by: 'grace' }]);
  });
});
