import { beforeAll, describe, expect, test } from 'vitest';
import { claimMessage, markFailed, markSent, releaseClaim } from '../../../../functions/ledger/runs/claims.ts';
import {
  forgottenAddress,
  messageIdOf,
  messageKey,
  planMessage,
  readMessage,
  readMessages,
  type Share,
} from '../../../../functions/ledger/runs/messages.ts';
import { openLedger, readToEnd, type Ledger } from '../open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 1_900_000_000;
const to = 'ada@example.com';
let runs = 0;

/** A run of its own with one planned message, whose id it returns. */
async function planOne(): Promise<{ run: string; id: string }> {
  runs += 1;
  const run = `weekly_${runs}`;
  await planMessage(ledger.table, run, to, expiresAt);
  return { run, id: messageIdOf(run, to) };
}
const claimOf = (claim: string, execution = 'execution-1') => ({ claim, execution, claimedAt: 1_794_816_000_000 });
const rowOf = ({ run, id }: { run: string; id: string }) => readMessage(ledger.table, run, id);

describe('planning', () => {
  test('gives every address one row a run, compared without case', async () => {
    const addresses = ['Ada@example.com', 'ada@EXAMPLE.com', 'grace@example.com'];
    const planned = await Promise.all(
      addresses.map((address) => planMessage(ledger.table, 'planning', address, expiresAt)),
    );
    expect(planned.filter(Boolean)).toHaveLength(2);
    const rows = await readToEnd(readMessages(ledger.table, 'planning'));
    expect(rows.map((row) => row.to.toLowerCase()).toSorted()).toEqual(['ada@example.com', 'grace@example.com']);
    expect(messageIdOf('planning', 'Ada@example.com')).toBe(messageIdOf('planning', 'ada@example.com'));
    expect(messageIdOf('another', to)).not.toBe(messageIdOf('planning', to));
  });

  test('leaves the row of a message alone that was planned before, whatever became of it', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    expect(await planMessage(ledger.table, run, to, expiresAt)).toBe(false);
    expect(await rowOf({ run, id })).toEqual({
      id,
      to,
      state: 'claimed',
      claim: 'claim-1',
      claimedAt: 1_794_816_000_000,
    });
  });

  test('keeps no address in a key', async () => {
    await planMessage(ledger.table, 'keys', to, expiresAt);
    expect((await ledger.items('RUN#keys')).map(({ sk }) => sk)).toEqual([`MESSAGE#${messageIdOf('keys', to)}`]);
    expect(messageIdOf('keys', to)).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('a claim', () => {
  test('of fifty at once, from several processes, is won by one', async () => {
    const { run, id } = await planOne();
    const tables = Array.from({ length: 5 }, () => ledger.another());
    const won = await Promise.all(
      Array.from({ length: 50 }, (_, n) => claimMessage(tables[n % 5] ?? ledger.table, run, id, claimOf(`claim-${n}`))),
    );
    const winners = won.flatMap((each, n) => (each ? [`claim-${n}`] : []));
    expect(winners).toHaveLength(1);
    expect((await rowOf({ run, id }))?.claim).toBe(winners[0]);
  });

  test('whose own write is repeated succeeds, another does not', async () => {
    const { run, id } = await planOne();
    const claims = ['claim-1', 'claim-1', 'claim-2'];
    const won: boolean[] = [];
    for (const claim of claims) won.push(await claimMessage(ledger.table, run, id, claimOf(claim)));
    expect(won).toEqual([true, true, false]);
  });

  test('of a message that was sent, or that does not exist, fails', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-1'))).toBe(false);
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-2', 'execution-2'))).toBe(false);
    expect(await claimMessage(ledger.table, run, messageIdOf(run, 'nobody@example.com'), claimOf('claim-3'))).toBe(
      false,
    );
    expect(await readMessage(ledger.table, run, messageIdOf(run, 'nobody@example.com'))).toBeNull();
  });

  test('of a message that is planned for a forgotten address fails', async () => {
    const { run, id } = await planOne();
    await ledger.table.update(messageKey(run, id), { set: { to: forgottenAddress } });
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-1'))).toBe(false);
    expect((await rowOf({ run, id }))?.state).toBe('planned');
  });

  test('of a message that failed is for another execution alone', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    await markFailed(
      ledger.table,
      { run, id, claim: 'claim-1' },
      { refusal: 'MessageRejected', failedBy: 'execution-1' },
    );
    expect(await rowOf({ run, id })).toMatchObject({
      state: 'failed',
      refusal: 'MessageRejected',
      failedBy: 'execution-1',
    });
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-2'))).toBe(false);
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-3', 'execution-2'))).toBe(true);
    expect(await rowOf({ run, id })).toEqual({
      id,
      to,
      state: 'claimed',
      claim: 'claim-3',
      claimedAt: 1_794_816_000_000,
    });
  });

  test('that was given back can be taken again', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    await releaseClaim(ledger.table, { run, id, claim: 'claim-1' });
    expect((await rowOf({ run, id }))?.state).toBe('planned');
    expect(await claimMessage(ledger.table, run, id, claimOf('claim-2'))).toBe(true);
  });
});

