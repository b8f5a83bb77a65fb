import { describe, expect, test } from 'vitest';
import { createTally, emptyCoverage } from '../../../functions/reporting-service/coverage.ts';
import { readBroadcast, readListedDelivery } from '../../../functions/reporting-service/shapes.ts';

const bare = { id: 'd-1', broadcast: { id: '71', name: 'Friday Five' }, status: 'delivered' };

test('a delivery is read whole, and undocumented fields are ignored', () => {
  const tally = createTally();
  expect(readListedDelivery({ ...bare, delivery: 'express', extra: { deep: [1] } }, tally)).toEqual(bare);
  expect(tally.coverage).toEqual(emptyCoverage());
});

test('documented fields that a delivery lacks are counted by their names; without an id it is none', () => {
  const tally = createTally();
  const lacking = { id: 'd-1', broadcast: { id: '', name: null }, status: 'unknown' };
  expect(readListedDelivery({ id: 'd-1' }, tally)).toEqual(lacking);
  expect(readListedDelivery({ status: 'delivered' }, tally)).toBeNull();
  expect(readListedDelivery(null, tally)).toBeNull();
  expect(tally.coverage.missingFields).toEqual({
    'delivery.id': 2,
    'delivery.broadcast.id': 1,
    'delivery.broadcast.name': 1,
    'delivery.status': 1,
  });
});

const read = (body: unknown, tally = createTally()) => readBroadcast(body, '71', '[GET] a broadcast', tally);

describe('a broadcast', () => {
  test('is read whole, and undocumented fields are ignored', () => {
    const created = { by: { id: '9', firstName: 'Priya', lastName: 'Shah', x: 1 }, at: '2026-11-09T09:30:00+00:00' };
    const contents = [{ id: 2, type: 'rating', payload: {} }];
    const tally = createTally();
    expect(read({ beta: true, broadcast: { id: '71', name: 'Friday Five', created }, contents }, tally)).toEqual({
      id: '71',
      name: 'Friday Five',
      createdAt: '2026-11-09T09:30:00+00:00',
      createdBy: 'Priya Shah',
      contents: [{ id: '2', type: 'rating' }],
    });
    expect(tally.coverage.missingFields).toEqual({});
  });

  test('may have its content items inside its header, and lack all but their ids', () => {
    const tally = createTally();
    const header = { created: { by: { lastName: 'Shah' } }, contents: [{ id: '1' }] };
    expect(read({ broadcast: header }, tally)).toEqual({
      id: '71',
      name: null,
      createdAt: null,
      createdBy: 'Shah',
      contents: [{ id: '1', type: '' }],
    });
    expect(tally.coverage.missingFields).toEqual({
      'broadcast.id': 1,
      'broadcast.name': 1,
      'broadcast.created.at': 1,
      'content.type': 1,
    });
  });

  test('has each content item once, under the first type that is given', () => {
    const contents = [
      { id: '1', type: 'text' },
      { id: 1, type: 'rating' },
      { id: '2', type: 'poll' },
    ];
    expect(read({ broadcast: {}, contents }).contents).toEqual([contents[0], contents[2]]);
  });

  test.each([
    { body: [], expected: 'expected an object' },
    { body: { broadcast: { id: '72' }, contents: [] }, expected: 'expected the broadcast that was asked for' },
    { body: { broadcast: {} }, expected: 'expected "contents", a list' },
    { body: { contents: [{ type: 'text' }] }, expected: 'expected an "id" in each of "contents"' },
  ])('that is none is unavailable: $expected', ({ body, expected }) => {
    expect(() => read(body)).toThrow(`[GET] a broadcast: ${expected}`);
  });
});
