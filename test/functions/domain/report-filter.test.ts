import { expect, test } from 'vitest';
import { filterKey, isWantedStatus, meetsFilter, type Filter } from '../../../functions/domain/report-filter.ts';

const said = {
  createdBy: ["Tom O'Neill"],
  broadcastName: ['Rota \u2013 the cafe\u0301'],
  contentType: ['text', 'multiple_choice'],
};
const unsaid = { createdBy: [''], broadcastName: [' '], contentType: ['text', ''] };

test.each<[filter: Filter, met: boolean]>([
  [{ createdBy: 'tom  O’NEILL' }, true],
  [{ createdBy: 'O’Neill' }, false],
  [{ broadcastName: 'rota - the CAFÉ' }, true],
  [{ broadcastName: 'the caf' }, true],
  [{ contentType: 'Multiple choice' }, true],
  [{ contentType: 'choice' }, false],
  [{ createdBy: "tom o'neill", contentType: 'poll' }, false],
  [{}, true],
])('whether %j is true of a broadcast: %j', (filter, met) => {
  expect(meetsFilter(said, filter)).toBe(met);
});

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
