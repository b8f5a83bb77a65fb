import { describe, expect, test } from 'vitest';
import type { DigestBroadcast } from '../../../../functions/domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery } from '../../../../functions/domain/digest.ts';
import { mailLimits } from '../../../../functions/render/limits.ts';
import { viewNewBroadcasts } from '../../../../functions/render/sections/new-broadcasts.ts';
import { content, delivery } from '../../../support/digests/pieces.ts';
import { digestOfEntries, entry, language, plain, sectionOf } from './entries.ts';

const view = (broadcasts: readonly DigestBroadcast[], over: Parameters<typeof sectionOf>[1] = {}) =>
  plain(viewNewBroadcasts(sectionOf(digestOfEntries(broadcasts), over), language));
const one = (over: Partial<DigestBroadcast>, deliveries?: DigestDelivery[]) => {
  const of = digestOfEntries([entry(over)], deliveries === undefined ? {} : { deliveries });
  return plain(viewNewBroadcasts(sectionOf(of), language))?.broadcasts[0];
};
const figures = (over: Partial<DigestBroadcast>) =>
  one(over)
    ?.figures.map(({ text, strong }) => (strong ? `*${text}*` : text))
    .join('');

const deliveryOf = (id: string, over: Partial<DigestDelivery> = {}): DigestDelivery =>
  delivery({ id, seen: 40, responded: 10, contents: [], ...over });
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), type: 'poll', seen: 9, responded: 3 }));

test('are not there where nothing is new', () => {
  expect(view([entry({ kind: 'active' })])).toBeNull();
});

describe('a broadcast', () => {
  test.each([
    ['audience known', {}, '*96 of 160* saw it (60%) · *72* responded (75%) · *64* not yet'],
    ['audience not known', { audience: null }, '*96* saw it · *72* responded (75%)'],
    ['nothing asked', { asks: false }, '*96 of 160* saw it (60%) · *72* responded · *64* not yet'],
    ['not known whether it asks', { asks: null }, '*96 of 160* saw it (60%) · *72* responded · *64* not yet'],
    ['responded and not seen', { seen: 0, responded: 2 }, '*2* responded; the service gave no views'],
    [
      'some who responded did not see it',
      { answered: 48 },
      '*96 of 160* saw it (60%) · *72* responded (50%) · *64* not yet',
    ],
    [
      'not available',
      { seen: null, responded: null, unavailable: { reason: 'forbidden', status: 403 } as const },
      'Figures not available: the account is not allowed to read this (status 403).',
    ],
  ])('has its figures in one line: %s', (_, over, line) => {
    expect(figures(over)).toBe(line);
  });

  test('has a bar where its audience is known', () => {
    expect(one({})?.bar).toEqual({ responded: '45%', seen: '15%', rest: '40%' });
    expect(one({ audience: null })?.bar).toBeNull();
    expect(one({ seen: 0 })?.bar).toBeNull();
    expect(one({ responded: 100 })?.bar).toEqual({ responded: '60%', seen: null, rest: '40%' });
    expect(one({ seen: 1, responded: 0, audience: 4000 })?.bar).toEqual({ responded: null, seen: '1%', rest: '99%' });
  });

  test.each([
    ['', {}, 'by Priya Shah · first seen Nov 10'],
    ['of text', { asks: false, contents: [{ id: '1', type: 'Text', seen: 1, responded: 0 }] }, ' · text only'],
    [
      'of several types that inform',
      { asks: false, contents: ['text', 'image'].map((type) => ({ id: type, type, seen: 1, responded: 0 })) },
      ' · information only',
    ],
    ['still counting', { stillCounting: true }, ' · still counting'],
    ['by nobody known', { createdBy: null, firstSign: null }, null],
    ['without views', { seen: 0, asks: false }, 'by Priya Shah · information only'],
    ['of last year', { firstSign: '2025-12-31T08:00:00+00:00' }, 'first seen Dec 31, 2025'],
  ])('says who made it and what it is: %s', (_, over, details) => {
    if (details === null) expect(one(over)?.details).toBeNull();
    else expect(one(over)?.details).toContain(details);
  });

  test('says its status where the report wants several', () => {
    const { report } = sectionOf(digestOfEntries([]));
    const shown = view([entry()], { report: { ...report, statuses: ['delivered', 'partly_delivered'] } });
    expect(shown?.broadcasts[0]?.details).toBe('by Priya Shah · first seen Nov 10 · status delivered');
  });

  test('links to itself where the settings say how, and the service gave its id', () => {
    expect(one({ id: '7/1?x="&' })?.link).toBe('https://reporting.example.com/broadcasts/7%2F1%3Fx%3D%22%26');
    expect(one({ id: '' })?.link).toBeNull();
  });
});

