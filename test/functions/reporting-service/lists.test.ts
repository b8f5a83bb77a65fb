import { describe, expect, test } from 'vitest';
import answers from '../../fixtures/list-answers.json' with { type: 'json' };
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { listOf, type ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import type { PagingSettings } from '../../../functions/reporting-service/lists/signs-of-more.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { readAll, unavailableFrom } from './connect.ts';

const path = '/v1/broadcasts/deliveries';
const base = 'https://service.example';

interface Answer {
  status?: number;
  headers?: object;
  /** A text is JSON as it is. */
  body: unknown;
}

/** A number in a list of these tests stands for a row that has it as its id. */
const withRows = (_name: string, value: unknown): unknown =>
  Array.isArray(value) ? value.map((row: unknown) => (typeof row === 'number' ? { id: row } : row)) : value;
const withNumbers = (rows: ListPage['rows']) => rows.map((row) => (typeof row?.['id'] === 'number' ? row['id'] : row));

/**
 * Reads a list whose pages are answered as they stand, the first without a query, the others under `?page=2` and so on; a
 * function is asked with the query.
 */
async function readList(
  pages: readonly Answer[] | ((page: number, query: URLSearchParams) => Answer),
  settings: Partial<PagingSettings> = {},
  endpoint: 'deliveries' | 'content-recipients' = 'deliveries',
) {
  const tally = createTally();
  const asked: string[] = [];
  const ask: Parameters<typeof listOf>[1]['ask'] = ({ url }) => {
    expect(url.origin + url.pathname).toBe(base + path);
    asked.push(url.search);
    const page = Number(url.searchParams.get('page') ?? '1');
    const answer = typeof pages === 'function' ? pages(page, url.searchParams) : pages[page - 1];
    if (answer === undefined) throw new UnavailableError('[GET] a page', 'there is none', { reason: 'not-found' });
    const { status = 200, body } = answer;
    const headers = new Headers(Object.entries(answer.headers ?? {}));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const parsed: unknown = JSON.parse(text, typeof body === 'string' ? undefined : withRows);
    return Promise.resolve({ status, headers, text, body: parsed, askedAt: 0 });
  };
  const request = { endpoint, method: 'GET', url: new URL(base + path) } as const;
  /** `asked`: what comes after the path in the addresses that were asked for. */
  const list = listOf(request, { ask, tally, settings: { notPaging: [], ...settings } });
  const { rows, mayBeCutOff } = await readAll(list);
  return { rows: withNumbers(rows), mayBeCutOff, asked, coverage: tally.coverage };
}

/** What the error says of a list that contradicts itself or is none. */
async function faultOf(...list: Parameters<typeof readList>): Promise<string> {
  const { message, unavailable } = await unavailableFrom(readList(...list));
  expect(unavailable).toEqual({ reason: 'unreadable' });
  return message.replace(`[GET] ${path}: `, '');
}

const next = (page: number) => `?page=${page}`;
const linked = (body: unknown, page: number): Answer => ({ body, headers: { link: `<${next(page)}>; rel="next"` } });

test.each([
  { endpoint: 'deliveries', name: 'delivery' },
  { endpoint: 'content-recipients', name: 'recipient' },
] as const)('rows of $endpoint come bare or in a "$name"', async ({ endpoint, name }) => {
  const fields = { seenAt: null };
  const bare = { ...fields, [name]: 'Ada', other: { deep: [] } };
  const { rows, coverage } = await readList([{ body: [{ [name]: fields }, bare, null, 'x', []] }], {}, endpoint);
  expect(rows).toEqual([fields, bare, null, null, null]);
  expect(coverage.readings[`${name} row`]).toEqual({ [`{${name}}`]: 1, bare: 1 });
});

describe('the wrapper of a list', () => {
  test.each(answers.wrapped)('$body is an $wrapper', async ({ body, wrapper }) => {
    const { rows, mayBeCutOff, coverage } = await readList([{ body }]);
    expect([rows, mayBeCutOff]).toEqual([[1, 2], false]);
    const readings = { 'deliveries wrapper': { [wrapper]: 1 }, paging: { none: 1 }, 'delivery row': { bare: 2 } };
    expect(coverage.readings).toEqual(readings);
  });

  test.each(answers.unwrapped)('is not known where what is found is $found', async ({ body, found }) => {
    const expected = `expected a list or an object with one list in it, found ${found}`;
    expect(await faultOf([{ body }])).toBe(expected);
  });

  const problem = { body: [], headers: { 'content-type': 'application/problem+json; charset=utf-8' } };
  const failed = [problem, ...answers.failed.map((body) => ({ body, headers: {} }))];
  test.each(failed)('is none where the answer says that it failed: $headers $body', async (answer) => {
    expect(await faultOf([answer])).toBe('the answer says that it failed');
  });

  test('may stand beside an error that states none', async () => {
    for (const none of [null, false, 0, '', '0', {}, [], { message: null }]) {
      for (const name of ['error', 'errors', 'errorMessage', 'error_code']) {
        expect((await readList([{ body: { data: [1], [name]: none } }])).rows).toEqual([1]);
      }
    }
  });

  test('may stand beside a message, and under any name: neither is kept, unless the name is an identifier', async () => {
    const page = { total: 9 };
    for (const name of ['ada@example.com', 'Ada Lovelace', '\u001b[2J', 'x'.repeat(90)]) {
      const body = { [name]: [1], message: 'Ada', meta: { [`${name}_next`]: '?page=2' } };
      const { rows, coverage } = await readList([{ body }, { body: { [name]: [], page } }]);
      expect([rows, coverage.readings['deliveries wrapper']]).toEqual([[1], { 'object with "…"': 2 }]);
      expect(JSON.stringify(coverage)).not.toContain(JSON.stringify(name).slice(1, 4));
      expect(await faultOf([{ body: { [name]: [1], people: [] } }])).toMatch(/found "…" and "people"$/);
    }
  });
});

describe('the next page', () => {
  test.each(answers.next)('is found: $way in $headers $body', async ({ way, headers, body }) => {
    for (const address of [base + path + next(2), path + next(2), next(2)]) {
      const at = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('ADDRESS', address));
      const last = { data: [3], next: null, links: {}, meta: { next: '' }, pagination: { next: false } };
      const first = { headers: at(headers ?? {}), body: { data: [1, 2], ...at(body ?? {}) } };
      expect(await readList([first, { body: last }])).toMatchObject({
        rows: [1, 2, 3],
        mayBeCutOff: false,
        asked: ['', next(2)],
        coverage: { readings: { paging: { [way]: 1 } }, cutOff: {} },
      });
    }
  });

  test('is asked for once, also after an empty one: a list that leads back may be cut off', async () => {
    const pages = [[1], [], [2]].map((data, index) => ({ body: { data, next: next(index === 2 ? 2 : index + 2) } }));
    expect(await readList(pages)).toMatchObject({ rows: [1, 2], mayBeCutOff: true, asked: ['', next(2), next(3)] });
  });

  test('is not asked for after 5,000', async () => {
    const { rows, mayBeCutOff, coverage } = await readList((page) => linked([page], page + 1));
    expect([rows.length, mayBeCutOff, coverage.cutOff]).toEqual([5_000, true, { deliveries: 1 }]);
  });
});

