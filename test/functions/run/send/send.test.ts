import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressKey, suppressAddress } from '../../../../functions/ledger/addresses/addresses.ts';
import { forgetRow } from '../../../../functions/ledger/addresses/forgotten.ts';
import { unsubscribe } from '../../../../functions/ledger/addresses/unsubscriptions.ts';
import { claimMessage } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, planMessage, readMessage, readMessages } from '../../../../functions/ledger/runs/messages.ts';
import { createCircuitBreaker } from '../../../../functions/run/send/ses.ts';
import { isSendable, sendShare, type Sender } from '../../../../functions/run/send/send.ts';
import { openLedger, readToEnd, type Ledger } from '../../ledger/open-ledger.ts';
import { reportNamed } from '../../../support/report-named.ts';

// No wait of the sender's is long: the pauses between its tries are not what is tested.
vi.mock(import('node:timers/promises'), async (original) => {
  const real = await original();
  const setTimeout: typeof real.setTimeout = (ms, ...rest) => real.setTimeout(Math.min(ms ?? 0, 5), ...rest);
  return { ...real, setTimeout };
});

let ledger: Ledger;
let run = '';
let runs = 0;
const client = new SESClient({ region: 'eu-west-1' });
const ses = mockClient(client);
const whole = { part: 0, of: 1 };

beforeAll(async () => {
  ledger = await openLedger();
});
beforeEach(() => {
  ses.reset();
  runs += 1;
  run = `weekly_${runs}`;
});

function senderOf(over: Partial<Sender> = {}): Sender & { tooFast: () => number } {
  let tooFast = 0;
  return {
    table: ledger.table,
    ses: client,
    limiter: { schedule: (send) => send(), tooFast: () => void (tooFast += 1) },
    breaker: createCircuitBreaker(),
    report: reportNamed('weekly'),
    run,
    execution: 'execution-1',
    named: null,
    from: 'digest@example.com',
    configurationSet: 'digest-events',
    clock: Date.now,
    width: 3,
    longestMs: 600_000,
    compose: (to) => Promise.resolve(Buffer.from(`To: ${to}\r\n\r\nHello`)),
    ...over,
    tooFast: () => tooFast,
  };
}

async function plan(...addresses: string[]): Promise<void> {
  await Promise.all(addresses.map((to) => planMessage(ledger.table, run, to, 1_900_000_000)));
}

/** Has SES answer each address with these answers, one after the other; the last repeats. */
function answer(answers: Record<string, ReadonlyArray<Error | string>>): void {
  const left = new Map(Object.entries(answers).map(([to, each]) => [to, [...each]]));
  ses.on(SendRawEmailCommand).callsFake((input: { Destinations: string[] }) => {
    const script = left.get(input.Destinations[0] ?? '') ?? ['ses-1'];
    const next = script.length > 1 ? script.shift() : script[0];
    if (next instanceof Error) throw next;
    return { MessageId: next };
  });
}

const refusal = (name: string, text: string) =>
  Object.assign(new Error(text), { name, $metadata: { httpStatusCode: 400 } });
const rejected = refusal('MessageRejected', 'No.');
const throttled = refusal('Throttling', 'Maximum sending rate exceeded.');
const quota = refusal('Throttling', 'Daily message quota exceeded.');
const lost = new Error('socket hang up');
const unreached = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

const sentTo = () => ses.commandCalls(SendRawEmailCommand).flatMap(({ args }) => args[0].input.Destinations ?? []);
const states = async () =>
  Object.fromEntries((await readToEnd(readMessages(ledger.table, run))).map(({ to, state }) => [to, state]));
const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'];

test('every planned message is sent once and marked with the id that SES gave', async () => {
  await plan(a, b, c);
  answer({ [a]: ['ses-a'], [b]: ['ses-b'], [c]: ['ses-c'] });
  expect(await sendShare(senderOf(), whole)).toEqual({ sent: 3, stopped: null });
  expect(sentTo().toSorted()).toEqual([a, b, c]);
  expect(await readMessage(ledger.table, run, messageIdOf(run, a))).toMatchObject({
    state: 'sent',
    messageId: 'ses-a',
  });
  expect(await sendShare(senderOf(), whole)).toEqual({ sent: 0, stopped: null });
  expect(sentTo()).toHaveLength(3);
});

