import { beforeEach, expect, test } from 'vitest';
import * as actions from '../../../../functions/ledger/runs/actions.ts';
import { CodedError } from '../../../../functions/domain/failures.ts';
import { answerOrder } from '../../../../functions/run/orders/answer-order.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured } from '../configured.ts';

// What is answered to which order, and that a schedule's trigger is none, is in e2e/answers.test.ts.

const configuration = configured({ report: { name: 'news' } });
const run = 'news_2026-W46';
const toRun = { report: 'news', scheduledTime: '2026-11-16T08:00:00Z' };
const ledger = await openLedger();
beforeEach(async () => {
  for (const { pk, sk } of await ledger.items('ACTIONS#news')) {
    await ledger.table.remove({ pk: String(pk), sk: String(sk) });
  }
});

/** Has an event answered, by an execution that is left and begun again in the middle; an error that the work comes to fails it. */
async function answer(event: unknown, end: object): Promise<unknown> {
  const { result } = await replayExecution((context) =>
    answerOrder(event, context, { configuration, table: ledger.table }, async () => {
      await context.wait('in the middle', { minutes: 1 });
      if (end instanceof Error) throw end;
      return end;
    }),
  );
  return result;
}

const outcomes = async (): Promise<unknown[]> =>
  (await actions.readActions(ledger.table, 'news')).map(({ what, by, outcome }) => ({ what, by, outcome }));
const order = async (what: actions.ActionName): Promise<string> => {
  const action = { what, by: 'grace', at: '2026-11-16T09:00:00Z', run };
  return await actions.recordAction(ledger.table, 'news', action, 4_000_000_000);
};

const done = { run, state: 'done', balance: {} };
const failure = { code: 'service-unavailable', message: 'The service is down.' } as const;
const serviceDown = new CodedError(failure.code, failure.message);
const nothingHeld = { state: 'done', note: 'Nothing was held: the run is done.' };
test.each<[title: string, what: actions.ActionName, event: object, end: object, answered: object, outcome: object]>([
  ['is carried out', 'release', { action: 'release', run }, done, done, { state: 'done' }],
  ['is to hold what is then held', 'hold', { ...toRun, hold: true }, { state: 'held' }, {}, { state: 'done' }],
  ['is to hold what is done', 'hold', { ...toRun, hold: true }, done, done, nothingHeld],
  ['fails by name', 'run', toRun, serviceDown, { state: 'failed' }, { state: 'failed', error: failure }],
])('the record of an order that %s says so, and the answer does', async (_, what, event, end, answered, outcome) => {
  expect(await answer({ ...event, operation: await order(what) }, end)).toMatchObject(answered);
  expect(await outcomes()).toEqual([{ what, by: 'grace', outcome }]);
});

test('an order that fails unexpectedly fails the execution, and its record says so without the cause', async () => {
  const operation = await order('run');
  await expect(answer({ ...toRun, operation }, new TypeError('canary'))).rejects.toThrow('canary');
  const error = { code: 'internal', message: 'An unexpected error; see the log of the run.' };
  expect(await outcomes()).toEqual([{ what: 'run', by: 'grace', outcome: { state: 'failed', error } }]);
});

test('an order of nobody known is recorded once, and a schedule’s trigger that fails without a record fails the execution', async () => {
  await answer(toRun, done);
  const recorded = [{ what: 'run', by: actions.unnamedOperator, outcome: { state: 'done' } }];
  expect(await outcomes()).toEqual(recorded);
  await expect(answer({ ...toRun, trigger: 'schedule' }, serviceDown)).rejects.toBe(serviceDown);
  expect(await outcomes()).toEqual(recorded);
});
