import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import { runStart } from '../support/start-command.ts';
import { createFolders, readDigestFile, readMails, type Folders } from '../support/start-folders.ts';
import { toldBy, truthOf, type Truth } from '../support/service-truth.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const weeks = [
  { at: '2026-11-02T08:00:00Z', start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00' },
  { at: '2026-11-09T08:00:00Z', start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' },
  { at: '2026-11-16T08:00:00Z', start: '2026-11-09T00:00:00+00:00', end: '2026-11-16T00:00:00+00:00' },
] as const;

function figuresOf(totals: Digest['totals'] | undefined): unknown {
  const { deliveries, seen, responded, responseRate } = totals ?? {};
  return { deliveries, seen, responded, responseRate };
}

describe('three successive weeks of one account', () => {
  let folders: Folders;
  const digests: Digest[] = [];
  const truths: Truth[] = [];

  beforeAll(async () => {
    folders = await createFolders();
    let told: Set<string> | null = null;
    for (const { at, ...period } of weeks) {
      const { code } = await runStart([...folders.flags, '--at', at]);
      expect(code).toBe(0);
      digests.push(await readDigestFile(folders));
      const truth: Truth = truthOf(at, period, told);
      truths.push(truth);
      told = new Set([...(told ?? []), ...truth.deliveries.map(({ id }) => id)]);
    }
  });
  afterAll(() => folders.remove());

  test('every figure is the one that the account itself gives', () => {
    expect(digests.map(toldBy)).toEqual(truths);
  });

  test('the change of a week compares with what the week before mailed', () => {
    const [first, second, third] = digests.map(({ totals }) => totals);
    expect(second).toMatchObject({ comparison: { basis: 'kept' }, previous: figuresOf(first) });
    expect(third).toMatchObject({ comparison: { basis: 'kept' }, previous: figuresOf(second) });
  });

  test('the first week, with nothing kept before it, compares with a recount of the same answers', () => {
    const [week] = weeks;
    const before = truthOf(week.at, { start: '2026-10-19T00:00:00+01:00', end: week.start }, null);
    expect(digests[0]?.totals).toMatchObject({ comparison: { basis: 'recounted' }, previous: before.totals });
  });

  test('no delivery is new twice, and one that was told of before and is looked at late is active', () => {
    const newIn = digests.map(({ deliveries }) => deliveries.filter(({ kind }) => kind === 'new').map(({ id }) => id));
    expect(new Set(newIn.flat()).size).toBe(newIn.flat().length);
    for (const [week, { deliveries }] of digests.entries()) {
      const earlier = new Set(newIn.slice(0, week).flat());
      const late = deliveries.filter(({ id }) => earlier.has(id));
      expect(late.length > 0).toBe(week > 0);
      expect(new Set(late.map(({ kind }) => kind))).toEqual(new Set(week > 0 ? ['active'] : []));
    }
  });

  test('a delivery that nobody has seen is told of as silent once', () => {
    const silent = digests.flatMap(({ deliveries }) =>
      deliveries.filter(({ kind }) => kind === 'silent').map(({ id }) => id),
    );
    expect(silent.length).toBeGreaterThanOrEqual(3);
    expect(new Set(silent).size).toBe(silent.length);
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
