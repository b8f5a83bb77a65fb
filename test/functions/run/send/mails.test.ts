import { SendRawEmailCommand, SESClient, SESServiceException } from '@aws-sdk/client-ses';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addMembers } from '../../../../functions/ledger/persons/members.ts';
import { recordLeft } from '../../../../functions/ledger/persons/opt-outs.ts';
import { readAddresses } from '../../../../functions/ledger/persons/persons.ts';
import { planMessage, readMessages, type MessageRow } from '../../../../functions/ledger/runs/messages.ts';
import { createCircuitBreaker } from '../../../../functions/run/send/ses.ts';
import { isSendable } from '../../../../functions/run/send/send-once.ts';
import { sendShare, type Sender, type Sent } from '../../../../functions/run/send/mails.ts';
import { openLedger } from '../../ledger/open-ledger.ts';

vi.mock('node:timers/promises', async () => (await import('../../../support/short-pauses.ts')).timers);

const ledger = await openLedger();
let run = '';
let runs = 0;
const client = new SESClient({ region: 'eu-west-1' });
const ses = mockClient(client);
const whole = { part: 0, parts: 1 };

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
    report: { name: 'weekly' },
    configured: () => new Map(),
    run,
    execution: 'execution-1',
    named: null,
    resends: undefined,
    mail: { from: 'digest@example.com', identity: { of: 'address' } },
    configurationSet: 'digest-events',
    width: 3,
    compose: ({ to }) => Promise.resolve(Buffer.from(`To: ${to}\r\n\r\nHello`)),
    ...over,
    tooFast: () => tooFast,
  };
}

/** Sends what is planned of the run. */
const send = (over: Partial<Sender> = {}): Promise<Sent> => sendShare(senderOf(over), whole);
/** The same, in another execution. */
const sendLater = (over: Partial<Sender> = {}): Promise<Sent> => send({ execution: 'execution-2', ...over });

const plan = (...addresses: string[]): Promise<string[]> => ledger.plan(run, ...addresses);

/** Has SES answer a request with an id, or an error. */
function answerBy(next: (to: string) => Error | string | undefined | Promise<Error | string>): void {
  ses.on(SendRawEmailCommand).callsFake(async (input: { Destinations: string[] }) => {
    const answer = await next(input.Destinations[0] ?? '');
    if (answer instanceof Error) throw answer;
    return { MessageId: answer };
  });
}

/** Has SES answer each address with these answers, one after the other; the last repeats. */
function answer(answers: Record<string, ReadonlyArray<Error | string>> = {}): void {
  const left = new Map(Object.entries(answers).map(([to, script]) => [to, [...script]]));
  answerBy((to) => {
    const script = left.get(to) ?? ['ses-1'];
    return script.length > 1 ? script.shift() : script[0];
  });
}

const refusal = (name: string, message: string) =>
  new SESServiceException({ name, message, $fault: 'client', $metadata: { httpStatusCode: 400 } });
const rejected = refusal('MessageRejected', 'No.');
const throttled = refusal('Throttling', 'Maximum sending rate exceeded.');
const quota = refusal('Throttling', 'Daily message quota exceeded.');
const lost = new Error('socket hang up');
const unreached = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const sentTo = () => ses.commandCalls(SendRawEmailCommand).flatMap(({ args }) => args[0].input.Destinations ?? []);
/** The messages of the run, with their addresses. */
async function rows(): Promise<Array<MessageRow & { to: string }>> {
  const messages = await readMessages(ledger.table, run);
  const ids = messages.map(({ id }) => id);
  const addresses = await readAddresses(ledger.table, ids);
  return messages.map((row) => Object.assign(row, { to: addresses.get(row.id) ?? 'forgotten' }));
}
const states = async () => Object.fromEntries((await rows()).map(({ to, state }) => [to, state]));
const rowOf = async (address: string) => (await rows()).find(({ to }) => to === address);
const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'];

test('every planned message is sent once and marked with the id that SES gave', async () => {
  await plan(a, b, c);
  answer({ [a]: ['ses-a'] });
  expect(await send()).toEqual({ sent: 3, stopped: null });
  expect(sentTo().toSorted()).toEqual([a, b, c]);
  expect(await rowOf(a)).toMatchObject({ state: 'sent', messageId: 'ses-a' });
  expect(await send()).toEqual({ sent: 0, stopped: null });
  expect(sentTo()).toHaveLength(3);
});

