import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TooLargeError } from '../../../../functions/reporting-service/requests/body-reader.ts';
import { parseExactJson } from '../../../../functions/reporting-service/json.ts';
import { createListReader, type ListBody } from '../../../../functions/reporting-service/lists/list-reader.ts';
import { createRowSplitter } from '../../../../functions/reporting-service/lists/row-splitter.ts';
import { keepAllRows } from '../../../../functions/reporting-service/lists/rows.ts';

/** Longer than what is parsed as a whole, so that the rows are taken as they arrive. */
const long = (rows: readonly string[]): string[] => {
  const filler = Array.from({ length: 3_000 }, (_, index) => `{"filler":"${index}${'x'.repeat(100)}"}`);
  return [...filler, ...rows];
};

function read(body: Buffer, pieces: readonly number[] = [65_536]): ListBody<readonly unknown[]> {
  const reader = createListReader(keepAllRows(), parseExactJson);
  for (let start = 0, turn = 0; start < body.length; turn += 1) {
    const size = pieces[turn % pieces.length] ?? 1;
    reader.write(body.subarray(start, start + size));
    start += size;
  }
  return reader.end();
}

test('a short list may arrive in any pieces', () => {
  const { rows, count } = read(Buffer.from('[{"id":"ü"},{"id":"😀"}]'), [1, 3]);
  expect({ rows, count }).toEqual({ rows: [{ id: 'ü' }, { id: '😀' }], count: 2 });
});

describe('a long list', () => {
  const rows = long(['{"id":9007199254740993}', '"a, ] } \\" text"', '[[],{"x":[1,2]}]', 'null', '"\\\\"', '"ü😀"']);
  const values = parseExactJson(`[${rows.join(',')}]`);

  test('that is the whole body is read as if it were parsed at once', () => {
    const { said, lists, rows: read_, count } = read(Buffer.from(` [${rows.join(' ,\n')}] `));
    expect({ said, lists, count }).toEqual({ said: [null], lists: null, count: rows.length });
    expect(read_).toEqual(values);
  });

  test('in an object is read beside what else that says, however deep its other arrays are', () => {
    const body = `{"total": 7, "meta":{"of":[1,[2]],"next":"/x"}, "rows" : [${rows.join(',')}],"links":{"next":null}}`;
    const { said, lists, rows: read_ } = read(Buffer.from(body), [1_000, 17, 1]);
    expect({ said, lists }).toEqual({
      said: { total: 7, meta: { of: [1, [2]], next: '/x' }, rows: [null], links: { next: null } },
      lists: ['rows'],
    });
    expect(read_).toEqual(values);
  });

  test('beside another list is reported with the names of both', () => {
    expect(read(Buffer.from(`{"rows":[${rows.join(',')}],"errors":[1]}`)).lists).toEqual(['rows', 'errors']);
  });

  test('beside an empty list of errors is the only one', () => {
    const { lists, count } = read(Buffer.from(`{"errors":[],"rows":[${rows.join(',')}],"error":[ ]}`), [1_000, 1]);
    expect({ lists, count }).toEqual({ lists: ['rows'], count: rows.length });
  });
});

test.each([
  ['[', ']]'],
  ['[', ''],
  ['[', ',]'],
  ['[,', ']'],
  ['[', '}'],
  ['{"a":[', ']'],
  ['{"a":[', '],}'],
  ['[', ']x'],
  ['[', '] []'],
  ['[', ',{"a":1]}]'],
  ['[', ',"unfinished]'],
])('%s … %s is no JSON, however long the list is', (opens, closes) => {
  const body = Buffer.from(`${opens}${long([]).join(',')}${closes}`);
  expect(() => read(body)).toThrow(SyntaxError);
});

