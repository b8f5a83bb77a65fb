import { GetSendQuotaCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { putFigures, putHistory } from '../../../../functions/ledger/runs/digests.ts';
import {
  keepDigest,
  readRun,
  recordOutcome,
  recordSending,
  type Run,
  requireRun,
} from '../../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { runReport } from '../../../../functions/run/handler.ts';
import { discardRun, type Discarded } from '../../../../functions/run/orders/discard.ts';
import type { Finished } from '../../../../functions/run/receipt/finish.ts';
import { readEarlier } from '../../../../functions/run/earlier-figures.ts';
import { requireReport } from '../../../../functions/run/find-run.ts';
import { planRun, type Paused } from '../../../../functions/run/plan/plan.ts';
import type { Dependencies } from '../../../../functions/run/dependencies.ts';
import { replayExecution } from '../../../support/replayed-execution.ts';
import { openLedger, type Ledger } from '../../ledger/open-ledger.ts';
import { configured } from '../configured.ts';
import { collected, compose, figuresOf, history } from '../compose/collected-samples.ts';
import { putKeptDigest } from '../kept-run.ts';
import { named } from '../../../support/named.ts';

// What a deployed function makes once; the stages are handed their own here.
vi.mock('../../../../functions/run/dependencies.ts', () => ({}));

const scheduledTime = '2026-11-16T08:00:00Z';
const now = Temporal.Instant.from('2026-11-16T08:00:05Z');
const client = new SESClient({ region: 'eu-west-1' });
const ses = mockClient(client);
/** Read once: its schedule is tried for years. */
const settings = configured({ mail: { settleMinutes: 0 } });
const weekly = requireReport(settings, 'weekly');
let ledger: Ledger;
let reports = 0;

beforeAll(async () => {
  ledger = await openLedger();
  ses.on(GetSendQuotaCommand).resolves({ MaxSendRate: 1000, Max24HourSend: 100_000, SentLast24Hours: 0 });
  ses.on(SendRawEmailCommand).resolves({ MessageId: 'ses-1' });
});

/** A run of a report of its own, held with a digest. */
async function heldRun(subscribers = ['ada@example.com']): Promise<{ configuration: Configuration; run: Run }> {
  reports += 1;
  const name = `report-${reports}`;
  const report = { ...weekly, name, subscribers };
  const configuration = { ...settings, reports: [report] };
  const { table } = ledger;
  await planRun({ action: 'run', report, scheduledTime }, { configuration, table, now });
  const run = await requireRun(table, name, named('2026-W46'));
  await keepDigest(table, run, await putKeptDigest(table, run.run), { withheld: 'held' });
  return { configuration, run: await again(run) };
}

const again = ({ report, period }: Run): Promise<Run> => requireRun(ledger.table, report, period);

async function release(configuration: Configuration, table: Table, run: string): Promise<Finished | Paused> {
  const dependencies: Dependencies = {
    configuration,
    table,
    ses: client,
    configurationSet: 'digest-events',
    clock: Date.now,
    collectFunctionName: 'collect',
    render: () => ({ subject: 'News', html: '<p>News</p>', text: 'News', csv: null, logo: null }),
    unsubscribeLinks: () => Promise.resolve(() => Promise.resolve('https://unsubscribe.example.com/token')),
    pageLinks: () => Promise.resolve(null),
  };
  const trigger = { action: 'release', run, operation: 'recorded' } as const;
  return (await replayExecution((context) => runReport(trigger, context, dependencies))).result;
}

function discard(configuration: Configuration, table: Table, run: string): Promise<Discarded> {
  return discardRun({ action: 'discard', run }, { configuration, table, execution: 'discard-1', now });
}

const sends = (): number => ses.commandCalls(SendRawEmailCommand).length;

/** How something ended: what it returned, or the code of why it did not. */
async function endOf<T>(work: Promise<T>): Promise<{ result: T } | { refused: string }> {
  try {
    return { result: await work };
  } catch (error) {
    return { refused: error instanceof Error ? error.name : 'nothing' };
  }
}

/** Two views of one table for two writers that take turns. */
interface Turns {
  first: Table;
  second: Table;
  /** Ends one of them: the other does not wait for it any more. */
  ended: (who: 'first' | 'second') => void;
}

/** Has two writers take turns at a table, an operation each, in this sequence. After its end nobody waits. */
function takeTurns(table: Table, sequence: ReadonlyArray<'first' | 'second'>): Turns {
  const left = [...sequence];
  const over = new Set<string>();
  let changed = Promise.withResolvers<void>();
  const next = (): void => {
    while (left[0] !== undefined && over.has(left[0])) left.shift();
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const turnOf = async (who: 'first' | 'second'): Promise<void> => {
    while (left[0] !== undefined && left[0] !== who) await changed.promise;
  };
  const view = (who: 'first' | 'second'): Table => {
    const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
      await turnOf(who);
      try {
        return await work();
      } finally {
        left.shift();
        next();
      }
    };
    return {
      get: (key) => inTurn(() => table.get(key)),
      getMany: (keys) => inTurn(() => table.getMany(keys)),
      insert: (key, attributes) => inTurn(() => table.insert(key, attributes)),
      putMany: (items) => inTurn(() => table.putMany(items)),
      update: (key, update) => inTurn(() => table.update(key, update)),
      remove: (key) => inTurn(() => table.remove(key)),
      query: async function* (pk, range) {
        yield* await inTurn(async () => {
          const items = [];
          for await (const item of table.query(pk, range)) items.push(item);
          return items;
        });
      },
    };
  };
  return {
    first: view('first'),
    second: view('second'),
    ended: (who) => {
      over.add(who);
      next();
    },
  };
}

/** The operations of a table that a release makes, beginning to end. */
async function operationsOfRelease(): Promise<number> {
  const { configuration, run } = await heldRun();
  let operations = 0;
  const counted = new Proxy(ledger.table, {
    get: (target, name, receiver) => {
      operations += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  await release(configuration, counted, run.run);
  return operations;
}

/**
 * A discard reads the run, counts what was sent, and drops the digest, each an operation: how many of them it does before
 * a gap, how many operations of the release lie in the gap, and how many it does after.
 */
const gaps = [
  { before: 3, gap: 0, after: 0 },
  ...[1, 3, 9].flatMap((gap) => [
    { before: 1, gap, after: 2 },
    { before: 2, gap, after: 1 },
  ]),
];

const turnsOf = <W extends 'first' | 'second'>(who: W, count: number): W[] => Array.from({ length: count }, () => who);

/** Lets both work in this order; who won. */
async function race(order: ReadonlyArray<'first' | 'second'>): Promise<'discard' | 'release'> {
  const { configuration, run } = await heldRun();
  const turns = takeTurns(ledger.table, order);
  const before = sends();
  const [released, discarded] = await Promise.all([
    endOf(release(configuration, turns.first, run.run).finally(() => turns.ended('first'))),
    endOf(discard(configuration, turns.second, run.run).finally(() => turns.ended('second'))),
  ]);
  const after = { sent: sends() - before, digest: (await again(run)).digest, state: (await again(run)).state };
  const shown = JSON.stringify({ order, released, discarded, after });
  if ('result' in discarded) {
    expect(after, shown).toEqual({ sent: 0, digest: undefined, state: 'planned' });
    expect(['discarded', 'not-held'], shown).toContain('refused' in released ? released.refused : 'released');
    return 'discard';
  }
  expect(discarded, shown).toEqual({ refused: 'already-sent' });
  expect(after, shown).toEqual({ sent: 1, digest: run.digest, state: 'done' });
  expect(released, shown).toMatchObject({ result: { state: 'done', balance: { sent: 1, balanced: true } } });
  return 'release';
}

describe('a discard and a release at once', () => {
  test('end with one of them done and the other refused, whatever the order of their operations, and nothing of a dropped digest is sent', async () => {
    const operations = await operationsOfRelease();
    expect(operations).toBeGreaterThan(10);
    const wins = { discard: 0, release: 0 };
    for (let from = 0; from <= operations; from += 1) {
      for (const { before, gap, after } of gaps.filter((each) => from + each.gap <= operations)) {
        const order = [
          ...turnsOf('first', from),
          ...turnsOf('second', before),
          ...turnsOf('first', gap),
          ...turnsOf('second', after),
          ...turnsOf('first', operations),
        ];
        wins[await race(order)] += 1;
      }
    }
    expect(Math.min(wins.discard, wins.release)).toBeGreaterThan(10);
  }, 240_000);

  test('of a run without subscribers never leave it done without a digest', async () => {
    const operations = await operationsOfRelease();
    for (let from = 0; from <= operations; from += 1) {
      const { configuration, run } = await heldRun([]);
      const turns = takeTurns(ledger.table, [...turnsOf('first', from), ...turnsOf('second', 3)]);
      await Promise.all([
        endOf(release(configuration, turns.first, run.run).finally(() => turns.ended('first'))),
        endOf(discard(configuration, turns.second, run.run).finally(() => turns.ended('second'))),
      ]);
      const { state, digest } = await again(run);
      expect({ from, state }).toEqual({ from, state: digest === undefined ? 'planned' : 'done' });
    }
  });
});

/** Has something happen just before the discard writes. */
function beforeWrite(happens: () => Promise<unknown>): Table {
  let happened = false;
  return {
    ...ledger.table,
    update: async (key, update) => {
      if (!happened && key.pk.startsWith('RUNS#')) {
        happened = true;
        await happens();
      }
      return await ledger.table.update(key, update);
    },
  };
}

describe('a discard', () => {
  test('is refused where the run was sent between the count and the write, and then held again', async () => {
    const { configuration, run } = await heldRun();
    const table = beforeWrite(async () => {
      await release(configuration, ledger.table, run.run);
      await recordOutcome(ledger.table, run, { state: 'held', sentNow: 0, finishedAt: scheduledTime });
    });
    await expect(discard(configuration, table, run.run)).rejects.toMatchObject({
      name: 'already-sent',
      message: `Run "${run.run}" cannot be discarded: 1 of 1 messages were sent, or may have been.`,
    });
    expect((await again(run)).digest).toBe(run.digest);
  });

  test('does not drop another digest than the one it met', async () => {
    const { configuration, run } = await heldRun();
    let another = '';
    const table = beforeWrite(async () => {
      await discardRun(
        { action: 'discard', run: run.run },
        { configuration, table: ledger.table, execution: 'discard-2', now },
      );
      another = await putKeptDigest(ledger.table, run.run);
      await keepDigest(ledger.table, run, another, { withheld: 'held' });
    });
    await expect(discard(configuration, table, run.run)).rejects.toMatchObject({ name: 'nothing-kept' });
    expect(await again(run)).toMatchObject({ state: 'held', digest: another });
  });

  test('removes the digest’s figures, so that the next one goes by the digest before, also where its own write was repeated', async () => {
    const { configuration, run } = await heldRun();
    const before = periodBefore('week', 'Europe/London', '2026-11-09T08:00:00Z');
    const report = requireReport(configuration, run.report);
    for (const [listed, period] of [before, run.period].entries()) {
      const digest = period === before ? 'of the week before' : (run.digest ?? '');
      const figures = { ...figuresOf(compose(collected(), { period })), digest };
      await putFigures(ledger.table, report.name, period, figures, 1_900_000_000);
      await putHistory(ledger.table, figures, history({}, { listed }), 1_900_000_000);
    }
    const next = periodBefore('week', 'Europe/London', '2026-11-23T08:00:00Z');
    const goneBy = async () => (await readEarlier(ledger.table, report, next)).history?.listed;
    expect(await goneBy()).toBe(1);
    const table: Table = {
      ...ledger.table,
      update: async (key, update) => {
        if (key.pk.startsWith('RUNS#')) await ledger.table.update(key, update);
        return await ledger.table.update(key, update);
      },
    };
    expect(await discard(configuration, table, run.run)).toEqual({ run: run.run, state: 'planned', discarded: true });
    expect(await goneBy()).toBe(0);
  });

  test('is refused while the run is being sent, and done where the sender gave up before the first message', async () => {
    const { configuration, run } = await heldRun();
    await ledger.table.update({ pk: `RUNS#${run.report}`, sk: '2026-11-09#week' }, { remove: ['withheld'] });
    await recordSending(ledger.table, await again(run));
    await expect(discard(configuration, ledger.table, run.run)).rejects.toMatchObject({
      name: 'already-sent',
      message: `Run "${run.run}" cannot be discarded: it is being sent.`,
    });
    const error = { code: 'ses-unavailable', message: 'SES cannot be reached.' };
    await recordOutcome(ledger.table, run, { state: 'sending', sentNow: 0, finishedAt: scheduledTime, error });
    await discard(configuration, ledger.table, run.run);
    expect((await readRun(ledger.table, run.report, named('2026-W46')))?.digest).toBeUndefined();
  });
});
