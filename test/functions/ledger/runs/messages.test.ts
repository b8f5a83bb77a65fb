import { describe, expect, test } from 'vitest';
import { claimMessage, planAgain, settleClaim } from '../../../../functions/ledger/runs/claims.ts';
import * as rows from '../../../../functions/ledger/runs/messages.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const expiresAt = 1_900_000_000;
const to = 'ada@example.com';
let runs = 0;

/** A run of its own with one planned message, whose id it returns. */
async function planOne(): Promise<{ run: string; id: string }> {
  runs += 1;
  const run = `weekly_${runs}`;
  const [id = ''] = await ledger.plan(run, to);
  return { run, id };
}
const claimedAt = 1_794_816_000_000;
const claimOf = (claim: string, execution = 'execution-1') => ({ claim, execution, claimedAt });
const rowOf = ({ run, id }: { run: string; id: string }) => rows.readMessage(ledger.table, run, id);

test('planning leaves a message alone that was planned before, but for one of somebody who was removed', async () => {
  const { run, id } = await planOne();
  await rows.markWithheld(ledger.table, run, id, 'removed');
  await rows.planMessage(ledger.table, run, { id, named: undefined, expiresAt });
  expect(await rowOf({ run, id })).toMatchObject({ state: 'planned' });
  await claimMessage(ledger.table, run, id, claimOf('claim-1'));
  await rows.planMessage(ledger.table, run, { id, named: undefined, expiresAt });
  expect(await rowOf({ run, id })).toMatchObject({ state: 'claimed', claim: 'claim-1' });
  await rows.markWithheld(ledger.table, run, id, 'removed');
  expect((await rowOf({ run, id }))?.state).toBe('claimed');
});

const claim = ({ run, id }: { run: string; id: string }, name: string, execution?: string) =>
  claimMessage(ledger.table, run, id, claimOf(name, execution));
const refused = { refusal: 'MessageRejected', failedBy: 'execution-1' };

describe('a claim', () => {
  test('of fifty at once, from several processes, is won by one', async () => {
    const { run, id } = await planOne();
    const tables = Array.from({ length: 5 }, () => ledger.another());
    const won = await Promise.all(
      Array.from({ length: 50 }, (_, n) => claimMessage(tables[n % 5] ?? ledger.table, run, id, claimOf(`claim-${n}`))),
    );
    const winners = won.flatMap((isWon, n) => (isWon ? [`claim-${n}`] : []));
    expect(winners).toHaveLength(1);
    expect((await rowOf({ run, id }))?.claim).toBe(winners[0]);
  });

  test('of a message that failed is for another execution alone', async () => {
    const message = await planOne();
    await claim(message, 'claim-1');
    await settleClaim(ledger.table, { ...message, claim: 'claim-1' }, { state: 'failed', ...refused });
    expect(await rowOf(message)).toMatchObject({ state: 'failed', ...refused });
    expect(await claim(message, 'claim-2')).toBe(false);
    expect(await claim(message, 'claim-3', 'execution-2')).toBe(true);
    const claimed = { state: 'claimed', claim: 'claim-3', claimedAt };
    expect(await rowOf(message)).toEqual({ id: message.id, named: true, ...claimed });
  });
});

describe('a claimed message', () => {
  test('is settled under its own claim alone, and not before it is claimed', async () => {
    const message = await planOne();
    await settleClaim(ledger.table, { ...message, claim: 'claim-1' }, { state: 'sent', messageId: 'ses-1' });
    expect(await rowOf(message)).toEqual({ id: message.id, named: true, state: 'planned' });
    await claim(message, 'claim-1');
    const other = { ...message, claim: 'claim-2' };
    await settleClaim(ledger.table, other, { state: 'sent', messageId: 'ses-2' });
    await settleClaim(ledger.table, other, { state: 'failed', ...refused });
    await settleClaim(ledger.table, other, { state: 'planned' });
    expect((await rowOf(message))?.state).toBe('claimed');
  });

  test('that was given back can be taken again, also where the write is repeated, but not by two', async () => {
    const message = await planOne();
    await claim(message, 'claim-1');
    await settleClaim(ledger.table, { ...message, claim: 'claim-1' }, { state: 'planned' });
    expect((await rowOf(message))?.state).toBe('planned');
    const won: boolean[] = [];
    for (const name of ['claim-2', 'claim-2', 'claim-3']) won.push(await claim(message, name));
    expect(won).toEqual([true, true, false]);
  });

  test('is marked once as sent with the id that SES gave, and then neither marked nor claimed again', async () => {
    const message = await planOne();
    const claimed = { ...message, claim: 'claim-1' };
    await claim(message, 'claim-1');
    await settleClaim(ledger.table, claimed, { state: 'sent', messageId: 'ses-1' });
    await settleClaim(ledger.table, claimed, { state: 'sent', messageId: 'ses-2' });
    await settleClaim(ledger.table, claimed, { state: 'failed', ...refused });
    await settleClaim(ledger.table, claimed, { state: 'planned' });
    expect([await claim(message, 'claim-1'), await claim(message, 'claim-2', 'execution-2')]).toEqual([false, false]);
    const sent = { state: 'sent', claim: 'claim-1', claimedAt, messageId: 'ses-1' };
    expect(await rowOf(message)).toEqual({ id: message.id, named: true, ...sent });
    // What events said of that mail is not said of the next one.
    const at = '2026-11-09T08:00:00Z';
    const told = { deliveredAt: at, bouncedAt: at, bounceStatus: '5.1.1', softBouncedAt: at, complainedAt: at };
    await ledger.table.update(rows.messageKey(message.run, message.id), { set: told });
    expect(await planAgain(ledger.table, claimed, 'execution-2')).toBe(true);
    const again = { state: 'planned', resentBy: 'execution-2', sentBeforeAt: new Date(claimedAt).toISOString() };
    expect(await rowOf(message)).toEqual({ id: message.id, named: true, ...sent, ...again });
  });
});

test('the shares of a run hold each message exactly once, in fair parts', async () => {
  const [run, parts] = ['shares', 16];
  const addresses = Array.from({ length: 300 }, (_, n) => `subscriber-${n}@example.com`);
  const ids = await ledger.plan(run, ...addresses);
  const shares: string[][] = [];
  for (let part = 0; part < parts; part += 1) {
    const share: rows.Share = { part, parts };
    shares.push((await rows.readMessages(ledger.table, run, share)).map(({ id }) => id));
  }
  expect(shares.flat().toSorted()).toEqual(ids.toSorted());
  expect(Math.max(...shares.map(({ length }) => length))).toBeLessThan(300 / parts + 40);
});
