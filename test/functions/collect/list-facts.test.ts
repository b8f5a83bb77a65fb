import { expect, test } from 'vitest';
import { firstMomentMs } from '../../../functions/domain/facts.ts';
import { readListFacts, readRecipient } from '../../../functions/collect/observation/list-facts.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';

const at = (date: string): number => Date.parse(date);
const within = { timeZone: 'Europe/London', createdAt: at('2026-11-10T08:00:00Z'), readAt: at('2026-11-16T00:00:00Z') };
const undone = { hasSeen: false, hasResponded: false, seenAtMs: null, respondedAtMs: null, hasDayOnly: false };
const nothing = { ...undone, missing: [], formats: [] };
const seen = { hasSeen: true, seenAtMs: at('2026-11-11T08:00:00Z') };
const responded = { hasResponded: true, respondedAtMs: at('2026-11-11T00:00:00Z'), hasDayOnly: true };
const both = { hasSeen: true, hasResponded: true, hasDayOnly: true };

test.each([
  { row: { seenAt: null, respondedAt: '' }, recipient: {} },
  { row: { seenAt: null }, recipient: { missing: ['respondedAt'] } },
  { row: null, recipient: { missing: ['seenAt', 'respondedAt'] } },
  { row: { seen_at: '2026-11-11' }, recipient: { missing: ['seenAt', 'respondedAt'] } },
  {
    row: { seenAt: '2026-11-11T08:00:00Z', respondedAt: null },
    recipient: { ...seen, formats: ['ISO 8601 with offset'] },
  },
  { row: { seenAt: null, respondedAt: '2026-11-11' }, recipient: { ...responded, formats: ['date only'] } },
  {
    row: { seenAt: '11/11/2026', respondedAt: { date: '2031-01-01' } },
    recipient: { ...both, formats: ['unreadable', 'of a wrong clock'] },
  },
])('$row is a recipient who has done what it has a date for, readable or not', ({ row, recipient }) => {
  expect(readRecipient(row, within)).toEqual({ ...nothing, ...recipient });
});

test.each([
  { seenAt: '2026-11-09T07:59:59Z', isWrong: true },
  { seenAt: '2026-11-09T08:00:00Z', isWrong: false },
  { seenAt: '2026-11-08', isWrong: true },
  { seenAt: '2001-01-01T00:00:00Z', createdAt: null, isWrong: false },
  { seenAt: '2026-11-17T00:00:00Z', isWrong: false },
  { seenAt: '2026-11-17T00:00:01Z', isWrong: true },
])('$seenAt, a day before the creation or after the reading, is a wrong clock’s or not: $isWrong', (view) => {
  const { seenAt, isWrong, ...creation } = view;
  const recipient = readRecipient({ seenAt }, { ...within, ...creation });
  expect([recipient.hasSeen, recipient.seenAtMs]).toEqual([true, isWrong ? null : at(seenAt)]);
});

test.each([
  { early: 9, late: 0, undated: 9 },
  { early: 10, late: 11, undated: 10 },
  { early: 10, late: 10, undated: 0 },
])('of $early who saw it long before its first listing, and $late after, $undated have a wrong clock', async (list) => {
  const [before, after] = ['2026-11-01T09:00:00Z', '2026-11-12T09:00:00Z'];
  const seen = [before, after].flatMap((seenAt, place) =>
    Array.from({ length: [list.early, list.late][place] ?? 0 }, () => ({ seenAt, respondedAt: null })),
  );
  const options = { ...within, createdAt: null, signsFrom: at('2026-11-07T08:00:00Z'), stepMinutes: 60 } as const;
  const { facts } = await readListFacts([{ rows: seen, mayBeCutOff: false }], options, createTally());
  expect(facts.undated.seen).toBe(list.undated);
  expect(firstMomentMs(facts.moments)).toBe(list.undated === 0 ? at(before) : list.late === 0 ? null : at(after));
});
