import { expect, test } from 'vitest';
import { examineTypes } from '../../../../infra/ops/doctor/content-types.ts';

const informing = ['text', 'video'];
const met = ['text', 'Poll', 'text', 'video', 'poll of the future'];
const item = (type: string, seen: number, responded: number) => ({ type, seen, responded });

test('each type that was met is named once, with how it is read', () => {
  expect(examineTypes(met, [item('Poll', 9, 0), item('text', 100, 49)], informing)).toEqual({
    check: 'content types',
    verdict: 'good',
    found:
      'Content items that ask for a response: "Poll", "poll of the future". Items that only inform: "text", "video".',
  });
});

test.each([
  { why: 'nothing asks', types: ['text', 'TEXT'], items: [], says: 'no response rate', value: 'without the types' },
  {
    why: 'nobody responded to what asks',
    types: met,
    items: [item('Poll', 10, 0)],
    says: 'None of 10 who saw a "Poll" responded.',
    value: 'with "Poll"',
  },
  {
    why: 'half responded to what only informs',
    types: met,
    items: [item('Poll', 10, 1), item('video', 10, 5)],
    says: '5 of 10 who saw a "video" responded.',
    value: 'without "video"',
  },
])('is worth a look where $why, with the setting', ({ types, items, says, value }) => {
  const finding = examineTypes(types, items, informing);
  expect(finding).toMatchObject({ verdict: 'look', setting: { name: 'service.informingTypes' } });
  expect(finding.found).toContain(says);
  expect(finding.setting?.value).toContain(value);
});

test('a type of any length is shown in part', () => {
  expect(examineTypes(['x'.repeat(5_000)], [], informing).found.length).toBeLessThan(200);
});
