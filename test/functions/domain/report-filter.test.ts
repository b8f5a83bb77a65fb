import { expect, test } from 'vitest';
import { filterKey, isWantedStatus } from '../../../functions/domain/report-filter.ts';

test('filters that let in the same have one key, and statuses are wanted in any spelling', () => {
  const same = [
    { createdBy: 'O’Neill', contentType: 'multiple_choice' },
    { contentType: 'Multiple choice', createdBy: "o'neill" },
  ];
  expect(new Set(same.map(filterKey)).size).toBe(1);
  expect(new Set([undefined, { createdBy: 'Tom' }, { broadcastName: 'Tom' }].map(filterKey)).size).toBe(3);
  expect(isWantedStatus('Delivered', { statuses: ['sent', 'ＤＥＬＩＶＥＲＥＤ'] })).toBe(true);
});