describe('several deliveries', () => {
  test('are told apart by who saw them, of how many and when', () => {
    const deliveries = [
      deliveryOf('1', { contents: [content({ listed: 90, reach: 0.4 })] }),
      deliveryOf('2', { firstSign: '2026-11-11T08:00:00+00:00' }),
      deliveryOf('3', { seen: null }),
      deliveryOf('4', { firstSign: null }),
      deliveryOf('5', { seen: 0 }),
    ];
    expect(one({ deliveries: ['1', '2', '3', '4', '5'] }, deliveries)?.deliveries).toBe(
      '5 deliveries: 40 of 90 saw it (first Nov 10), 40 (Nov 11), –, 40, –.',
    );
  });

  test('are at most six, and the others counted', () => {
    const ids = Array.from({ length: 8 }, (_, index) => String(index));
    const said = one(
      { deliveries: ids },
      ids.map((id) => deliveryOf(id)),
    )?.deliveries;
    expect(said).toMatch(/^8 deliveries: 40 saw it \(first Nov 10\)(?:, 40 \(Nov 10\)){5}, 2 more\.$/);
  });

  test('say no date of their own above the line', () => {
    expect(
      one(
        { deliveries: ['1', '2'] },
        ['1', '2'].map((id) => deliveryOf(id)),
      )?.details,
    ).toBe('by Priya Shah');
  });
});

test('figures to date are shown where those of the period are not known, which is said', () => {
  const shown = one({ inPeriod: null, unavailable: { reason: 'dates-unreadable' } });
  expect(shown?.figures[0]?.text).toBe('96 of 160');
  expect(shown?.notes).toEqual(['Figures of the period not available: too many dates could not be read.']);
});