test('a message is claimed before SES is called, and its tags are the claim', async () => {
  await plan(a);
  let before: unknown;
  ses.on(SendRawEmailCommand).callsFake(async () => {
    before = await readMessage(ledger.table, run, messageIdOf(run, a));
    return { MessageId: 'ses-a' };
  });
  await sendShare(senderOf(), whole);
  const input = ses.commandCalls(SendRawEmailCommand)[0]?.args[0].input;
  const tags = Object.fromEntries((input?.Tags ?? []).map(({ Name, Value }) => [Name, Value]));
  expect(before).toMatchObject({ state: 'claimed', claim: tags['claim'] });
  expect(tags).toEqual({ run, message: messageIdOf(run, a), claim: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(input).toMatchObject({
    Source: 'digest@example.com',
    Destinations: [a],
    ConfigurationSetName: 'digest-events',
    RawMessage: { Data: Buffer.from(`To: ${a}\r\n\r\nHello`) },
  });
});

test('a turn ends with the answer of SES, not when the ledger knows of it: the next message waits for no more', async () => {
  await plan(a);
  answer({ [a]: ['ses-a'] });
  let atEndOfTurn: unknown;
  const limiter: Sender['limiter'] = {
    schedule: async (send) => {
      const outcome = await send();
      atEndOfTurn = await readMessage(ledger.table, run, messageIdOf(run, a));
      return outcome;
    },
    tooFast: () => undefined,
  };
  await sendShare(senderOf({ limiter }), whole);
  expect(ses.commandCalls(SendRawEmailCommand)).toHaveLength(1);
  expect(atEndOfTurn).toMatchObject({ state: 'claimed' });
  expect(await states()).toEqual({ [a]: 'sent' });
});

test('no more than the width are on their way at once', async () => {
  await plan(...Array.from({ length: 20 }, (_, n) => `s${n}@example.com`));
  let open = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  ses.on(SendRawEmailCommand).callsFake(async () => {
    open += 1;
    most = Math.max(most, open);
    if (open === 4) full.resolve();
    await Promise.race([full.promise, new Promise((resolve) => setTimeout(resolve, 2_000))]);
    // Time for one too many.
    await new Promise((resolve) => setTimeout(resolve, 2));
    open -= 1;
    return { MessageId: 'ses-1' };
  });
  await sendShare(senderOf({ width: 4 }), whole);
  expect(most).toBe(4);
});

describe('a message', () => {
  test('that SES refuses by name fails alone, is not tried again, and another execution tries it again', async () => {
    await plan(a, b);
    answer({ [a]: [rejected, 'ses-a'] });
    expect(await sendShare(senderOf(), whole)).toEqual({ sent: 1, stopped: null });
    expect(await readMessage(ledger.table, run, messageIdOf(run, a))).toMatchObject({
      state: 'failed',
      refusal: 'MessageRejected',
    });
    expect(await sendShare(senderOf(), whole)).toMatchObject({ sent: 0 });
    expect(await sendShare(senderOf({ execution: 'execution-2' }), whole)).toMatchObject({ sent: 1 });
    expect(await states()).toEqual({ [a]: 'sent', [b]: 'sent' });
  });

  test('whose answer is lost stays unknown, and nobody sends it again', async () => {
    await plan(a);
    answer({ [a]: [lost, 'ses-a'] });
    expect(await sendShare(senderOf(), whole)).toEqual({ sent: 0, stopped: null });
    expect(await states()).toEqual({ [a]: 'claimed' });
    expect(await sendShare(senderOf({ execution: 'execution-2' }), whole)).toMatchObject({ sent: 0 });
    expect(sentTo()).toEqual([a]);
  });

  test('that is throttled slows the limiter down and is sent later, once', async () => {
    await plan(a);
    answer({ [a]: [throttled, throttled, 'ses-a'] });
    const sender = senderOf();
    expect(await sendShare(sender, whole)).toEqual({ sent: 1, stopped: null });
    expect([sender.tooFast(), sentTo()]).toEqual([2, [a, a, a]]);
    expect(await states()).toEqual({ [a]: 'sent' });
  });

  test('that somebody else has claimed is left to them', async () => {
    await plan(a, b);
    await claimMessage(ledger.table, run, messageIdOf(run, a), {
      claim: 'theirs',
      execution: 'execution-2',
      claimedAt: 1,
    });
    answer({});
    expect(await sendShare(senderOf(), whole)).toMatchObject({ sent: 1 });
    expect([sentTo(), await states()]).toEqual([[b], { [a]: 'claimed', [b]: 'sent' }]);
  });

  test('that cannot be composed, because its address is invalid, fails alone', async () => {
    await plan(a, b);
    answer({});
    const compose = (to: string) =>
      to === a ? Promise.reject(new TypeError('no address')) : Promise.resolve(Buffer.from('x'));
    expect(await sendShare(senderOf({ compose }), whole)).toEqual({ sent: 1, stopped: null });
    expect(await readMessage(ledger.table, run, messageIdOf(run, a))).toMatchObject({
      state: 'failed',
      refusal: 'InvalidAddress',
    });
    expect(sentTo()).toEqual([b]);
  });

  test('to an address that gets no mail any more is not sent, and says why', async () => {
    const [bounced, left] = ['bounced@example.com', 'left@example.com'];
    await plan(bounced, left, b);
    const bounce = { reason: 'bounce', at: '2026-11-10T08:00:00Z', run: 'weekly_before' } as const;
    await suppressAddress(ledger.table, 'Bounced@example.com', bounce);
    await unsubscribe(ledger.table, addressKey('Left@example.com'), { name: 'weekly' }, '2026-11-10T08:00:00Z');
    answer({});
    expect(await sendShare(senderOf(), whole)).toMatchObject({ sent: 1 });
    expect([sentTo(), await states()]).toEqual([[b], { [bounced]: 'suppressed', [left]: 'unsubscribed', [b]: 'sent' }]);
  });
});

test.each([
  { row: { state: 'planned' }, open: true },
  { row: { state: 'claimed' }, open: false },
  { row: { state: 'sent' }, open: false },
  { row: { state: 'suppressed' }, open: false },
  { row: { state: 'unsubscribed' }, open: false },
  { row: { state: 'failed', failedBy: 'execution-1' }, open: false },
  { row: { state: 'failed', failedBy: 'execution-2' }, open: true },
  { row: { state: 'failed', failedBy: 'execution-2', rejectedAt: '2026-11-16T08:00:00Z' }, open: false },
] as const)('a row that is $row is to be sent by this execution: $open', ({ row, open }) => {
  expect(isSendable({ id: 'm-1', to: a, ...row }, { execution: 'execution-1', named: null })).toBe(open);
  expect(isSendable({ id: 'm-1', to: a, ...row }, { execution: 'execution-1', named: new Set(['m-1']) })).toBe(open);
  expect(isSendable({ id: 'm-1', to: a, ...row }, { execution: 'execution-1', named: new Set() })).toBe(false);
});

test('a message whose address is forgotten while SES throttles it is not sent, and counts as failed', async () => {
  await plan(a);
  ses.on(SendRawEmailCommand).callsFake(async () => {
    const [row] = await readToEnd(readMessages(ledger.table, run));
    if (row !== undefined) await forgetRow(ledger.table, { run, row, hash: (text) => text, now: 0 });
    throw throttled;
  });
  expect(await sendShare(senderOf(), whole)).toMatchObject({ sent: 0, stopped: null });
  expect(sentTo()).toEqual([a]);
  expect(await readMessage(ledger.table, run, messageIdOf(run, a))).toMatchObject({
    to: 'forgotten',
    state: 'failed',
    refusal: 'Forgotten',
  });
});

test('an error of the composition itself is an error of the batch, and leaves no claim', async () => {
  await plan(a);
  answer({});
  await expect(sendShare(senderOf({ compose: () => Promise.reject(new Error('no template')) }), whole)).rejects.toThrow(
    'no template',
  );
  expect([sentTo(), await states()]).toEqual([[], { [a]: 'planned' }]);
});

const countOf = async (wanted: string) => Object.values(await states()).filter((state) => state === wanted).length;

/** Has SES answer the first messages, and then, after a moment, none. */
function answerFirst(first: number): void {
  let asked = 0;
  ses.on(SendRawEmailCommand).callsFake(async () => {
    asked += 1;
    if (asked <= first) return { MessageId: `ses-${asked}` };
    await new Promise((resolve) => setTimeout(resolve, 2));
    throw lost;
  });
}

describe('where answers of SES are lost,', () => {
  const many = Array.from({ length: 120 }, (_, n) => `s${n}@example.com`);
  test('three in a row stop all lanes: those that were on their way are unknown, the rest is planned', async () => {
    await plan(...many);
    answerFirst(20);
    const result = await sendShare(senderOf({ width: 10 }), whole);
    expect(result).toEqual({ sent: 20, stopped: 'answers-lost' });
    const unknown = await countOf('claimed');
    expect(unknown).toBeGreaterThanOrEqual(3);
    expect(unknown).toBeLessThanOrEqual(3 + 9);
    expect(sentTo()).toHaveLength(20 + unknown);
    expect(await countOf('planned')).toBe(100 - unknown);
    answer({});
    const next = await sendShare(senderOf({ execution: 'execution-2' }), whole);
    expect(next).toEqual({ sent: 100 - unknown, stopped: null });
    expect(await countOf('claimed')).toBe(unknown);
  });

  test('a message that waits for its turn meanwhile is not claimed', async () => {
    await plan(...many);
    answerFirst(20);
    let turn = Promise.resolve<unknown>(undefined);
    const limiter: Sender['limiter'] = {
      schedule: (send) => {
        const sent = turn.then(send);
        turn = sent;
        return sent;
      },
      tooFast: () => undefined,
    };
    expect(await sendShare(senderOf({ width: 10, limiter }), whole)).toMatchObject({ stopped: 'answers-lost' });
    expect([await countOf('claimed'), await countOf('planned')]).toEqual([3, 97]);
  });

  test('one message at a time is risked until SES has answered', async () => {
    await plan(...many);
    answerFirst(0);
    expect(await sendShare(senderOf({ width: 10 }), whole)).toMatchObject({ stopped: 'answers-lost' });
    expect(await countOf('claimed')).toBe(3);
    let open = 0;
    const others: number[] = [];
    ses.on(SendRawEmailCommand).callsFake(async () => {
      others.push(open);
      open += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
      open -= 1;
      if (others.length < 3) throw lost;
      return { MessageId: 'ses-1' };
    });
    const next = await sendShare(senderOf({ width: 10 }), whole);
    expect(next).toEqual({ sent: 115, stopped: null });
    expect(await countOf('claimed')).toBe(3 + 2);
    expect(others.slice(0, 3)).toEqual([0, 0, 0]);
    expect(Math.max(...others)).toBeGreaterThan(1);
  });

  test.each([
    { what: 'accepts', between: 'ses-1' },
    { what: 'refuses', between: rejected },
  ])('counting begins anew where SES $what one in between', async ({ between }) => {
    await plan(a, b, c, 'd@example.com', 'e@example.com');
    const script = [lost, lost, between, lost, lost];
    ses.on(SendRawEmailCommand).callsFake(() => {
      const next = script.shift();
      if (next instanceof Error) throw next;
      return { MessageId: next };
    });
    expect(await sendShare(senderOf({ width: 1 }), whole)).toMatchObject({ stopped: null });
    expect(await countOf('claimed')).toBe(4);
  });

  test('counting goes on from batch to batch', async () => {
    await plan(...many);
    answerFirst(0);
    const sender = senderOf({ width: 1 });
    for (let part = 0; part < 60; part += 1) {
      if ((await sendShare(sender, { part, of: 60 })).stopped !== null) break;
    }
    expect(await countOf('claimed')).toBe(3);
  });

  test('a batch whose every message is on its way when the third is lost has stopped nothing', async () => {
    await plan(a, b, c);
    answerFirst(0);
    expect(await sendShare(senderOf(), whole)).toEqual({ sent: 0, stopped: null });
    expect(await countOf('claimed')).toBe(3);
  });
});

/** Has every answer of SES take longer than a batch's time. */
function answerLate(outcome: string | Error): void {
  const now = performance.now.bind(performance);
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  ses.on(SendRawEmailCommand).callsFake(() => {
    later += 1_000_000;
    if (outcome instanceof Error) throw outcome;
    return { MessageId: outcome };
  });
}

describe('a batch whose time is over', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('hands over nothing more, and leaves the rest to another batch', async () => {
    await plan(a, b, c);
    answerLate('ses-1');
    expect(await sendShare(senderOf({ width: 1 }), whole)).toEqual({ sent: 1, stopped: 'out-of-time' });
    expect(Object.values(await states()).toSorted()).toEqual(['planned', 'planned', 'sent']);
    answer({});
    expect(await sendShare(senderOf({ width: 1 }), whole)).toMatchObject({ sent: 2, stopped: null });
  });

  test.each([
    { what: 'lost an answer', outcome: lost, left: ['claimed', 'planned'] },
    { what: 'was throttled', outcome: throttled, left: ['planned', 'planned'] },
  ])('counts as out of reach where it only $what', async ({ outcome, left }) => {
    await plan(a, b);
    answerLate(outcome);
    expect(await sendShare(senderOf({ width: 1 }), whole)).toMatchObject({ stopped: 'unreached' });
    expect(Object.values(await states()).toSorted()).toEqual(left);
  });
});

test.each([
  { why: 'the daily quota is used up', error: quota, tries: 1, stopped: 'daily-quota' },
  { why: 'SES cannot be reached', error: unreached, tries: 12, stopped: 'unreached' },
  { why: 'SES throttles however slow the limiter', error: throttled, tries: 60, stopped: 'unreached' },
])('a batch stops, and leaves the rest planned, where $why, after tries: $tries', async ({ error, tries, stopped }) => {
  await plan(a, b, c);
  answer({ [a]: [error], [b]: [error], [c]: [error] });
  expect(await sendShare(senderOf({ width: 1 }), whole)).toEqual({ sent: 0, stopped });
  expect(sentTo()).toHaveLength(tries);
  expect(await states()).toEqual({ [a]: 'planned', [b]: 'planned', [c]: 'planned' });
  answer({});
  expect(await sendShare(senderOf(), whole)).toEqual({ sent: 3, stopped: null });
});

test('a batch goes on where SES is reached again', async () => {
  await plan(a);
  answer({ [a]: [unreached, unreached, 'ses-a'] });
  expect(await sendShare(senderOf(), whole)).toEqual({ sent: 1, stopped: null });
});
