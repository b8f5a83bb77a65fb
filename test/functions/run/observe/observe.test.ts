import { Temporal } from 'temporal-polyfill';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startSampleAccount } from '../../../../infra/local/sample-account/server.ts';
import { startService } from '../../../support/service/service.ts';
import { smallAccount } from '../../../support/service/small-account.ts';
import { stepMinutesOf } from '../../../../functions/domain/configuration/account.ts';
import { dayMs, hourMs } from '../../../../functions/domain/period.ts';
import { changeCurrent, readCurrent, readDaily } from '../../../../functions/ledger/observations.ts';
import { resumeReport } from '../../../../functions/ledger/reports.ts';
import { observeDaily } from '../../../../functions/run/observe/observe.ts';
import { leaseUntil, takeTurn } from '../../../../functions/run/observe/turn.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured, reportOf } from '../configured.ts';
import { observerOf } from './observing.ts';

const service = await startService({ answers: smallAccount() });
afterAll(() => service.close());
afterEach(() => void vi.useRealTimers());

const minuteMs = 60_000;

/** An observer with a ledger of its own. */
const observer = async () => observerOf(service, (await openLedger()).table);

/** What was asked of the service since it was last looked at: no tokens, and without what is in all of it. */
function asked(): string[] {
  const addresses = service.asked().flatMap((address) => /^GET \/v1\/broadcasts(.*)$/.exec(address)?.[1] ?? []);
  service.log().attempts.length = 0;
  return addresses.map((address) => address.replaceAll('/deliveries/', '').replace('/recipients', '')).toSorted();
}
const everything = ['/71', '/deliveries', 'd1', 'd1/contents/711', 'd2', 'd2/contents/711'];

/** Has our clock go on, and stay there. */
const later = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

test('twenty executions that begin together ask the service for each thing once, and fail together where it refuses', async () => {
  const { observe } = await observer();
  const need = { endMs: Date.now() };
  const twenty = () => Promise.allSettled(Array.from({ length: 20 }, () => observe({ need })));
  service.behave({ answers: { deliveries: () => 403 } });
  const failed = await twenty();
  const reasons = failed.map((outcome) => outcome.status === 'rejected' && outcome.reason.name);
  expect(new Set(reasons)).toEqual(new Set(['service-unavailable']));
  expect(asked()).toEqual(['/deliveries']);
  service.behave({ answers: smallAccount() });
  const made = await twenty();
  expect(new Set(made.map((outcome) => outcome.status === 'fulfilled' && outcome.value.observation)).size).toBe(1);
  expect(asked()).toEqual(everything);
});

test('where the first dies half-way, another waits for its lease to end, and asks for the rest', async () => {
  const { observe, closingOf } = await observer();
  let reads = 0;
  const onRequest = ({ phase }: { phase: string }): void => {
    if (phase === 'read' && (reads += 1) >= 2) throw new Error('It died.');
  };
  await expect(observe({ isSlow: true, onRequest })).rejects.toThrow('It died.');
  expect(asked()).toEqual(['/71', '/deliveries', 'd1', 'd1/contents/711']);
  later(19 * minuteMs);
  const waiting = observe();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked()).toEqual([]);
  later(2 * minuteMs);
  const closing = await closingOf(await waiting);
  expect(asked()).toEqual(['d2', 'd2/contents/711']);
  expect(closing.coverage.requests).toMatchObject({ deliveries: { '200': 1 }, recipients: { '200': 2 } });
});

test('where every step is repeated, the observation is made once', async () => {
  const { observe, closingOf } = await observer();
  expect(await closingOf(await observe({ repeats: true }))).toMatchObject({
    rows: 2,
    facts: { mayHoldOnlyNewest: false },
  });
  expect(asked()).toEqual(everything);
});

test('what was read after its end is not asked for again, and what may be had later is asked for after an hour', async () => {
  const { observe } = await observer();
  const answers = smallAccount();
  service.behave({ answers });
  await observe();
  asked();
  const begun = Date.now();
  later(5 * dayMs);
  await observe({ need: { endMs: begun - dayMs } });
  expect(asked()).toEqual([]);
  service.behave({ answers: { ...answers, recipients: (id) => (id === 'd1' ? 403 : []) } });
  const need = { endMs: Date.now() };
  await observe({ need });
  asked();
  await observe({ need });
  expect(asked()).toEqual([]);
  later(60 * minuteMs);
  await observe({ need });
  expect(asked()).toContain('d1');
  await observe({ need: { endMs: 0, sinceMs: Date.now() + 1 } });
  expect(asked()).not.toEqual([]);
});

