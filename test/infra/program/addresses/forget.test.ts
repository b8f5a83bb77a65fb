import fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { periodBefore, runName, type Period } from '../../../../functions/domain/period.ts';
import { Address } from '../../../../functions/domain/configuration/fields.ts';
import { recordAction } from '../../../../functions/ledger/runs/actions.ts';
import { addressKey, suppressAddress } from '../../../../functions/ledger/addresses/addresses.ts';
import { claimMessage, markFailed, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { markOptedOut, messageIdOf, planMessage, readMessages } from '../../../../functions/ledger/runs/messages.ts';
import { pauseReport } from '../../../../functions/ledger/reports.ts';
import { insertRun, recordIntended, recordOutcome, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { putLedgerSubscribers } from '../../../../functions/ledger/addresses/subscribers.ts';
import type { StoredItem } from '../../../../functions/ledger/table.ts';
import { putTriggerSubscribers, readTriggerSubscribers } from '../../../../functions/ledger/runs/triggers.ts';
import { unsubscribe } from '../../../../functions/ledger/addresses/unsubscriptions.ts';
import { createAddressReplacer, forget as forgetAddress } from '../../../../infra/program/addresses/forget.ts';
import { scanTable } from '../../../../infra/program/targets/scan.ts';
import { configured } from '../../../functions/run/configured.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';

const expiresAt = 4_000_000_000;
const at = '2026-11-16T08:00:00Z';
const by = 'grace';
const claimed = { claim: 'claim-1', execution: 'execution-1', claimedAt: 1 };
/** A run of a day for each state that a row can be in. */
const states = ['planned', 'claimed', 'sent', 'failed', 'suppressed', 'unsubscribed'] as const;
const dayOf = (state: (typeof states)[number]): Period =>
  periodBefore('day', 'UTC', `2026-01-1${states.indexOf(state)}T00:00:00Z`);
const runOf = (state: (typeof states)[number]): string => runName('weekly', dayOf(state));
const requireRunOf = (state: (typeof states)[number]) => requireRun(ledger.table, 'weekly', dayOf(state));

const textOf = (characters: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((all) => all.join(''));

const local = textOf(['a', 'n', 'N', '.', '+', '-', '_', "'", '/', '=', '1'], 1, 4);
const domain = fc.constantFrom('example.com', 'example.com.au', 'ample.com', 'n-example.com', 'EXAMPLE.com', 'a.n.co');
const address = fc.tuple(local, domain).map((parts) => parts.join('@'));

/** Two different addresses, of which one is often contained in the other. */
const relatedAddresses: fc.Arbitrary<[string, string]> = fc
  .oneof(
    fc.tuple(address, address),
    fc.tuple(address, local).map(([one, before]) => [one, `${before}${one}`]),
    fc.tuple(address, fc.constantFrom('.au', '-x.de', 'm', '.a.n.co')).map(([one, after]) => [one, `${one}${after}`]),
    fc.tuple(address, local).map(([one, tag]) => [one, one.replace('@', `+${tag}@`)]),
  )
  .filter((pair): pair is [string, string] => pair.every((each) => v.is(Address, each)))
  .filter(([one, other]) => one.toLowerCase() !== other.toLowerCase())
  .chain(([one, other]) => fc.constantFrom<[string, string]>([one, other], [other, one]));

/** The same address, written otherwise. */
const inOtherCase = (given: string): string =>
  given.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const ledger = await openLedger();
beforeEach(() => empty());

const configuration = configured();
const scan = () => scanTable(ledger.client, 'ledger');
const stored = (): Promise<StoredItem[]> => Array.fromAsync(scan());
const forget = (address: string) => forgetAddress({ table: ledger.table, scan, configuration }, address);

async function empty(): Promise<void> {
  for (const { pk, sk } of await stored()) await ledger.table.remove({ pk: String(pk), sk: String(sk) });
}

async function planRuns(): Promise<void> {
  for (const state of states) {
    const planned = { report: 'weekly', period: dayOf(state), scheduledTime: at, plannedAt: at };
    await insertRun(ledger.table, { run: runOf(state), ...planned }, expiresAt);
  }
}

/** Brings a row of an address into a state, in the state's own run. */
async function bringInto(state: (typeof states)[number], to: string): Promise<void> {
  const { table } = ledger;
  const run = runOf(state);
  const id = messageIdOf(run, to);
  await planMessage(table, run, to, expiresAt);
  if (state === 'planned') return;
  if (state === 'suppressed' || state === 'unsubscribed') return await markOptedOut(table, run, id, state);
  await claimMessage(table, run, id, claimed);
  const message = { run, id, claim: claimed.claim };
  if (state === 'sent') await markSent(table, message, 'ses-1');
  if (state === 'failed') await markFailed(table, message, { refusal: 'No', failedBy: claimed.execution });
}

/** All that the ledger can hold of an address and of nobody else. */
async function store(address: string): Promise<void> {
  const { table } = ledger;
  const key = addressKey(address);
  for (const state of states) await bringInto(state, address);
  await putLedgerSubscribers(table, 'weekly', [{ key, state: 'added', address, by, at }]);
  await suppressAddress(table, address, { reason: 'bounce', at, run: runOf('planned') });
  // An item of earlier releases.
  await table.putMany([{ pk: `ADDRESS#${key}`, sk: 'SOFT_BOUNCE#weekly_2026-01-05#m', at, expiresAt }]);
  await unsubscribe(table, key, { name: 'weekly' }, at);
}

/** A text about two addresses. */
const say = (one: string, other: string): string =>
  `Asked by ${one} for <${other}>, mailto:${one}?cc=(${other}); "${one}", "${other}". Then ${one}.`;

/** Items that are about both: lists of triggers, and texts at every depth. */
async function storeShared(one: string, other: string): Promise<{ trigger: string }> {
  const { table } = ledger;
  const text = say(one, other);
  const trigger = await putTriggerSubscribers(table, [one, 'third@example.org', other], new Date());
  await recordAction(table, { report: 'weekly' }, { what: 'test', by: text, at, detail: text }, expiresAt);
  await pauseReport(table, { name: 'weekly' }, { at, by: `arn:aws:sts::1:assumed-role/Operators/${one}` });
  const failed = { state: 'failed', sentNow: 0, finishedAt: at, error: { code: 'x', message: text } } as const;
  await recordOutcome(table, await requireRunOf('planned'), failed);
  await table.putMany([{ pk: 'NOTES', sk: 'nested', lists: [[{ text }], text, 7, null, true], expiresAt }]);
  return { trigger };
}

async function countRows(state: (typeof states)[number]): Promise<number> {
  return (await Array.fromAsync(readMessages(ledger.table, runOf(state)))).length;
}

async function recordAllIntended(): Promise<void> {
  for (const state of states) await recordIntended(ledger.table, await requireRunOf(state), await countRows(state));
}

async function unbalanced(): Promise<string[]> {
  const names: string[] = [];
  for (const state of states) {
    const { run, intended } = await requireRunOf(state);
    if ((await countRows(state)) !== intended) names.push(run);
  }
  return names;
}

const idOf = ({ pk, sk }: StoredItem): string => `${String(pk)} ${String(sk)}`;

test('forgetting one of two addresses changes nothing of the other, and leaves nothing of the one', async () => {
  await fc.assert(
    fc.asyncProperty(relatedAddresses, async ([one, other]) => {
      await empty();
      await planRuns();
      const runs = new Set((await stored()).map(idOf));
      await store(other);
      const ofOther = (await stored()).filter((item) => !runs.has(idOf(item)));
      await store(one);
      const { trigger } = await storeShared(one, other);
      await recordAllIntended();

      await forget(inOtherCase(one));

      const after = new Map((await stored()).map((item) => [idOf(item), item]));
      for (const item of ofOther) expect(after.get(idOf(item))).toEqual(item);
      expect(await unbalanced()).toEqual([]);

      const said = say('forgotten', other);
      expect((await requireRunOf('planned')).error?.message).toBe(said);
      expect(await ledger.items('ACTIONS#weekly')).toMatchObject([{ by: said, detail: said }]);
      expect(after.get('NOTES nested')).toMatchObject({ lists: [[{ text: said }], said, 7, null, true] });
      const pausedBy = 'arn:aws:sts::1:assumed-role/Operators/forgotten';
      expect(after.get('REPORTS weekly')).toMatchObject({ pausedBy });
      expect(await readTriggerSubscribers(ledger.table, trigger)).toEqual(['third@example.org', other]);

      const [gone, kept] = [one.toLowerCase(), other.toLowerCase()];
      const text = JSON.stringify([...after.values()]).toLowerCase();
      const rest = kept.includes(gone) ? text.replaceAll(kept, '|') : text;
      for (const trace of [gone, addressKey(one)]) expect(rest).not.toContain(trace);
      const others = states.filter((state) => state !== 'claimed');
      for (const state of others) expect(rest).not.toContain(messageIdOf(runOf(state), one));
    }),
    { numRuns: 12 },
  );
}, 240_000);

test('a planned message that is claimed while the ledger is read stays, because its mail may be on its way', async () => {
  const to = 'ada@example.com';
  await planRuns();
  await bringInto('planned', to);
  await recordAllIntended();
  const seen = await stored();
  const run = runOf('planned');
  const id = messageIdOf(run, to);
  await claimMessage(ledger.table, run, id, claimed);
  const stale = async function* () {
    yield* seen;
  };
  expect(await forgetAddress({ table: ledger.table, scan: stale, configuration }, to)).toMatchObject({ items: 1 });
  expect(await Array.fromAsync(readMessages(ledger.table, run))).toMatchObject([
    { id, to: 'forgotten', state: 'claimed' },
  ]);
  expect(await unbalanced()).toEqual([]);
});

const replace = createAddressReplacer('n@example.com', 'forgotten');

describe('an address in a text', () => {
  test.each([
    ['n@example.com', 'forgotten'],
    ['Sent to N@Example.COM.', 'Sent to forgotten.'],
    ['<n@example.com>, n@example.com, (n@example.com)', '<forgotten>, forgotten, (forgotten)'],
    ['mailto:n@example.com?subject=x', 'mailto:forgotten?subject=x'],
    ['To: "n@example.com"; n@example.com: no', 'To: "forgotten"; forgotten: no'],
    ['Who? n@example.com... n@example.com!', 'Who? forgotten... forgotten!'],
    ['“n@example.com”—n@example.com', '“forgotten”—forgotten'],
    ['arn:aws:sts::1:assumed-role/Role/n@example.com', 'arn:aws:sts::1:assumed-role/Role/forgotten'],
  ])('is replaced where it is whole: %s', (text, expected) => {
    expect(replace(text)).toBe(expected);
  });

  test.each([
    'ann@example.com',
    'alan@example.com',
    'x+n@example.com',
    'x.n@example.com',
    "o'n@example.com",
    'x/n@example.com',
    'né-n@example.com',
    'n@example.com.au',
    'n@example.com-x.de',
    'n@example.community',
    'n@example.comé',
    'n@exampleXcom',
  ])('is left where it is a part of another: %s', (text) => {
    expect(replace(`for <${text}>, ${text}.`)).toBe(`for <${text}>, ${text}.`);
  });
});