describe('a claimed message', () => {
  test('is marked as sent with the id that SES gave', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
    expect(await rowOf({ run, id })).toMatchObject({ state: 'sent', messageId: 'ses-1', claim: 'claim-1' });
  });

  test.each(['sent', 'failed', 'planned'] as const)('is not made %s by another claim', async (state) => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    if (state === 'sent') await markSent(ledger.table, { run, id, claim: 'claim-2' }, 'ses-2');
    if (state === 'failed')
      await markFailed(ledger.table, { run, id, claim: 'claim-2' }, { refusal: 'x', failedBy: 'y' });
    if (state === 'planned') await releaseClaim(ledger.table, { run, id, claim: 'claim-2' });
    expect((await rowOf({ run, id }))?.state).toBe('claimed');
  });

  test('that an event has already settled is not marked again', async () => {
    const { run, id } = await planOne();
    await claimMessage(ledger.table, run, id, claimOf('claim-1'));
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-2');
    await markFailed(ledger.table, { run, id, claim: 'claim-1' }, { refusal: 'x', failedBy: 'y' });
    await releaseClaim(ledger.table, { run, id, claim: 'claim-1' });
    expect(await rowOf({ run, id })).toMatchObject({ state: 'sent', messageId: 'ses-1' });
  });

  test('is the only kind that can be marked: one that is planned stays planned', async () => {
    const { run, id } = await planOne();
    await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
    expect(await rowOf({ run, id })).toEqual({ id, to, state: 'planned' });
  });
});

test.each([1, 2, 3, 7, 16, 64])('%i shares of a run hold each message exactly once, in fair parts', async (of) => {
  const run = 'shares';
  const addresses = Array.from({ length: 300 }, (_, n) => `subscriber-${n}@example.com`);
  await Promise.all(addresses.map((address) => planMessage(ledger.table, run, address, expiresAt)));
  const shares: string[][] = [];
  for (let part = 0; part < of; part += 1) {
    const share: Share = { part, of };
    shares.push((await readToEnd(readMessages(ledger.table, run, share))).map((row) => row.to));
  }
  expect(shares.flat().toSorted()).toEqual(addresses.toSorted());
  expect(Math.max(...shares.map(({ length }) => length))).toBeLessThan(300 / of + 40);
});

test('a run reads no message of another whose name begins like its own', async () => {
  await planMessage(ledger.table, 'weekly_a', to, expiresAt);
  await planMessage(ledger.table, 'weekly_a2', 'grace@example.com', expiresAt);
  expect((await readToEnd(readMessages(ledger.table, 'weekly_a'))).map((row) => row.to)).toEqual([to]);
});
