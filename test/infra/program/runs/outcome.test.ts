import { expect, test } from 'vitest';
import type { Digest } from '../../../../functions/digest/schema.ts';
import { claimMessage } from '../../../../functions/ledger/runs/claims.ts';
import { readMessages } from '../../../../functions/ledger/runs/messages.ts';
import {
  changeCurrent,
  knownDeliveries,
  observedLists,
  readCurrent,
} from '../../../../functions/ledger/observations.ts';
import { insertRun, recordOutcome, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { failedReceipt, type Receipt } from '../../../../functions/run/receipt/receipt.ts';
import { failureOfStatus } from '../../../../functions/reporting-service/requests/failure.ts';
import * as outcomes from '../../../../infra/program/runs/outcome.ts';
import { chooseDue } from '../../../../infra/program/command-line/choices.ts';
import type { TriggerOutcome } from '../../../../infra/program/targets/target.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { digestsOf } from '../../../support/facts/digests.ts';
import { letters } from '../../../support/facts/world.ts';
import { reportOf } from '../../../functions/run/configured.ts';
import { planKeptRun, week } from '../../../functions/run/kept-run.ts';

const run = 'weekly_2026-W46';

const { error: _error, ...receipt } = failedReceipt(
  { run, report: 'weekly', period: week },
  { code: 'internal', message: 'It failed.' },
);

const sealed = { code: 'sealed', message: 'Run "weekly_2026-W46" is sealed.' } as const;

type Gaps = Pick<Digest, 'unavailable'>;

const complete: Gaps = { unavailable: [] };
const incomplete: Gaps = {
  unavailable: [{ what: 'deliveries', broadcast: null, delivery: null, content: null, reason: 'cut-off' }],
};

interface Ended {
  when: string;
  state?: Receipt['state'];
  digest?: Gaps | null;
  balance?: Partial<Receipt['balance']>;
  error?: Receipt['error'];
  asOrdered?: boolean;
  code: number;
}
test.each<Ended>([
  { when: 'everything was sent', balance: { sent: 2, sentNow: 2 }, code: 0 },
  { when: 'it was sent before', balance: { sent: 2 }, code: 0 },
  { when: 'there is no digest', digest: null, code: 1 },
  { when: 'it does not balance', balance: { sent: 2, sentNow: 2, balanced: false }, code: 1 },
  { when: 'it failed after its mails were sent', state: 'failed', balance: { sent: 2, sentNow: 2 }, code: 1 },
  { when: 'every attempt failed', balance: { failed: 2 }, code: 1 },
  { when: 'it stopped before the first', state: 'sending', balance: { planned: 2 }, error: sealed, code: 1 },
  { when: 'something was unavailable', digest: incomplete, balance: { sent: 2, sentNow: 2 }, code: 2 },
  { when: 'one of two failed', balance: { sent: 1, sentNow: 1, failed: 1 }, code: 2 },
  { when: 'nobody knows of one', balance: { failed: 1, unknown: 1 }, code: 2 },
  { when: 'some are left for later', state: 'sending', balance: { sent: 1, planned: 1 }, code: 2 },
  { when: 'some were not asked for', state: 'kept', balance: { sent: 1, sentNow: 1, planned: 1 }, code: 0 },
  { when: 'its settings hold it', state: 'held', balance: { held: 2 }, code: 2 },
  { when: 'it is held, and is for nobody', state: 'held', code: 2 },
  { when: 'it is held as ordered', state: 'held', balance: { held: 2 }, asOrdered: true, code: 0 },
])('a run exits with $code where $when', ({ code, balance, error, state = 'done', digest = complete, asOrdered }) => {
  const ended = { ...receipt, state, balance: { ...receipt.balance, ...balance }, ...(error && { error }) };
  expect(outcomes.exitCodeOf(ended, digest, asOrdered ? { asOrdered } : {})).toBe(code);
});

test.each([403, 404, 500])(
  'of content items that are answered with %s their type is said, and whom to ask for the right',
  (status) => {
    const { reason } = failureOfStatus('', status).error.unavailable;
    const world = letters(1, () => ({ seen: 40 })).map((letter) =>
      Object.assign(letter, { items: [{ id: 'q', type: 'quiz' }] }),
    );
    const [digest] = digestsOf(world);
    if (digest === undefined) throw new RangeError('There is no digest.');
    const delivery = digest.broadcasts[0]?.deliveries[0]?.id ?? '';
    const gap = { what: 'content', broadcast: null, delivery, content: 'q', reason, status } as const;
    const lines = outcomes.summarize(receipt, { ...digest, unavailable: [gap] }).join();
    expect(lines).toContain(`1 × content of type "quiz" ${reason.replace('-', ' ')} (${status})`);
    expect(lines.includes("the service's contact")).toBe(status < 500);
  },
);

test('an order that was refused is the outcome of the call, though the run was done before; else it is as the ledger has it', async () => {
  const { table } = await openLedger();
  const { period } = await planKeptRun(table, 0);
  const done = { state: 'done', sentNow: 0, finishedAt: '2026-11-16T08:01:00Z' } as const;
  await recordOutcome(table, await requireRun(table, 'weekly', period), done);
  const refused: TriggerOutcome = { result: undefined, failure: sealed };
  const report = reportOf();
  const read = (at: string, ended: TriggerOutcome) =>
    outcomes.readEnded(table, report, chooseDue(report, { at }), ended);

  const at = '2026-11-16T08:00:00Z';
  const { receipt } = await read(at, { failure: null, result: { run, state: 'done' } });
  expect(receipt).toMatchObject({ state: 'done', balance: { balanced: true } });
  expect(receipt.error).toBeUndefined();
  expect((await read(at, refused)).receipt).toMatchObject({ run, state: 'failed', error: sealed });
  // Before there was a run, the reason is in a receipt of its own.
  expect(await read('2026-11-09T08:00:00Z', refused)).toMatchObject({
    run: null,
    receipt: { run: 'weekly_2026-W45', state: 'failed', messages: [], error: sealed },
    digest: null,
  });
});

test('messages are sent again from a quarter of an hour after the last of them was claimed', async () => {
  const { table } = await openLedger();
  const { run, period } = await planKeptRun(table, 2);
  const claim = { claim: 'c', execution: 'e' };
  for (const [place, { id }] of (await readMessages(table, run)).entries())
    await claimMessage(table, run, id, { ...claim, claimedAt: Date.parse('2026-11-16T08:00:00Z') + place * 600_000 });
  const [planned, rows] = [await requireRun(table, 'weekly', period), await readMessages(table, run)];
  const [, again] = outcomes.describeUnknown(planned, rows, []);
  expect(again).toContain('from 2026-11-16 08:25 Europe/London on');
  expect(outcomes.describeUnknown({ ...planned, state: 'sending' }, rows, [])).toEqual([]);
});

test('while a run waits for an observation, its progress counts what was read of the account', async () => {
  const { table } = await openLedger();
  const times = { scheduledTime: '2026-11-16T08:00:00Z', plannedAt: '2026-11-16T08:00:01Z' };
  await insertRun(table, { run: 'other_2026-W46', report: 'other', period: week, ...times }, 1_900_000_000);
  const describe = async () => await outcomes.describeProgress(table, 'sample', await requireRun(table, 'other', week));
  expect(await describe()).toBe('other_2026-W46: planned');

  const begun = { id: 'one', atMs: 1, begunMs: 1, settings: '', owner: 'e', leaseMs: 2, state: 'open' as const };
  await changeCurrent(table, 'sample', null, begun);
  expect(await describe()).toBe('other_2026-W46: reading the list of deliveries');
  const key = { account: 'sample', observation: 'one', now: new Date() };
  const place = { broadcastId: '71', month: '2026-11' };
  await observedLists.put(table, key, { rows: 2, added: 2, deliveries: 2, batches: 2 });
  expect(await describe()).toBe('other_2026-W46: 0 of 2 deliveries read');
  const known = { isListed: true, firstSignMs: null, begunMs: 1, followedUntilMs: 1, readMs: 1, mayBeReadLater: false };
  await knownDeliveries.put(table, key, [{ ...place, ...known, id: 'a' }], 0);
  expect(await describe()).toBe('other_2026-W46: 1 of 2 deliveries read');
  await changeCurrent(table, 'sample', await readCurrent(table, 'sample'), { state: 'closed' });
  expect(await describe()).toBe('other_2026-W46: planned');
});