const news = { id: '71', name: 'News' };
const listed = (id: string, status = 'delivered') => ({ delivery: { id, broadcast: news, status } });
const seen = (seenAt: string | null, respondedAt: string | null = null) => ({ seenAt, respondedAt });
/** Observes an account with these answers at an instant of its own. */
const observeAt = async ({ observe }: Awaited<ReturnType<typeof observer>>, clock: string, answers: object) => {
  service.behave({ answers: { ...smallAccount('2026-10-28'), ...answers } });
  return await observe({ clock, need: { endMs: Date.parse(clock) } });
};

test('facts are what was read, each first instant as it was first, and a sign of long before the list had it is undated', async () => {
  const world = await observer();
  const first = Date.parse('2026-11-03T08:00:00Z');
  const second = Date.parse('2026-11-10T08:00:00Z');
  const createdMs = Date.parse('2026-10-28T07:00:00Z');
  await observeAt(world, '2026-11-03T08:00:00Z', { deliveries: () => [listed('d1', 'sent')] });
  const rows = [seen('2026-11-06T08:00:00Z'), seen('2026-11-10T07:59:00Z', '2026-10-31T07:59:59Z'), seen(null)];
  const recipients = (id: string) => (id === 'd2' ? rows : [seen('2026-11-02T09:00:00Z', '2026-11-09T10:30:00Z')]);
  await observeAt(world, '2026-11-10T08:00:00Z', { recipients, contentRecipients: () => 404 });
  const facts = await world.factsOf();
  const unread = { sinceMs: second, reason: 'not-found', status: 404 };
  expect(facts.get('d1')).toMatchObject({
    statuses: [
      { status: 'sent', firstListedMs: first },
      { status: 'delivered', firstListedMs: second },
    ],
    status: 'delivered',
    firstListedMs: first,
    lastListedMs: second,
    unlistedMs: null,
    firstSign: { atMs: Date.parse('2026-10-28T09:00:00Z'), readMs: first },
    contents: [{ id: '711', list: { readMs: first, listed: 2, untouched: 1 }, unread }],
  });
  expect(facts.get('d2')).toMatchObject({
    broadcast: { ...news, createdMs, createdBy: 'Ada Byron', contents: [{ id: '711', type: 'text' }] },
    lastListedMs: second,
    unlistedMs: first,
    firstSign: { atMs: Date.parse('2026-11-06T08:00:00Z'), readMs: second },
    askedMs: second,
    list: {
      listed: 3,
      untouched: 1,
      undated: { seen: 0, responded: 1, answered: 1 },
      areDays: false,
      moments: { stepMinutes: 60, deltas: [Date.parse('2026-11-06T08:00:00Z') / hourMs, 1, 0, 0, 95, 1, 0, 0] },
    },
    contents: [{ id: '711', list: null, unread }],
  });
});

test('what has left the list is read until 35 days after its first sign, or until it is gone, and items where something changed', async () => {
  const world = await observer();
  const at = (date: string, answers: object) => observeAt(world, `2026-${date}T08:00:00Z`, answers);
  const closing = await world.closingOf(await at('11-03', {}));
  expect(closing).toMatchObject({ rows: 2, facts: { coveredSinceMs: closing.facts.atMs } });
  asked();
  const none = { deliveries: () => [] };
  await at('11-16', none);
  expect(asked()).toEqual(['/deliveries', '/deliveries', 'd1', 'd1/contents/711', 'd2', 'd2/contents/711']);
  await at('11-18', { ...none, recipients: (id: string) => (id === 'd1' ? 410 : [seen('2026-11-17T08:00:00Z')]) });
  expect(asked()).toEqual(['/deliveries', 'd1', 'd2', 'd2/contents/711']);
  await at('12-05', { ...none, recipients: () => [seen('2026-11-17T08:00:00Z')] });
  expect(asked()).toEqual(['/deliveries', 'd2']);
  const gap = await world.closingOf(await at('12-09', none));
  expect(asked()).toEqual(['/deliveries']);
  expect(gap).toMatchObject({ rows: 0, facts: { coveredSinceMs: gap.facts.atMs } });
  await at('12-10', { recipients: () => [] });
  expect((await world.factsOf()).get('d2')).toMatchObject({ firstListedMs: closing.facts.atMs, list: { listed: 0 } });
});