test('a message is claimed before SES is called, and its tags are the claim', async () => {
  await plan(a);
  let before: unknown;
  answerBy(async () => {
    before = await rowOf(a);
    return 'ses-a';
  });
  await send();
  const input = ses.commandCalls(SendRawEmailCommand)[0]?.args[0].input;
  const tags = Object.fromEntries((input?.Tags ?? []).map(({ Name, Value }) => [Name, Value]));
  expect(before).toMatchObject({ state: 'claimed', claim: tags['claim'] });
  expect(tags).toEqual({ run, message: ledger.hashOf(a), claim: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(input).toMatchObject({
    Source: 'digest@example.com',
    Destinations: [a],
    ConfigurationSetName: 'digest-events',
    RawMessage: { Data: Buffer.from(`To: ${a}\r\n\r\nHello`) },
  });
});

describe('a message', () => {
  test('that SES refuses by name fails alone, is not tried again, and another execution tries it again', async () => {
    await plan(a, b);
    answer({ [a]: [rejected, 'ses-a'] });
    expect(await send()).toEqual({ sent: 1, stopped: null });
    expect(await rowOf(a)).toMatchObject({ state: 'failed', refusal: 'MessageRejected' });
    expect(await send()).toMatchObject({ sent: 0 });
    expect(await sendLater()).toMatchObject({ sent: 1 });
    expect(await states()).toEqual({ [a]: 'sent', [b]: 'sent' });
  });

  test('whose answer is lost stays unknown, and nobody sends it again', async () => {
    await plan(a);
    answer({ [a]: [lost, 'ses-a'] });
    expect(await send()).toEqual({ sent: 0, stopped: null });
    expect(await sendLater()).toMatchObject({ sent: 0 });
    expect([sentTo(), await states()]).toEqual([[a], { [a]: 'claimed' }]);
  });

  test.each([
    { what: 'is throttled slows the limiter down and', error: throttled, tooFast: 2 },
    { what: 'does not reach SES', error: unreached, tooFast: 0 },
  ])('that $what is sent later, once', async ({ error, tooFast }) => {
    await plan(a);
    answer({ [a]: [error, error, 'ses-a'] });
    const sender = senderOf();
    expect(await sendShare(sender, whole)).toEqual({ sent: 1, stopped: null });
    expect([sender.tooFast(), sentTo(), await states()]).toEqual([tooFast, [a, a, a], { [a]: 'sent' }]);
  });

  const stamp = { by: 'grace', at: '2026-11-10T08:00:00Z' };
  test.each([false, true])('to who left since it was planned is not sent, or tried again: %j', async (isTried) => {
    const left = `left-${isTried}@example.com`;
    const [hash = ''] = await plan(left, b);
    const leave = () => recordLeft(ledger.table, hash, { name: 'weekly' }, { left: true, at: stamp.at });
    if (!isTried) await leave();
    answerBy(async (to) => {
      if (to === b) return 'ses-1';
      await leave();
      return throttled;
    });
    expect(await send()).toEqual({ sent: 1, stopped: null });
    expect(sentTo().toSorted()).toEqual(isTried ? [b, left] : [b]);
    expect(await states()).toEqual({ [left]: 'unsubscribed', [b]: 'sent' });
  });

  test.each([
    { who: 'is still configured', over: { configured: () => new Map([[ledger.hashOf(c), c]]) }, state: 'sent' },
    { who: 'the trigger names', over: { named: new Set([ledger.hashOf(c)]) }, state: 'sent' },
    { who: 'an operator added', over: {}, added: true, state: 'sent' },
    { who: 'is configured no more', over: {}, state: 'removed' },
  ])('that was planned for a subscriber is for somebody who $who: $state', async ({ over, added, state }) => {
    await ledger.plan('persons', c);
    if (added) await addMembers(ledger.table, 'other', [{ hash: ledger.hashOf(c), address: c }], stamp);
    await planMessage(ledger.table, run, { id: ledger.hashOf(c), named: undefined, expiresAt: 1_900_000_000 });
    answer();
    await send({ report: { name: added ? 'other' : 'weekly' }, ...over });
    expect(await states()).toEqual({ [c]: state });
  });
});

test('what SES rejected for its content, or the trigger does not name, is not to be sent', () => {
  const failed = { id: 'm-1', state: 'failed', failedBy: 'execution-2' } as const;
  const execution = { execution: 'execution-1', named: new Set(['m-1']) };
  expect(isSendable(failed, execution)).toBe(true);
  expect(isSendable({ ...failed, rejectedAt: '2026-11-16T08:00:00Z' }, execution)).toBe(false);
  expect(isSendable({ ...failed, id: 'm-2' }, execution)).toBe(false);
});

describe('a batch whose time is over', () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    { what: 'sent something leaves the rest to another', outcome: 'ses-1', stopped: 'out-of-time', left: 'sent' },
    { what: 'only lost an answer counts as out of reach', outcome: lost, stopped: 'unreached', left: 'claimed' },
    { what: 'was only throttled counts as out of reach', outcome: throttled, stopped: 'unreached', left: 'planned' },
  ])('and that $what', async ({ outcome, stopped, left }) => {
    await plan(a, b);
    // Every answer of SES takes longer than a batch's time.
    const now = performance.now.bind(performance);
    let later = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    answerBy(() => {
      later += 1_000_000;
      return outcome;
    });
    expect(await send({ width: 1 })).toEqual({ sent: left === 'sent' ? 1 : 0, stopped });
    expect(Object.values(await states()).toSorted()).toEqual([left, 'planned'].toSorted());
    answer();
    expect(await send({ width: 1 })).toEqual({ sent: left === 'planned' ? 2 : 1, stopped: null });
  });
});

test.each([
  { why: 'the daily quota is used up', error: quota, tries: 1, stopped: 'daily-quota' },
  { why: 'SES cannot be reached', error: unreached, tries: 12, stopped: 'unreached' },
  { why: 'SES throttles however slow the limiter', error: throttled, tries: 60, stopped: 'unreached' },
])('a batch stops, and leaves the rest planned, where $why, after tries: $tries', async ({ error, tries, stopped }) => {
  await plan(a, b, c);
  answerBy(() => error);
  expect(await send({ width: 1 })).toEqual({ sent: 0, stopped });
  expect(sentTo()).toHaveLength(tries);
  expect(await states()).toEqual({ [a]: 'planned', [b]: 'planned', [c]: 'planned' });
  answer();
  expect(await send()).toEqual({ sent: 3, stopped: null });
});
