import { describe, expect, test } from 'vitest';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { readBroadcast, readListedDelivery } from '../../../functions/reporting-service/shapes.ts';

test('documented fields that a delivery lacks are counted by their names; without an id it is none', () => {
  const tally = createTally();
  const lacking = { id: 'd-1', broadcast: { id: '', name: null }, status: 'unknown' };
  expect(readListedDelivery({ id: 'd-1', delivery: 'express' }, tally)).toEqual(lacking);
  expect(readListedDelivery({ status: 'delivered' }, tally)).toBeNull();
  expect(readListedDelivery(null, tally)).toBeNull();
  expect(tally.coverage.missingFields).toEqual({
    'delivery.id': 2,
    'delivery.broadcast.id': 1,
    'delivery.broadcast.name': 1,
    'delivery.status': 1,
  });
});

test('texts are clipped, never within a character; an id never is: a broadcast’s that no URL can hold is none', () => {
  const [name, status, id] = ['\u{1f600}'.repeat(151), 'x'.repeat(101), 'i'.repeat(1_001)];
  const clipped = { name: `${'\u{1f600}'.repeat(149)}…`, word: `${'x'.repeat(99)}…` };
  const row = { id, broadcast: { id, name }, status };
  const listed = { id, broadcast: { id: '', name: clipped.name }, status: clipped.word };
  const longest = 'i'.repeat(1_000);
  expect(readListedDelivery({ ...row, broadcast: { id: longest } }, createTally())?.broadcast.id).toBe(longest);
  expect(readListedDelivery(row, createTally())).toEqual(listed);
  const header = { name, created: { by: { firstName: name, lastName: name } } };
  const broadcast = { name: clipped.name, createdBy: clipped.name, contents: [{ id, type: clipped.word }] };
  expect(read({ broadcast: header, contents: [{ id, type: status }] })).toMatchObject(broadcast);
});

const read = (body: unknown, tally = createTally()) => readBroadcast(body, '71', '[GET] a broadcast', tally);

const item = (id: unknown, type: string) => ({ id, type });

describe('a broadcast', () => {
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
    const contents = [item('1', 'text'), item(1, 'rating'), item('2', 'poll')];
    expect(read({ broadcast: {}, contents }).contents).toEqual([contents[0], contents[2]]);
  });

  test.each([
    { body: [], expected: 'expected an object' },
    { body: { broadcast: { id: '72' }, contents: [] }, expected: 'expected the broadcast that was asked for' },
    { body: { broadcast: {} }, expected: 'expected "contents", a list' },
    { body: { contents: Array(1_001).fill(0) }, expected: '1001 content items' },
    { body: { contents: [{ type: 'text' }] }, expected: 'expected an "id" in each of "contents"' },
  ])('that is none is unavailable: $expected', ({ body, expected }) => {
    expect(() => read(body)).toThrow(`[GET] a broadcast: ${expected}`);
  });
});