test('of a status that is not wanted, what is older than 14 days is read only where somebody has engaged', async () => {
  const world = await observer();
  const answers = {
    deliveries: () => ['d1', 'd2'].map((id) => listed(id, 'cancelled')),
    recipients: (id: string) => (id === 'd1' ? [] : [seen('2026-11-02T09:00:00Z')]),
  };
  for (const [date, ...read] of [
    ['03', '/71', '/deliveries', 'd1', 'd1/contents/711', 'd2', 'd2/contents/711'],
    ['17', '/deliveries', 'd1', 'd1/contents/711', 'd2', 'd2/contents/711'],
    ['18', '/deliveries', 'd2'],
  ]) {
    await observeAt(world, `2026-11-${date}T08:00:00Z`, answers);
    expect(asked()).toEqual(read);
  }
});

/** Facts of the sample account after each observation at one present and then another: those of that present, and the account's. */
const observed = async (...clocks: [string, string]) => {
  const { table } = await openLedger();
  const observeOne = async (clock: string) => {
    await using account = await startSampleAccount({ asOf: clock });
    const world = observerOf(account, table);
    const { account: state } = await world.observe({ clock, need: { endMs: Date.parse(clock) } });
    return { state, of: await world.factsOf(state), present: await world.factsOf() };
  };
  return [await observeOne(clocks[0]), await observeOne(clocks[1])] as const;
};

test('an observation of an earlier present never writes over a later one, in whichever order', async () => {
  const [earlier, present] = ['2026-11-09T08:00:00Z', '2026-11-16T08:00:00Z'];
  const [first, inOrder] = await observed(earlier, present);
  const [alone, outOfOrder] = await observed(present, earlier);
  expect([inOrder.state, outOfOrder.state]).toEqual(['account', `account/${earlier}`]);
  expect(outOfOrder.present).toEqual(alone.of);
  expect(outOfOrder.of).toEqual(first.of);
  for (const [id, { list }] of alone.of) expect(inOrder.of.get(id)?.list).toEqual(list);
}, 60_000);

test('on a laptop an observation is left to who is at it, and taken over from an earlier process', async () => {
  const { table } = await openLedger();
  const configuration = configured({ service: { account: 'account' } });
  const options = { configuration, table, isLocal: true, accountClock: undefined, joined: null };
  const turnOf = (owner: string) => takeTurn({ endMs: Date.now() }, { ...options, owner });
  const own = await turnOf('one');
  expect([own.is, await turnOf('two')]).toEqual(['own', { is: 'others', observation: Object(own).observation }]);
  expect(await turnOf('one')).toMatchObject({ is: 'own' });
  const current = await readCurrent(table, 'account');
  // The two clocks differ by a millisecond now and then.
  const beforeThisProcess = leaseUntil(Date.now() - (process.uptime() + 1) * 1000);
  await changeCurrent(table, 'account', current, { leaseMs: beforeThisProcess });
  expect(await turnOf('two')).toMatchObject({ is: 'own' });
});

test('a daily observation does nothing while no report is on, and notes that it failed', async () => {
  const { table } = await openLedger();
  const configuration = configured({ service: { account: 'account' } });
  const options = { configuration, table, isLocal: false, accountClock: undefined, collectFunctionName: 'collect:1' };
  const failure = { code: 'service-unavailable', message: 'It does not answer.' };
  const observed = (onInvoke: () => unknown) =>
    replayExecution((context) => observeDaily(context, options), undefined, onInvoke);
  const refuse = () => ({ answer: { failure } });
  expect((await observed(refuse)).result).toEqual({ observed: null });
  await resumeReport(table, reportOf(), new Date().toISOString());
  expect((await observed(refuse)).result).toEqual({ observed: null, error: failure });
  expect(await readDaily(table, 'account')).toMatchObject({ failures: 1, ...failure });
});

test.each([
  ['Europe/London', 'America/New_York', 60],
  ['Europe/London', 'Australia/Lord_Howe', 30],
  ['Asia/Kathmandu', 'Asia/Kolkata', 15],
])('in %s and %s the days begin at a step of %i minutes', (timeZone, ofReport, step) => {
  const zones = { service: { timeZone }, reports: [{ schedule: { timeZone: ofReport } }] };
  expect(stepMinutesOf(zones, Temporal.Instant.from('2026-11-16T08:00:00Z'))).toBe(step);
});
