import { expect, test } from 'vitest';
import { filterKey, isWantedStatus, meetsFilter, type Filter } from '../../../functions/domain/report-filter.ts';

const unsaid = { createdBy: [''], broadcastName: [' '], contentType: ['text', ''] };

test.each<[filter: Filter, met: boolean | string]>([
  [{ createdBy: 'Tom Baker' }, 'createdBy'],
  [{ broadcastName: 'Rota' }, 'broadcastName'],
  [{ contentType: 'text' }, true],
  [{ createdBy: 'Tom Baker', contentType: 'poll' }, 'createdBy'],
])('of a broadcast that does not say it, %j gives the first field that is missing', (filter, met) => {
  expect(meetsFilter(unsaid, filter)).toBe(met);
});

test('filters that let in the same have one key, and statuses are wanted in any spelling', () => {
  const same = [
    { createdBy: 'O’Neill', contentType: 'multiple_choice' },
    { contentType: 'Multiple choice', createdBy: "o'neill" },
  ];
  expect(new Set(same.map(filterKey)).size).toBe(1);
  expect(new Set([undefined, { createdBy: 'Tom' }, { broadcastName: 'Tom' }].map(filterKey)).size).toBe(3);
  expect(isWantedStatus('Delivered', { statuses: ['sent', 'ＤＥＬＩＶＥＲＥＤ'] })).toBe(true);
});
