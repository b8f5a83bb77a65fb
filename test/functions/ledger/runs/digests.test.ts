import { expect, test } from 'vitest';
import type { PeriodKind } from '../../../../functions/domain/period.ts';
import {
  dropFigures,
  putFigures,
  putHistory,
  readHistory,
  readOtherFigures,
  type History,
  type StoredFigures,
} from '../../../../functions/ledger/runs/digests.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

function figuresOf(startDate: string, kind: PeriodKind = 'week'): StoredFigures {
  return {
    kind,
    start: `${startDate}T00:00:00+00:00`,
    end: '2026-11-16T00:00:00+00:00',
    run: `weekly_${startDate}`,
    digest: `of ${startDate}`,
    filters: '{}',
    informingTypes: '[]',
    complete: true,
    totals: {
      deliveries: 1,
      broadcasts: 1,
      seen: null,
      responded: 3,
      asked: { seen: 4, responded: 2, answered: 2 },
      responseRate: 0.5,
    },
  };
}

async function put(report: string, ...all: StoredFigures[]): Promise<void> {
  for (const figures of all) {
    const period = { startDate: figures.start.slice(0, 10), kind: figures.kind };
    await putFigures(ledger.table, report, period, figures, 1_900_000_000);
  }
}

test('the figures of other periods are read, oldest first, earlier and later apart, of each kind of period', async () => {
  const [first, second, day, third, fourth] = [
    figuresOf('2026-10-19'),
    figuresOf('2026-10-26'),
    figuresOf('2026-11-02', 'day'),
    figuresOf('2026-11-02'),
    figuresOf('2026-11-09'),
  ];
  await put('weekly', third, first, fourth, second, day, second);
  await put('another', figuresOf('2026-10-12'));
  const read = (start: string) => readOtherFigures(ledger.table, { name: 'weekly' }, { start });
  expect(await read(third.start)).toEqual({ earlier: [first, second], later: [fourth] });
  expect(await read('2026-11-02T00:00:00+01:00')).toEqual({ earlier: [first, second], later: [day, third, fourth] });
  expect(await readOtherFigures(ledger.table, { name: 'none' }, third)).toEqual({ earlier: [], later: [] });
});

const drop = (digest: string) =>
  dropFigures(ledger.table, 'dropped', { startDate: '2026-11-09', kind: 'week' }, digest);
const read = () => readOtherFigures(ledger.table, { name: 'dropped' }, { start: '2026-11-16T00:00:00Z' });

test('the figures of a digest that was dropped are removed, and those of another digest of the period stay', async () => {
  const figures = figuresOf('2026-11-09');
  await put('dropped', figures);
  await drop('another');
  expect((await read()).earlier).toEqual([figures]);
  await drop(figures.digest);
  await drop(figures.digest);
  expect((await read()).earlier).toEqual([]);
});

const listedIn = Date.parse('2026-11-09T00:00:00Z');
const history: History = {
  listed: 4,
  deliveries: new Map([
    ['__proto__', { listedIn, pending: true }],
    ['', { listedIn, createdAt: null, leftOut: true }],
    [
      'a',
      {
        listedIn,
        createdAt: listedIn,
        counted: { engaged: 5, undated: 1, seen: 4, responded: 2 },
        shown: true,
        engaged: true,
        new: true,
        namedIn: ['2026-11-02T00:00:00+00:00'],
      },
    ],
  ]),
  gone: new Set(['["delivery","x"]']),
};

test('the history of a digest comes back, is no other digest’s, and expires', async () => {
  const key = { run: 'weekly_2026-11-09', digest: 'a' };
  await putHistory(ledger.table, key, history, 1_900_000_000);
  expect(await readHistory(ledger.table, key)).toEqual(history);
  expect(await readHistory(ledger.table, { ...key, digest: 'b' })).toBeNull();
  expect(await ledger.items('HISTORY#weekly_2026-11-09')).toMatchObject([{ expiresAt: 1_900_000_000 }]);
});