describe('a row of more than 8 MiB', () => {
  const large = `{"x":"${'],{,'.repeat(2.5 * 1024 * 1024)}"}`;

  test.each([
    { where: 'alone', rows: [large], expected: [null] },
    { where: 'first', rows: [large, '1', '{"a":[2]}'], expected: [null, 1, { a: [2] }] },
    { where: 'last', rows: ['1', '{"a":[2]}', large], expected: [1, { a: [2] }, null] },
    { where: 'between others', rows: ['1', '"2"', large, large, '3'], expected: [1, '2', null, null, 3] },
  ])('that comes $where is one row that cannot be read', ({ rows, expected }) => {
    for (const pieces of [[65_536], [1_000_003, 7]]) {
      const { said, rows: taken, count } = read(Buffer.from(`{"rows":[${rows.join(',')}],"total":4}`), pieces);
      expect({ said, taken, count }).toEqual({
        said: { rows: [null], total: 4 },
        taken: expected,
        count: expected.length,
      });
    }
  });

  test('makes the list too large for a sink that needs every row', () => {
    const reader = createListReader({ take: () => undefined, result: () => null }, parseExactJson);
    expect(() => reader.write(Buffer.from(`[1,${large}]`))).toThrow(
      new TooLargeError('a row of the list', 8 * 1024 * 1024),
    );
  });

  test('and a list that is not closed after it is no JSON', () => {
    expect(() => read(Buffer.from(`[${large}`))).toThrow(SyntaxError);
    expect(() => read(Buffer.from(`[${large},]`))).toThrow(SyntaxError);
  });
});

test('more than 8 MiB beside a list is not read', () => {
  const body = `{"rows":[1],"note":"${'x'.repeat(9 * 1024 * 1024)}"}`;
  expect(() => read(Buffer.from(body))).toThrow('what the answer says beside its list is larger than 8 MiB');
});

test('a comma too many is found where a block is cut, too', () => {
  const row = `"${'x'.repeat(70_000)}"`;
  for (const body of [`[${row},,${row}]`, `[${row},]`, `[${row}, ]`]) {
    const splitter = createRowSplitter({ take: () => undefined, takeTooLarge: () => undefined, parse: parseExactJson });
    expect(() => {
      splitter.write(Buffer.from(body));
      splitter.end();
    }).toThrow(SyntaxError);
  }
});

test('any list cut into any pieces gives the rows that a parser gives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.jsonValue(),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (rows, other, bare, pieces) => {
        const body = Buffer.from(JSON.stringify(bare ? rows : { other: { other }, rows, after: 1 }));
        const taken: unknown[] = [];
        const splitter = createRowSplitter({
          take: (block) => taken.push(...block),
          takeTooLarge: () => taken.push('too large'),
          parse: (text) => JSON.parse(text) as unknown,
        });
        for (let start = 0, turn = 0; start < body.length; turn += 1) {
          const size = pieces[turn % pieces.length] ?? 1;
          splitter.write(body.subarray(start, start + size));
          start += size;
        }
        const left = rows.length === 0 ? [] : [null];
        const expected: unknown = JSON.parse(JSON.stringify(bare ? left : { other: { other }, rows: left, after: 1 }));
        expect(splitter.end()).toEqual(expected);
        expect(taken).toEqual(JSON.parse(JSON.stringify(rows)));
      },
    ),
  );
});

test('the rows that are held at once do not grow with the list', () => {
  const row = JSON.stringify({ seenAt: '2026-11-10T08:00:00Z', respondedAt: null, note: 'x'.repeat(900) });
  let most = 0;
  const splitter = createRowSplitter({
    take: (rows) => {
      most = Math.max(most, rows.length);
    },
    takeTooLarge: () => undefined,
    parse: parseExactJson,
  });
  splitter.write(Buffer.from('['));
  for (let count = 0; count < 20_000; count += 1) splitter.write(Buffer.from(`${count === 0 ? '' : ','}${row}`));
  splitter.write(Buffer.from(']'));
  expect(splitter.end()).toEqual([null]);
  expect(most).toBeLessThan(100);
});