test.each(answers.named)('$names say that there is more, or that there is none', async ({ names, more, whole }) => {
  for (const name of names) {
    for (const value of [...more, ...whole]) {
      for (const body of [{ [name]: value }, { meta: { pagination: { [name]: value } } }]) {
        const { mayBeCutOff } = await readList([{ body: { data: [1, 2], ...body } }]);
        expect([body, mayBeCutOff]).toEqual([body, more.some((sign) => sign === value)]);
      }
    }
  }
});

test.each(answers.more)(
  '$sign says that a list may be cut off, is quoted, and may be said to be none: $status $headers $body',
  async ({ sign, body, ...answer }) => {
    const pages = [{ ...answer, body: { data: [1, 2], ...body } }];
    expect(await readList(pages)).toMatchObject({
      rows: [1, 2],
      mayBeCutOff: true,
      asked: [''],
      coverage: { cutOff: { deliveries: 1 }, readings: { 'sign of more': { [sign]: 1 } } },
    });
    const settled = await readList(pages, { notPaging: ['another', sign.toUpperCase()] });
    expect([settled.mayBeCutOff, settled.coverage.cutOff]).toEqual([false, {}]);
  },
);

test.each(answers.elsewhere)(
  'an address of another origin, or of what was read, is not followed, and no setting silences it: $headers $body',
  async ({ sign, body, ...answer }) => {
    const pages = [{ ...answer, body: { data: [1, 2], ...body } }];
    expect(await readList(pages, { notPaging: [sign, `${sign} (an address)`] })).toMatchObject({
      mayBeCutOff: true,
      asked: [''],
      coverage: { readings: { 'sign of more': { [`${sign} (an address)`]: 1 } } },
    });
  },
);

test.each(answers.whole)('a list of two rows with $status $headers $body is whole', async ({ body, ...answer }) => {
  expect(await readList([{ ...answer, body: { data: [1, 2], ...body } }])).toMatchObject({
    rows: [1, 2],
    mayBeCutOff: false,
    coverage: { cutOff: {}, readings: { paging: { none: 1 } } },
  });
});

/** Two rows of five: those from the place on that is asked for. */
const fiveRows = (page: number, query: URLSearchParams): Answer => {
  const place = Number(query.get('skip') ?? query.get('from') ?? 2 * page - 2);
  const meta = { position: place < 4 ? `0${place + 2}` : null };
  return { body: { data: [1, 2, 3, 4, 5].slice(place, place + 2), limit: 2, meta } };
};

