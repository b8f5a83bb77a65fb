import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import { runStart } from '../support/commands.ts';
import { createFolders, readDigestFile, readMails, type Folders } from '../support/start-folders.ts';
import { faultsOfDigest } from '../support/oracle/compare/digest.ts';
import { knownOf, type Known } from '../support/oracle/known.ts';
import { accountOf, knownBefore } from '../support/faulty-account/account.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const weeks = [
  { at: '2026-11-02T08:00:00Z', start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00' },
  { at: '2026-11-09T08:00:00Z', start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' },
  { at: '2026-11-16T08:00:00Z', start: '2026-11-09T00:00:00+00:00', end: '2026-11-16T00:00:00+00:00' },
] as const;

/** The part of the totals that the next digest compares with. */
function comparedOf(totals: Known['totals'] | Digest['totals'] | undefined): unknown {
  const { deliveries, broadcasts, seen, responded, asked, responseRate } = totals ?? {};
  return { deliveries, broadcasts, seen, responded, asked, responseRate };
}

describe('three successive weeks of one account', () => {
  let folders: Folders;
  const digests: Digest[] = [];
  const before = knownBefore(weeks[0].start);
  const known: Known[] = [];

  beforeAll(async () => {
    folders = await createFolders();
    for (const { at, ...period } of weeks) {
      const { code } = await runStart([...folders.flags, '--at', at]);
      expect(code).toBe(0);
      digests.push(await readDigestFile(folders));
      known.push(knownOf(accountOf({ asOf: at, period }), { earlier: [...before, ...known] }));
    }
  });
  afterAll(() => folders.remove());

  test('every figure is the one that the account itself gives', () => {
    for (const [week, digest] of digests.entries()) {
      expect(known[week] && faultsOfDigest(known[week], digest)).toEqual([]);
    }
  });

  test('the change of a week compares with what the week before mailed', () => {
    const [first, second, third] = digests.map(({ totals }) => totals);
    expect(second).toMatchObject({ comparison: { basis: 'kept' }, previous: comparedOf(first) });
    expect(third).toMatchObject({ comparison: { basis: 'kept' }, previous: comparedOf(second) });
  });

  test('the first week of a new state folder compares with the figures that the sample account begins with', () => {
    expect(digests[0]).toMatchObject({ totals: { comparison: { basis: 'kept' }, previous: before.at(-1)?.totals } });
    expect(digests[0]?.trend).toHaveLength(8);
  });

  test('no delivery is new twice, and one that was in an earlier digest and is seen late is active', () => {
    const newIn = digests.map(({ deliveries }) => deliveries.filter(({ kind }) => kind === 'new').map(({ id }) => id));
    expect(new Set(newIn.flat()).size).toBe(newIn.flat().length);
    for (const [week, { deliveries }] of digests.entries()) {
      const earlier = new Set(newIn.slice(0, week).flat());
      const late = deliveries.filter(({ id }) => earlier.has(id));
      expect(late.length > 0).toBe(week > 0);
      expect(new Set(late.map(({ kind }) => kind))).toEqual(new Set(week > 0 ? ['active'] : []));
    }
  });

  test('each week brings each subscriber one mail', async () => {
    const mails = await readMails(folders.out);
    const subjects = new Map<string, Set<string | undefined>>();
    for (const { to, email } of mails) subjects.set(to, (subjects.get(to) ?? new Set()).add(email.subject));
    expect([...subjects].map(([to, { size }]) => [to, size])).toEqual([
      ['ada@example.com', 3],
      ['alan@example.com', 3],
      ['grace@example.com', 3],
    ]);
    expect(mails.length).toBe(9);
  });
});
