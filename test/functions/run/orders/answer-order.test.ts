import { beforeEach, describe, expect, test } from 'vitest';
import { readActions, recordAction, unnamedOperator } from '../../../../functions/ledger/runs/actions.ts';
import { RunError } from '../../../../functions/run/failure.ts';
import { answerOrder } from '../../../../functions/run/orders/answer-order.ts';
import { replayExecution } from '../../../support/replayed-execution.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured } from '../configured.ts';

const configuration = configured({ report: { name: 'news' } });
const news = { name: 'news' };
const scheduledTime = '2026-11-16T08:00:00Z';
const run = 'news_2026-W46';
const serviceDown = new RunError('service-unavailable', 'The service is down.');

const ledger = await openLedger();
let carriedOut: unknown[];
beforeEach(async () => {
  carriedOut = [];
  for (const report of ['news', 'weekly', 'gone']) {
    for (const { pk, sk } of await ledger.items(`ACTIONS#${report}`)) {
      await ledger.table.remove({ pk: String(pk), sk: String(sk) });
    }
  }
});

/** Has an event answered, by an execution that is left and begun again in the middle; what is thrown fails it. */
async function answer(event: unknown, work: () => Promise<unknown>): Promise<unknown> {
  const { table } = ledger;
  const { result } = await replayExecution((context) =>
    answerOrder(event, context, { configuration, table }, async (trigger) => {
      await context.wait('in the middle', { minutes: 1 });
      carriedOut.push(trigger);
      return await work();
    }),
  );
  return result;
}

const returning = (result: unknown) => (): Promise<unknown> => Promise.resolve(result);
const throwing = (thrown: Error) => (): Promise<never> => Promise.reject(thrown);

type Ordered = 'release' | 'test' | 'run' | 'hold';

/** An order as the operators' command records it; the key of its record. */
async function recorded(what: Ordered, report = 'news'): Promise<string> {
  const action = { what, by: 'grace', at: '2026-11-16T09:00:00Z', run };
  return await recordAction(ledger.table, report, action, 4_000_000_000);
}

const outcomes = async (): Promise<unknown[]> =>
  (await readActions(ledger.table, news.name)).map(({ what, by, run: ofRun, outcome }) => ({
    what,
    by,
    run: ofRun,
    outcome,
  }));

describe('an order of the operators’ command', () => {
  const toRun = { report: 'news', scheduledTime };
  const toTest = { action: 'test', report: 'news', subscribers: 'key' };
  const done = { run, state: 'done', balance: {} };
  const down = { code: 'service-unavailable', message: 'The service is down.' };
  const failed = { run, state: 'failed', balance: {}, error: down };
  const failedByName = { state: 'failed', error: down };
  const notHeld = new RunError('not-held', 'Run "x" is not held.');
  const refused = { state: 'refused', error: { code: 'not-held', message: notHeld.message } };
  const nothingHeld = { state: 'done', note: 'Nothing was held: the run is done.' };
  const release = { action: 'release', run };
  const toHold = { ...toRun, hold: true };
  type Case = [title: string, what: Ordered, event: object, work: object, answered: object, outcome: object];
  test.each<Case>([
    ['that is carried out', 'release', release, done, done, { state: 'done' }],
    ['to hold what is then held', 'hold', toHold, { ...done, state: 'held' }, {}, { state: 'done' }],
    ['to hold what is done', 'hold', toHold, done, done, nothingHeld],
    ['that is refused', 'release', release, notHeld, refused, refused],
    ['to run what then failed', 'run', toRun, failed, failed, { state: 'failed', error: down }],
    ['that failed by name', 'test', toTest, serviceDown, failedByName, failedByName],
  ])('%s: the answer and its record say so', async (_title, what, event, work, answered, outcome) => {
    const operation = await recorded(what);
    const given = await answer({ ...event, operation }, work instanceof Error ? throwing(work) : returning(work));
    expect(given).toMatchObject(answered);
    expect(await outcomes()).toEqual([{ what, by: 'grace', run, outcome }]);
  });

  test('that failed unexpectedly fails the execution, and its record says so without the cause', async () => {
    const operation = await recorded('test');
    await expect(answer({ ...toTest, operation }, throwing(new TypeError('canary')))).rejects.toThrow('canary');
    const error = { code: 'internal', message: 'An unexpected error; see the log of the run.' };
    expect(await outcomes()).toEqual([{ what: 'test', by: 'grace', run, outcome: { state: 'failed', error } }]);
  });

  test.each([
    ['bad-trigger', 'news', { report: 'news', hold: 'yes' }],
    ['unknown-report', 'gone', { report: 'gone' }],
    ['unknown-run', 'news', { action: 'release', run: 'news_2026-W01' }],
  ])('that is refused (%s) has its outcome recorded', async (code, report, event) => {
    const operation = await recorded('run', report);
    const refused = await answer({ ...event, operation }, throwing(new RunError('unknown-run', 'No such run.')));
    expect(refused).toMatchObject({ state: 'refused', error: { code } });
    const record = await readActions(ledger.table, report);
    expect(record).toMatchObject([{ by: 'grace', outcome: { state: 'refused', error: { code } } }]);
  });
});

describe('an order of nobody known', () => {
  test('is recorded once, before it is carried out, with its run and then its outcome', async () => {
    let before: unknown[] = [];
    const work = async (): Promise<object> => {
      before = await outcomes();
      return { run, state: 'done' };
    };
    await answer({ report: 'news', scheduledTime }, work);
    const order = { what: 'run', by: unnamedOperator, run };
    expect(before).toEqual([order]);
    expect(await outcomes()).toEqual([{ ...order, outcome: { state: 'done' } }]);
    expect(carriedOut).toEqual([{ action: 'run', report: configuration.reports[0], scheduledTime }]);
  });
});

describe('a schedule’s trigger', () => {
  const event = { report: 'news', trigger: 'schedule', scheduledTime };
  const refusing = throwing(new RunError('period-not-over', 'The week is not over.'));
  const failed = { run, state: 'failed', error: { code: 'internal', message: 'x' } };

  test.each([
    ['that is carried out', returning({ run, state: 'done' }), { run, state: 'done' }],
    ['whose run failed and says so in the ledger', returning(failed), failed],
    // The watch reports a run that is missing.
    ['that is refused', refusing, { state: 'refused', error: { code: 'period-not-over' } }],
  ])('%s is answered, and is no order: nothing is recorded of it', async (_what, work, answered) => {
    expect(await answer(event, work)).toMatchObject(answered);
    expect(await outcomes()).toEqual([]);
  });

  test('that failed without a record fails the execution, whatever the reason', async () => {
    await expect(answer(event, throwing(serviceDown))).rejects.toBe(serviceDown);
  });
});