describe('a setting leads on where no answer names the address of the next page', () => {
  const cursor = { cursorFrom: 'meta.position', cursorAs: 'from' };
  test.each([
    { by: 'the rows read so far', paging: { offsetAs: 'skip' }, asked: ['', '?skip=2', '?skip=4', '?skip=5'] },
    { by: 'the number of the page', paging: { pageAs: 'page' }, asked: ['', '?page=2', '?page=3', '?page=4'] },
    { by: 'a cursor beside the list, until there is none', paging: cursor, asked: ['', '?from=02', '?from=04'] },
  ])('by $by', async ({ paging, asked }) => {
    const list = await readList(fiveRows, { paging });
    expect(list).toMatchObject({ rows: [1, 2, 3, 4, 5], mayBeCutOff: false, coverage: { cutOff: {} }, asked });
    expect(list.coverage.readings['paging']).toEqual({ 'service.paging': asked.length - 1 });
  });

  const ways = [{ offsetAs: 'skip' }, { pageAs: 'page' }, { cursorFrom: 'at', cursorAs: 'from' }];
  test.each(ways)('and one that is ignored makes the list unavailable: %j', async (paging) => {
    const body = { data: [1, 2], at: 'x' };
    expect(await faultOf(() => ({ body }), { paging })).toBe('a page came again, word for word');
  });

  test('and where the cursor is no text, the list may be cut off', async () => {
    const body = { data: [1, 2], lastEvaluatedKey: { id: 'x' } };
    const paging = { cursorFrom: 'lastEvaluatedKey', cursorAs: 'from' };
    expect((await readList([{ body }], { paging })).mayBeCutOff).toBe(true);
  });
});

test.each([
  // A full last page is no sign where the one before it named the next: how the service says so is known.
  { first: { limit: 2 }, last: { data: [3, 4], limit: 2 }, mayBeCutOff: false },
  { first: { total: 3 }, last: { data: [3], total: 3 }, mayBeCutOff: false },
  { first: { total: 3 }, last: { data: [3], total: 4 }, mayBeCutOff: true },
  // What the first page stated counts where the last one states nothing.
  { first: { total: 4, totalPages: 2 }, last: [3], mayBeCutOff: true },
  { first: { total: 4, totalPages: 2 }, last: [3, 4], mayBeCutOff: false },
  { first: { totalPages: 3 }, last: [3, 4], mayBeCutOff: true },
  // A count of a page's own rows states no total.
  { first: { count: 2, total: 3 }, last: { data: [3], count: 2, total: 3 }, mayBeCutOff: false },
  { first: { count: 2 }, last: { data: [3], count: 1 }, mayBeCutOff: false },
])('totals are compared with the rows of both pages: $first, then $last', async ({ first, last, mayBeCutOff }) => {
  const pages = [{ body: { data: [1, 2], ...first, next: next(2) } }, { body: last }];
  expect((await readList(pages)).mayBeCutOff).toBe(mayBeCutOff);
});

test('names and headers of any length take about as long as short ones, and a way on beside them is followed', async () => {
  const fields = Array.from({ length: 1_000 }, (_, index) => `"field${index}": ${index}`).join();
  const timeOf = async (length: number): Promise<number> => {
    const deep = `${'{"next": 1, "a": '.repeat(length / 5)}1${'}'.repeat(length / 5)}`;
    const headers = { link: `<${path}?page=2>; rel=${' '.repeat(length)}prev` };
    const body = `{"data": [{"id": 1}], "${'a_'.repeat(length)}": {${fields}}, "b": ${deep}, "next": "${path}?page=2"}`;
    // Of the processor: by the clock, it depends on what else runs.
    const begun = process.cpuUsage();
    expect((await readList([{ headers, body }, { body: { data: [2] } }])).rows).toEqual([1, 2]);
    return process.cpuUsage(begun).user;
  };
  await timeOf(10);
  expect((await timeOf(20_000)) / (await timeOf(10))).toBeLessThan(100);
});

describe('a list that contradicts itself is unavailable', () => {
  test('with more rows than its last page states', async () => {
    const alone = [{ body: { data: [1, 2], meta: { total: 1 } } }];
    expect(await faultOf(alone)).toBe('2 rows came, and "meta.total" states 1');
    expect(await readList(alone, { notPaging: ['meta.total'] })).toMatchObject({ rows: [1, 2], mayBeCutOff: false });
    const counting = [{ body: { data: [1, 2], count: 2, next: next(2) } }, { body: { data: [3], count: 2 } }];
    expect(await faultOf(counting)).toBe('3 rows came, and "count" states 2');
  });

  const seen = { seenAt: '2026-11-10T08:00:00Z', respondedAt: null };
  const untouched = { seenAt: null, respondedAt: null, name: 'Ada' };
  test.each([
    { rows: [untouched, seen], again: true },
    { rows: [untouched, { seen_at: '2026-11-10T09:00:00Z' }], again: true },
    // Two pages of people who did nothing yet may honestly be alike, and so may two empty ones.
    { rows: [untouched, untouched], again: false },
    { rows: [], again: false },
  ])('with a page that comes again, word for word, of %j', async ({ rows, again }) => {
    const read = readList((page) => (page < 3 ? linked(rows, page + 1) : { body: [] }));
    if (again) await expect(read).rejects.toThrow('a page came again, word for word');
    else expect((await read).rows).toEqual([...rows, ...rows]);
  });
});
