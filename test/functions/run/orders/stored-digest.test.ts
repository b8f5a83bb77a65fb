import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test, vi } from 'vitest';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import * as runs from '../../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { runReport } from '../../../../functions/run/handler.ts';
import { discardRun } from '../../../../functions/run/orders/discard.ts';
import type { Finished } from '../../../../functions/run/receipt/receipt.ts';
import { requireReport } from '../../../../functions/run/find-run.ts';
import { planRun, type NothingDone } from '../../../../functions/run/plan/plan.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured } from '../configured.ts';
import { dependenciesOf, putKeptDigest } from '../kept-run.ts';
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
const ledger = await openLedger();
let reports = 0;

const VerificationAttributes = { 'example.com': { VerificationStatus: 'Success' } } as const;
ses.onAnyCommand().resolves({ MaxSendRate: 1000, VerificationAttributes });
ses.on(SendRawEmailCommand).resolves({ MessageId: 'ses-1' });

/** A run of a report of its own, held with a digest. */
async function heldRun(): Promise<{ configuration: Configuration; run: runs.Run }> {
  reports += 1;
  const name = `report-${reports}`;
  const report = { ...weekly, name, subscribers: ['ada@example.com'] };
  const configuration = { ...settings, reports: [report] };
  const { table } = ledger;
  await planRun({ action: 'run', report, scheduledTime }, { configuration, table, execution: 'e', now });
  const run = await runs.requireRun(table, name, named('2026-W46'));
  await runs.keepDigest(table, run, await putKeptDigest(table, run.run), { withheld: 'held' });
  return { configuration, run: await again(run) };
}

const again = ({ report, period }: runs.Run): Promise<runs.Run> => runs.requireRun(ledger.table, report, period);

async function release(configuration: Configuration, table: Table, run: string): Promise<Finished | NothingDone> {
  const trigger = { action: 'release', run, operation: 'recorded' } as const;
  const dependencies = dependenciesOf({ configuration, table, ses: client });
  return (await replayExecution((context) => runReport(trigger, context, dependencies))).result;
}

function discard(configuration: Configuration, table: Table, run: string) {
  return discardRun({ action: 'discard', run }, { configuration, table, execution: 'discard-1', now });
}

const sends = (): number => ses.commandCalls(SendRawEmailCommand).length;

type Who = 'discard' | 'release';

/** Has a discard and a release of a run take turns at the table, an operation each, in this sequence. After its end nobody waits. */
async function race(sequence: readonly Who[]) {
  const { configuration, run } = await heldRun();
  const left = [...sequence];
  const over = new Set<Who>();
  let changed = Promise.withResolvers<void>();
  const next = (): void => {
    while (left[0] !== undefined && over.has(left[0])) left.shift();
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const inTurn = async <T>(who: Who, work: () => Promise<T>): Promise<T> => {
    while (left[0] !== undefined && left[0] !== who) await changed.promise;
    return await work().finally(() => {
      left.shift();
      next();
    });
  };
  const { table } = ledger;
  const viewOf = (who: Who): Table => ({
    get: (...input) => inTurn(who, () => table.get(...input)),
    getMany: (...input) => inTurn(who, () => table.getMany(...input)),
    insert: (...input) => inTurn(who, () => table.insert(...input)),
    putMany: (...input) => inTurn(who, () => table.putMany(...input)),
    update: (...input) => inTurn(who, () => table.update(...input)),
    remove: (...input) => inTurn(who, () => table.remove(...input)),
    removeMany: (...input) => inTurn(who, () => table.removeMany(...input)),
    query: async function* (...input) {
      yield* await inTurn(who, () => Array.fromAsync(table.query(...input)));
    },
  });
  const endOf = async <T>(
    who: Who,
    work: (table: Table) => Promise<T>,
  ): Promise<{ result: T } | { refused: string }> => {
    try {
      return { result: await work(viewOf(who)) };
    } catch (error) {
      return { refused: error instanceof Error ? error.name : 'nothing' };
    } finally {
      over.add(who);
      next();
    }
  };
  const before = sends();
  const [released, discarded] = await Promise.all([
    endOf('release', (view) => release(configuration, view, run.run)),
    endOf('discard', (view) => discard(configuration, view, run.run)),
  ]);
  const { state, digest } = await again(run);
  return { run, released, discarded, after: { sent: sends() - before, digest, state } };
}

/** A little more than the operations of a release. */
const operations = 24;
const turnsOf = (who: Who, count: number): Who[] => Array.from({ length: count }, () => who);

/**
 * A discard reads the run, counts what was sent, and drops the digest, each an operation: how many of them it does before
 * a gap, how many operations of the release lie in the gap, and how many it does after.
 */
const gaps = [
  { before: 3, gap: 0, after: 0 },
  { before: 1, gap: 3, after: 2 },
  { before: 2, gap: 1, after: 1 },
  { before: 2, gap: 9, after: 1 },
];

describe('a discard and a release at once', () => {
  test('end with one of them done and the other refused, whatever the order of their operations, and nothing of a dropped digest is sent', async () => {
    const wins = { discard: 0, release: 0 };
    for (let from = 0; from <= operations; from += 1) {
      for (const { before, gap, after } of gaps) {
        const order = [turnsOf('release', from), turnsOf('discard', before), turnsOf('release', gap)].flat();
        const turns = [...order, ...turnsOf('discard', after), ...turnsOf('release', operations)];
        const { run, ...ended } = await race(turns);
        const isDiscarded = 'result' in ended.discarded;
        wins[isDiscarded ? 'discard' : 'release'] += 1;
        const dropped = {
          released: { refused: expect.stringMatching(/^(discarded|not-held)$/) },
          discarded: { result: { run: run.run } },
          after: { sent: 0, digest: undefined, state: 'planned' },
        };
        const sent = {
          released: { result: { state: 'done', balance: { sent: 1, balanced: true } } },
          discarded: { refused: 'already-sent' },
          after: { sent: 1, digest: run.digest, state: 'done' },
        };
        expect(ended, order.join()).toMatchObject(isDiscarded ? dropped : sent);
      }
    }
    expect(Math.min(wins.discard, wins.release)).toBeGreaterThan(10);
  }, 240_000);
});

describe('a discard', () => {
  test('is refused while the run is being sent, and done where the sender gave up before the first message', async () => {
    const { configuration, run } = await heldRun();
    await ledger.table.update({ pk: `RUNS#${run.report}`, sk: '2026-11-09#week' }, { remove: ['withheld'] });
    await runs.recordSending(ledger.table, await again(run));
    await expect(discard(configuration, ledger.table, run.run)).rejects.toMatchObject({
      name: 'already-sent',
      message: `Run "${run.run}" cannot be discarded: it is being sent.`,
    });
    const error = { code: 'ses-unavailable', message: 'SES cannot be reached.' };
    await runs.recordOutcome(ledger.table, run, { state: 'sending', sentNow: 0, finishedAt: scheduledTime, error });
    await discard(configuration, ledger.table, run.run);
    expect((await runs.readRun(ledger.table, run.report, named('2026-W46')))?.digest).toBeUndefined();
  });
});
