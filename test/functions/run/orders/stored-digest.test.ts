import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { Temporal } from 'temporal-polyfill';
import { expect, test, vi } from 'vitest';
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

/** A table of which each operation waits for something that is done before it: it is given the number of the operation, from 1. */
function waiting(table: Table, before: (operation: number) => Promise<unknown>): Table {
  let operations = 0;
  const next = () => before((operations += 1));
  return new Proxy(table, {
    get: (of, name: keyof Table) =>
      name === 'query'
        ? async function* (...input: Parameters<Table['query']>) {
            await next();
            yield* of.query(...input);
          }
        : async (...input: unknown[]): Promise<unknown> => {
            await next();
            return await Reflect.apply(of[name], of, input);
          },
  });
}

const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/**
 * When a discard takes place: it begins before an operation of a release, and from its own `stops` on waits for `gap` more of these.
 * It reads the run, counts what was sent, and drops the digest.
 */
const moments = Array.from({ length: 25 }, (_, begins) => [
  { begins, stops: 4, gap: 0 },
  { begins, stops: 2, gap: 3 },
  { begins, stops: 3, gap: 1 },
  { begins, stops: 3, gap: 9 },
])
  .flat()
  .filter(({ begins, gap }) => gap === 0 || begins % 2 === 0);

/** What comes of a discard and a release of a run at once. */
async function race({ begins, stops, gap }: (typeof moments)[number]) {
  const { configuration, run } = await heldRun();
  const [stopped, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const discarding = waiting(ledger.table, async (operation) => {
    if (operation !== stops) return;
    stopped.resolve();
    await goesOn.promise;
  });
  let discarded: Promise<unknown> | undefined;
  const begin = (): Promise<unknown> =>
    Promise.race([(discarded ??= outcomeOf(discard(configuration, discarding, run.run))), stopped.promise]);
  const end = async (): Promise<unknown> => {
    await begin();
    goesOn.resolve();
    return await discarded;
  };
  const releasing = waiting(ledger.table, async (operation) => {
    if (operation === begins) await begin();
    if (operation === begins + gap) await end();
  });
  const before = sends();
  const released = await outcomeOf(release(configuration, releasing, run.run));
  const ended = { released, discarded: await end() };
  const { state, digest } = await again(run);
  return { run, ...ended, after: { sent: sends() - before, digest, state } };
}

test('a discard and a release at once end with one done and the other refused, and nothing of a dropped digest is sent', async () => {
  let discards = 0;
  for (const moment of moments) {
    const { run, ...ended } = await race(moment);
    const isDiscarded = ended.after.digest === undefined;
    discards += isDiscarded ? 1 : 0;
    const dropped = {
      released: { name: expect.stringMatching(/^(discarded|not-held)$/) },
      discarded: { run: run.run },
      after: { sent: 0, state: 'planned' },
    };
    const sent = {
      released: { state: 'done', balance: { sent: 1, balanced: true } },
      discarded: { name: 'already-sent' },
      after: { sent: 1, digest: run.digest, state: 'done' },
    };
    expect(ended, JSON.stringify(moment)).toMatchObject(isDiscarded ? dropped : sent);
  }
  expect(Math.min(discards, moments.length - discards)).toBeGreaterThan(10);
}, 240_000);

test('a discard is refused while the run is being sent, and done where the sender gave up before the first message', async () => {
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