describe('content items', () => {
  test("are in the author's order, with a bar against the most seen one", () => {
    const contents = [
      { id: '1', type: 'text', seen: 40, responded: 0 },
      { id: '2', type: 'multipleChoice', seen: 80, responded: 60 },
      { id: '3', type: 'rating', seen: 20, responded: 20, ratings: { count: 20, mean: 3.66 } },
      { id: '4', type: 'poll', seen: 0, responded: 7 },
    ];
    const shown = one({ contents })?.items;
    expect(shown?.rows.map(({ name, detail, bar, seen }) => [name, detail, bar, seen])).toEqual([
      ['1 Text', null, { responded: null, seen: '50%', rest: '50%' }, '40'],
      ['2 Multiple choice', null, { responded: '75%', seen: '25%', rest: null }, '80'],
      ['3 Rating', 'mean 3.7 (20 ratings)', { responded: '25%', seen: null, rest: '75%' }, '20'],
      ['4 Poll', null, { responded: null, seen: null, rest: '100%' }, '–'],
    ]);
    expect(shown?.lines).toEqual([
      '1 Text                           40 seen   0 responded',
      '2 Multiple choice                80 seen  60 responded',
      '3 Rating, mean 3.7 (20 ratings)  20 seen  20 responded',
      '4 Poll                                 –   7 responded',
    ]);
  });

  test('are at most eight, and the others are in the file', () => {
    const shown = one({ contents: items(10) });
    expect([shown?.items?.rows.length, shown?.notes]).toEqual([8, ['2 more items. They are in the file.']]);
  });

  test('have no row where there is only one, but its ratings are said', () => {
    const shown = one({
      contents: [{ id: '1', type: 'rating', seen: 4, responded: 3, ratings: { count: 3, mean: null } }],
    });
    expect([shown?.items, shown?.notes]).toEqual([null, ['3 ratings']]);
  });

  test('that are not available are one line for each reason, and the others keep their number', () => {
    const gone = { seen: null, responded: null, unavailable: { reason: 'gone', status: 410 } } as const;
    const failed = { seen: null, responded: null, unavailable: { reason: 'failed' } } as const;
    const shown = one({
      contents: [
        { id: '1', type: 'text', ...gone },
        { id: '2', type: 'poll', seen: 9, responded: 3 },
        { id: '3', type: 'text', ...gone },
        { id: '4', type: 'text', ...failed },
      ],
    });
    expect(shown?.items?.rows.map(({ name }) => name)).toEqual(['2 Poll']);
    expect(shown?.notes).toEqual([
      '2 items not available: this was removed from the service (status 410).',
      '1 item not available: the service did not answer after several attempts.',
    ]);
  });

  test('that could not be read at all say why', () => {
    const missing = [{ what: 'broadcast', broadcast: '71', reason: 'not-found', status: 404 }] as const;
    const of = digestOfEntries([entry({ contents: null })], { missing: [...missing] });
    expect(viewNewBroadcasts(sectionOf(of), language)?.broadcasts[0]?.notes).toEqual([
      'Items not available: the service no longer finds this (status 404).',
    ]);
  });
});

describe('many', () => {
  const many = Array.from({ length: 200 }, (_, index) => entry({ id: String(index), deliveries: [String(index)] }));

  test('are ten, and the others a sentence with their sums', () => {
    const shown = view(many);
    expect(shown?.heading).toBe('New this week · 200 broadcasts');
    expect(shown?.broadcasts.length).toBe(10);
    expect(shown?.more).toBe('190 more broadcasts: 18,240 views and 13,680 responses together. They are in the file.');
  });

  test('are on the page as far as it has room, and the others in the file where there is one', () => {
    const more = [...many, ...Array.from({ length: 40 }, (_, index) => entry({ id: `x${index}` }))];
    const said = (broadcasts: DigestBroadcast[], hasFile: boolean) =>
      view(broadcasts, { elsewhere: 'page', hasFile })?.more?.split('together. ')[1];
    expect([said(many, true), said(more, true), said(more, false)]).toEqual([
      'They are under “See everything”.',
      '190 of them are under “See everything”. The others are in the file.',
      '190 of them are under “See everything”.',
    ]);
    const [ofPage] = view([entry({ contents: items(2000) })], { elsewhere: 'page' })?.broadcasts ?? [];
    expect(ofPage?.notes).toEqual(['1,992 more items. 192 of them are under “See everything”.']);
  });

  test('that cannot be summed up are counted', () => {
    const shown = view([...many, entry({ id: 'x', inPeriod: null })], { elsewhere: 'nowhere' });
    expect(shown?.more).toBe('191 more broadcasts.');
  });

  test('show their items first where there is little room', () => {
    const shown = view(many.slice(0, 3), { limits: { ...mailLimits, broadcasts: 2, withItems: 1 } });
    expect(shown?.broadcasts.map(({ items, notes }) => [items?.rows.length, notes])).toEqual([
      [2, []],
      [undefined, ['2 items are not shown. They are in the file.']],
    ]);
    expect(shown?.more).toMatch(/^1 more broadcast: 96 views and 72 responses together\. It is in the file\.$/);
  });
});

test('the legend says what has no bar only where something has none', () => {
  expect(view([entry()])?.legend?.noBar).toBeNull();
  expect(view([entry(), entry({ id: '2', audience: null })])?.legend?.noBar).toBe('No bar: the audience is not known.');
  expect(view([entry({ audience: null })])?.legend).toBeNull();
});
