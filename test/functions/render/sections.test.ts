import { describe, expect, test } from 'vitest';
import type { DigestBroadcast, Digest, DigestDelivery, Missing } from '../../../functions/domain/digest.ts';
import { mailLimits } from '../../../functions/render/input.ts';
import { viewNewBroadcasts, viewStillRead } from '../../../functions/render/sections/broadcasts.ts';
import { viewIncomplete } from '../../../functions/render/sections/incomplete.ts';
import { sayFirstNeed, viewNeeds } from '../../../functions/render/sections/needs.ts';
import { sayLate, sayNotes, type FileOfMail } from '../../../functions/render/sections/notes.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { viewTrend } from '../../../functions/render/sections/trend.ts';
import { sayVerdict } from '../../../functions/render/sections/verdict.ts';
import { delivery, digest, engaged } from '../../support/digests/pieces.ts';
import { digestOfEntries, entry, plain, sectionOf, unseen } from './entries.ts';

// The figures of every section are read in the mails of generated accounts (accounts.test.ts). Here are the edges: wording, order, bars.

const totals = (over: Partial<Digest['totals']>): Digest['totals'] => ({ ...digest().totals, ...over });
const ofEntries = (broadcasts: readonly DigestBroadcast[], over: Partial<Digest> = {}) =>
  sectionOf(digestOfEntries(broadcasts, over));
const lost = (what: Missing['what'], reason: Missing['reason'], over: Partial<Missing> = {}): Missing => ({
  what,
  reason,
  ...over,
});

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), type: 'poll', seen: 9, responded: 3 }));
const needsOf = (broadcasts: DigestBroadcast[]) =>
  plain(viewNeeds(ofEntries(broadcasts)))?.needs.map(({ name, fact }) => `${name}: ${fact}`);
const seenBy = (seen: number, audience: number) =>
  entry({ id: `${seen}`, name: `Seen ${seen}`, deliveries: [`d${seen}`], seen, responded: 0, audience });
const oneNew = (over: Partial<DigestBroadcast>, deliveries?: DigestDelivery[]) =>
  plain(viewNewBroadcasts(ofEntries([entry(over)], deliveries === undefined ? {} : { deliveries })))?.broadcasts[0];
const itemNotesOf = (contents: DigestBroadcast['contents'], of = {}) =>
  viewNewBroadcasts(ofEntries([entry({ contents })], of))?.broadcasts[0]?.notes;
const gone = (id: string, reason: 'gone' | 'failed' = 'gone') =>
  ({ id, type: 'text', seen: null, responded: null, unavailable: { reason } }) as const;
const older = (seen: number, over = {}) =>
  entry({ id: String(seen), name: `B${seen}`, kind: 'active', inPeriod: engaged(seen, 1), ...over });
const trendPeriod = (start: string, seen: number | null, responseRate: number | null = null) => ({
  start: `2026-${start}T00:00:00+00:00`,
  seen,
  responded: seen,
  broadcasts: null,
  asked: null,
  responseRate,
  complete: true,
});
const viewTrendOf = (...trend: Digest['trend']) => plain(viewTrend(sectionOf(digest({ trend }))));
const notesOf = (over: Partial<Digest> = {}, file: FileOfMail = 'none') =>
  plain(sayNotes(sectionOf(digest(over)), file));

describe('the verdict', () => {
  const responded = [entry(), entry({ id: '72', seen: 0, responded: 12 })];
  const missing = [lost('delivery', 'failed')];

  test.each([
    ['all was seen', [entry()], {}, ['Every broadcast in this digest was seen by somebody.']],
    ['some are not named', [entry()], { unseenNotNamed: 3 }, ['Every new broadcast was seen by somebody.']],
    ['some are of unknown date', [entry()], { unknownDate: 3 }, ['Every new broadcast was seen by somebody.']],
    ['nothing is new, and some are not named', [entry({ kind: 'active' })], { unseenNotNamed: 3 }, []],
    ['there are responses alone', responded, {}, []],
    [
      'figures are missing, and totals with them',
      [entry(), unseen({ id: '73' })],
      { missing, totals: totals({ seen: null }) },
      ['Some figures are missing, so there are no totals.', 'One broadcast has not been seen by anybody yet.'],
    ],
    ['figures are missing', [entry()], { missing }, ['Some figures are missing from this digest.']],
  ] satisfies Array<[string, DigestBroadcast[], Partial<Digest>, string[]]>)(
    'says what nobody has seen: %s',
    (_, broadcasts, over, said) => {
      expect(sayVerdict(ofEntries(broadcasts, over))).toEqual(said);
    },
  );

  test.each([
    ['fell', 0.618, 0.708, '62% of viewers responded, down from 71%.'],
    ['is shown alike', 0.621, 0.619, '62% of viewers responded, as before.'],
    ['has none before it', 0.708, null, '71% of viewers responded.'],
  ])('says the response rate, which %s', (_, responseRate, before, said) => {
    const { previous } = digest().totals;
    const of = totals({ responseRate, previous: previous && { ...previous, responseRate: before } });
    expect(sayVerdict(ofEntries([entry()], { totals: of }))[1]).toBe(`Where something was asked, ${said}`);
  });

  test.each([
    [{}, 'Best answered: “Friday Five”, by 71 of 96 viewers.'],
    [{ seen: 9 }],
    [{ asks: false }],
    [{ asks: null }],
    [{ stillCounting: true }],
    [{ kind: 'active' as const }],
  ])('names the best answered of two broadcasts that can be compared, not beside one with %j', (over, ...said) => {
    const best = entry({ responded: 99, answered: 71 });
    const other = entry({ id: '72', name: 'Other', seen: 20, responded: 10, ...over });
    expect(sayVerdict(ofEntries([best, other])).slice(1)).toEqual(said);
  });
});

describe('what needs somebody', () => {
  test('is a broadcast that fewer than half have seen as it is shown, and ten have not; one without a name, too', () => {
    expect(needsOf([seenBy(4, 14), seenBy(3, 12), seenBy(20, 40), seenBy(63, 127)])).toEqual([
      'Seen 4: 10 of 14 people have not seen it',
    ]);
    const withoutViews = entry({ seen: 0, responded: 4, audience: 14, deliveries: ['d0'] });
    expect(needsOf([withoutViews])).toEqual([]);
    expect(needsOf([unseen({ name: null })])).toEqual(['(no name): none of 68 people has seen it']);
  });

  test('is, of a broadcast, the deliveries that are judged now, by their own figures', () => {
    const old = delivery({ kind: 'active', responded: 0, listed: 100, reach: 0.5 });
    const of = digest({ deliveries: [{ ...old, id: '1', judged: true, seen: 9 }, old] });
    const facts = viewNeeds(sectionOf(of))?.needs.map(({ fact }) => fact);
    expect(facts).toEqual(['91 of 100 people have not seen delivery 1']);
  });

  test('is first what nobody has seen, in the order of the digest, then what missed most people', () => {
    const two = [unseen({ id: 'a', name: 'Large', audience: 90 }), unseen({ id: 'b', name: 'Small', audience: 20 })];
    const said = needsOf([seenBy(30, 100), seenBy(20, 100), ...two]);
    expect(said?.map((fact) => fact.split(':')[0])).toEqual(['Large', 'Small', 'Seen 20', 'Seen 30']);
  });

  test.each([
    [{ createdAt: '2025-11-09T09:30:00+00:00' }, 'Priya Shah, created Nov 9, 2025'],
    [{ unseenSince: '2026-10-26T00:00:00+00:00' }, 'Priya Shah, created Nov 9, named since the digest of Oct 26'],
    [{ createdAt: null, createdBy: null }, null],
  ])('is named with who made it and when, and since when it was named: %j', (over, details) => {
    expect(plain(viewNeeds(ofEntries([unseen(over)])))?.needs[0]?.details).toBe(details);
  });

  test('is five, and the others are counted, in the file where there is one', () => {
    const seven = ofEntries(Array.from({ length: 7 }, (_, index) => unseen({ id: String(index) })));
    expect([
      viewNeeds(seven)?.needs.length,
      viewNeeds(seven)?.more,
      viewNeeds({ ...seven, hasFile: false })?.more,
    ]).toEqual([5, '2 more need you. They are in the file.', '2 more need you.']);
  });

  test('may be nothing, which is not said where something is missing, and the first is in the preheader', () => {
    const nothing = viewNeeds(ofEntries([entry()]));
    expect([nothing?.heading, nothing?.needs]).toEqual(['Nothing needs you', []]);
    expect(nothing?.note).toMatch(/^Looked for: broadcasts that nobody has seen, and new ones/);
    expect(sayFirstNeed(ofEntries([entry()]))).toEqual(['Nothing needs you.']);
    expect(sayFirstNeed(ofEntries([unseen()]))).toEqual(['“Friday Five”: none of 68 people has seen it.']);
    const part = ofEntries([entry()], { missing: [lost('delivery', 'failed')] });
    expect([viewNeeds(part), sayFirstNeed(part)]).toEqual([null, []]);
  });
});

describe('what is missing', () => {
  const refused = (what: Missing['what'], status: number, names: readonly string[]) =>
    names.map((name) => lost(what, 'refused', { status, name }));
  const four = '4 content items: the service refused the request (status 404).';

  test.each([
    [
      [...refused('content', 401, ['A', 'A']), ...refused('delivery', 401, ['A'])],
      '1 delivery and 2 content items (“A”): the service refused the request (status 401).',
    ],
    [refused('content', 404, ['A', 'B', 'A', 'B']), four.replace(':', ' (“A” and “B”):')],
    [refused('content', 404, ['A', 'B', 'C', 'D']), four],
    [[lost('deliveries', 'list-empty')], 'The list of deliveries: it was empty, although it was not the last time.'],
    [[lost('broadcast', 'cut-off')], 'Name and content of 1 broadcast: the list may be cut off.'],
    [[lost('ratings', 'cut-off')], 'The ratings of 1 content item: the list may be cut off.'],
    [[lost('deliveries', 'dates-unreadable')], 'All deliveries together: too many dates could not be read.'],
  ])('is a line for each reason, with the names of three broadcasts at most: %j', (missing, line) => {
    expect(viewIncomplete(sectionOf(digest({ missing })))?.lines).toEqual([line]);
  });

  test('has a line for each of five reasons, counts the others, and says that there are no totals', () => {
    const missing = Array.from({ length: 7 }, (_, index) => refused('delivery', 400 + index, ['A'])).flat();
    const lines = viewIncomplete(sectionOf(digest({ missing, totals: totals({ seen: null }) })))?.lines;
    expect([lines?.length, ...(lines?.slice(5) ?? [])]).toEqual([
      7,
      '2 more things are missing.',
      'The totals are left out, because they would be too low.',
    ]);
    expect(viewIncomplete(sectionOf(digest({ deliveries: [delivery({ kind: null })] })))).toBeNull();
  });
});

describe('the figures of the period', () => {
  const previous = {
    deliveries: 6,
    broadcasts: 3,
    seen: 292,
    responded: 120,
    asked: engaged(289, 179),
    responseRate: 179 / 289,
  };
  const now: Digest['totals'] = {
    ...digest().totals,
    deliveries: 8,
    broadcasts: 4,
    seen: 372,
    responded: 115,
    asked: { seen: 151, responded: 130, answered: 107 },
    responseRate: 107 / 151,
    previous,
  };
  const lacking = { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' };
  const view = (over: Partial<Digest['totals']> = {}) =>
    plain(viewTiles(sectionOf(digest({ totals: { ...now, ...over } }))));
  const notes = (over: Partial<Digest['totals']>) => view(over)?.tiles.map((tile) => tile.notes);

  test('are each with its change, and with what the rate is of', () => {
    expect(notes({})).toEqual([['+80 (was 292)'], ['+9 pts (was 62%)'], ['+1 (was 3)', '8 deliveries']]);
    expect(view()?.note).toBe(
      'The response rate is of the broadcasts that ask something: 107 of 151 viewers responded. ' +
        'The other 221 views (59%; 1% before) were of broadcasts that only inform.',
    );
    expect([view({ seen: null }), view({ seen: 999_999 })?.long, view({ seen: 1_000_000 })?.long]).toEqual([
      null,
      false,
      true,
    ]);
  });

  test('say where nothing has changed that is shown, and what was not counted before', () => {
    const alike = { ...now, responseRate: 0.713 };
    expect(notes({ previous: alike })).toEqual([
      ['as before (372)'],
      ['as before (71%)'],
      ['as before (4)', '8 deliveries'],
    ]);
    const uncounted = { previous: { ...previous, broadcasts: null, asked: null, responseRate: null } };
    expect(notes(uncounted)).toEqual([['+80 (was 292)'], [], ['8 deliveries']]);
    expect(view(uncounted)?.note).toMatch(/inform\. There is no earlier response rate to compare with\.$/);
  });

  test.each([
    ['incomplete-now', 'There is no comparison, because figures of November 2 – 8, 2026 are missing.'],
    ['incomplete-before', 'There is no comparison, because figures of November 2 – 8, 2026 are missing.'],
    ['first', 'This is the first digest of this report: there is nothing to compare with yet.'],
    ['first-so-early', 'This is the first digest for so early a period: there is nothing to compare with.'],
    ['not-kept', 'There is no comparison: no digest was made for November 2 – 8, 2026.'],
    [
      'counted-otherwise',
      'There is no comparison: November 2 – 8, 2026 was counted under other filters or in another time zone.',
    ],
  ] as const)('have no change without a comparison, for a reason: %s', (reason, sentence) => {
    const over = { previous: null, comparison: { basis: 'none', reason, lacking } } as const;
    expect(notes(over)).toEqual([[], [], ['8 deliveries']]);
    expect(view(over)?.note.endsWith(`(59%) were of broadcasts that only inform. ${sentence}`)).toBe(true);
  });

  test.each([
    ['nothing was asked', engaged(0, 0), 'Nothing that was seen asked for a response.'],
    ['nothing that was asked was seen', engaged(0, 12), ''],
    ['it is not known what asks', null, ''],
  ])('have a dash for a rate: %s', (_, asked, note) => {
    const shown = view({ asked, responseRate: null });
    expect([shown?.tiles[1]?.value, shown?.note]).toEqual(['–', note]);
  });
});

describe('a new broadcast', () => {
  test.each([
    ['nothing asked', { asks: false }, '*96 of 160* saw it (60%) · *72* responded · *64* not yet'],
    ['responded and not seen', { seen: 0, responded: 2 }, '*2* responded; the service gave no views'],
    [
      'not available',
      { seen: null, responded: null, unavailable: { reason: 'forbidden', status: 403 } },
      'Figures not available: the account is not allowed to read this (status 403).',
    ],
  ] satisfies Array<[string, Partial<DigestBroadcast>, string]>)('has its figures in one line: %s', (_, over, line) => {
    const parts = oneNew(over)?.figures.map(({ text, strong }) => (strong ? `*${text}*` : text));
    expect(parts?.join('')).toBe(line);
  });

  test('has a bar where its audience is known, and the legend says where there is none', () => {
    const least = { responded: null, seen: '1%', rest: '99%' };
    expect(oneNew({})?.bar).toEqual({ responded: '45%', seen: '15%', rest: '40%' });
    expect(oneNew({ seen: 1, responded: 0, audience: 4000 })?.bar).toEqual(least);
    expect([oneNew({ audience: null })?.bar, oneNew({ seen: 0 })?.bar]).toEqual([null, null]);
    const unknown = entry({ id: '2', audience: null });
    const noBars = [[unknown], [entry()], [entry(), unknown]].map(
      (broadcasts) => viewNewBroadcasts(ofEntries(broadcasts))?.legend?.noBar,
    );
    expect(noBars).toEqual([undefined, null, 'No bar: the audience is not known.']);
  });

  test.each([
    [{ contents: [{ id: '1', type: 'Text', seen: 1, responded: 0 }], asks: false }, ' · first seen Nov 10 · text only'],
    [{ stillCounting: true }, ' · first seen Nov 10 · still counting'],
    [{ seen: 0, asks: false }, ' · information only'],
    [{ firstSign: '2025-12-31T08:00:00+00:00' }, ' · first seen Dec 31, 2025'],
    [{ deliveries: ['1', '2'] }, ''],
  ])('says who made it and what it is: %j', (over, details) => {
    expect(oneNew(over)?.details).toBe(`by Priya Shah${details}`);
    expect(oneNew({ ...over, createdBy: null, firstSign: null, asks: true, stillCounting: false })?.details).toBeNull();
  });

  test('says its status where the report wants several', () => {
    const section = ofEntries([entry()]);
    const report = { ...section.report, statuses: ['delivered', 'partly_delivered'] };
    expect(viewNewBroadcasts({ ...section, report })?.broadcasts[0]?.details).toMatch(/ · status delivered$/);
  });

  test('links to itself where the settings say how, and the service gave its id', () => {
    expect(oneNew({ id: '7/1?x="&' })?.link).toBe('https://reporting.example.com/broadcasts/7%2F1%3Fx%3D%22%26');
    expect(oneNew({ id: '' })?.link).toBeNull();
  });

  test('has its deliveries told apart by who saw them, of how many and when', () => {
    const deliveries = [
      { listed: 90, reach: 0.4 },
      { firstSign: '2026-11-11T08:00:00+00:00' },
      { seen: null },
      { firstSign: null },
      { seen: 0 },
      ...Array.from({ length: 3 }, () => ({})),
    ].map((over, index) => delivery({ id: `${index}`, seen: 40, responded: 10, ...over }));
    expect(oneNew({ deliveries: deliveries.map(({ id }) => id) }, deliveries)?.deliveries).toBe(
      '8 deliveries: 40 of 90 saw it (first Nov 10), 40 (Nov 11), –, 40, –, 40 (Nov 10), 2 more.',
    );
  });

  test('shows figures to date where those of the period are not known, and says so', () => {
    const shown = oneNew({ inPeriod: null, unavailable: { reason: 'dates-unreadable' } });
    expect([shown?.figures[0]?.text, shown?.notes]).toEqual([
      '96 of 160',
      ['Figures of the period not available: too many dates could not be read.'],
    ]);
  });

  test("has its items in the author's order, with a bar against the most seen one", () => {
    const contents = [
      { id: '1', type: 'text', seen: 40, responded: 0 },
      { id: '2', type: 'multipleChoice', seen: 80, responded: 60 },
      { id: '3', type: 'rating', seen: 20, responded: 20, ratings: { count: 20, mean: 3.66 } },
      { id: '4', type: 'poll', seen: 0, responded: 7 },
    ];
    const shown = oneNew({ contents })?.items;
    expect(shown?.rows.map(({ name, detail, bar, seen }) => [name, detail, bar, seen])).toEqual([
      ['1 Text', null, { responded: null, seen: '50%', rest: '50%' }, '40'],
      ['2 Multiple choice', null, { responded: '75%', seen: '25%', rest: null }, '80'],
      ['3 Rating', 'mean 3.7 (20 ratings)', { responded: '25%', seen: null, rest: '75%' }, '20'],
      ['4 Poll', null, { responded: null, seen: null, rest: '100%' }, '–'],
    ]);
  });

  test('says what is not shown or not available of its items', () => {
    expect(itemNotesOf(items(10))).toEqual(['2 more items. They are in the file.']);
    expect(
      itemNotesOf([{ id: '1', type: 'rating', seen: 4, responded: 3, ratings: { count: 3, mean: null } }]),
    ).toEqual(['3 ratings']);
    expect(itemNotesOf([gone('1'), ...items(1), gone('3'), gone('4', 'failed')])).toEqual([
      '2 items not available: this was removed from the service.',
      '1 item not available: the service did not answer after several attempts.',
    ]);
    const missing = [lost('broadcast', 'not-found', { broadcast: '71', status: 404 })];
    expect(itemNotesOf(null, { missing })).toEqual([
      'Items not available: the service no longer finds this (status 404).',
    ]);
  });
});

describe('many new broadcasts', () => {
  const many = Array.from({ length: 200 }, (_, index) => entry({ id: String(index), deliveries: [String(index)] }));

  test('are ten, and the others a sentence with their sums', () => {
    const shown = viewNewBroadcasts(ofEntries(many));
    expect([shown?.heading, shown?.broadcasts.length, shown?.more]).toEqual([
      'New this week · 200 broadcasts',
      10,
      '190 more broadcasts: 18,240 views and 13,680 responses together. They are in the file.',
    ]);
    const unknown = { ...ofEntries([...many, entry({ id: 'x', inPeriod: null })]), hasFile: false };
    expect(viewNewBroadcasts(unknown)?.more).toBe('191 more broadcasts.');
  });

  test('are on the page as far as it has room, and the others in the file where there is one', () => {
    const more = [...many, ...Array.from({ length: 40 }, (_, index) => entry({ id: `x${index}` }))];
    const said = (broadcasts: DigestBroadcast[], hasFile: boolean) =>
      viewNewBroadcasts({ ...ofEntries(broadcasts), hasPage: true, hasFile })?.more?.split('together. ')[1];
    expect([said(many, true), said(more, true), said(more, false)]).toEqual([
      'They are under “See everything”.',
      '190 of them are under “See everything”. The others are in the file.',
      '190 of them are under “See everything”.',
    ]);
    const ofPage = { ...ofEntries([entry({ contents: items(2000) })]), hasPage: true, hasFile: false };
    expect(viewNewBroadcasts(ofPage)?.broadcasts[0]?.notes).toEqual([
      '1,992 more items. 192 of them are under “See everything”.',
    ]);
  });

  test('show their items first where there is little room', () => {
    const limits = { ...mailLimits, broadcasts: 2, withItems: 1 };
    const shown = viewNewBroadcasts({ ...ofEntries(many.slice(0, 3)), limits });
    expect(shown?.broadcasts.map(({ items, notes }) => [items?.rows.length, notes])).toEqual([
      [2, []],
      [undefined, ['2 items are not shown. They are in the file.']],
    ]);
    expect(shown?.more).toBe('1 more broadcast: 96 views and 72 responses together. It is in the file.');
  });
});

test('what is still being read is six rows at most, of two views or more each, and the rest a sentence', () => {
  const viewOf = (broadcasts: DigestBroadcast[]) => {
    const shown = viewStillRead(ofEntries(broadcasts));
    return [shown?.lines, shown?.more];
  };
  expect(viewOf([entry(), older(0, { inPeriod: engaged(0, 0) })])).toEqual([undefined, undefined]);
  expect(viewOf([older(1)])).toEqual([[], '1 older broadcast: 1 view and 1 response together. It is in the file.']);
  expect(viewOf([older(13, { deliveries: ['1', '2'] }), older(0, { seen: 0, inPeriod: engaged(0, 12) })])).toEqual([
    ['B13, 2 deliveries  13 seen   1 responded', 'B0                       –  12 responded'],
    null,
  ]);
  const nine = viewStillRead(ofEntries(Array.from({ length: 9 }, (_, index) => older(20 - index))));
  const more = '3 more broadcasts: 39 views and 3 responses together. They are in the file.';
  expect([nine?.rows.length, nine?.more]).toEqual([6, more]);
});

test('the trend has a bar against the highest, a column of rates where one is known, and a dash for what was not kept', () => {
  const unkept = trendPeriod('11-02', null);
  expect([
    viewTrendOf(),
    viewTrendOf(trendPeriod('11-09', 372)),
    viewTrendOf(unkept, trendPeriod('11-09', 372)),
  ]).toEqual([null, null, null]);
  const shown = viewTrendOf(
    trendPeriod('10-19', 0),
    trendPeriod('10-26', 186),
    unkept,
    trendPeriod('11-09', 372, 0.71),
  );
  expect(shown?.lines).toEqual([
    'From    Views  Response rate',
    'Oct 19      0              –',
    'Oct 26    186              –',
    'Nov 2       –              –',
    'Nov 9     372            71%',
  ]);
  const bars = [null, '50%', null, '100%'];
  expect(shown?.periods.map(({ bar, current }) => [bar, current])).toEqual(bars.map((bar, at) => [bar, at === 3]));
  expect(viewTrendOf(trendPeriod('11-02', 292), trendPeriod('11-09', 372))?.lines[0]).toBe('From   Views');
});

describe('the notes', () => {
  const asOf = 'Data as of Nov 16, 2026, 8:00 AM, Europe/London.';

  test('say what is in the file or that it is too large, and when the data was read', () => {
    const file = 'The attached file a.csv has every delivery and content item with all figures.';
    expect([notesOf(), notesOf({}, { name: 'a.csv' })]).toEqual([[asOf], [file, asOf]]);
    expect(notesOf({}, 'too-large')[0]).toMatch(/^The file with all rows is too large for a mail/);
  });

  test('say what else bears on the figures', () => {
    expect(
      notesOf({
        broadcasts: [entry({ stillCounting: true })],
        deliveries: [delivery({ listed: 100, lackingFields: 11 }), delivery({ listed: 100, lackingFields: 10 })],
        totals: totals({ undated: 3 }),
        unseenNotNamed: 2,
        unknownDate: 3,
        otherStatuses: { scheduled: 1, in_progress: 3 },
      }),
    ).toEqual([
      'Views and responses are counted by delivery: somebody who saw two counts twice.',
      '“Still counting”: the first sign is less than 48 hours old at the end of the period, so the figures will grow.',
      '2 older deliveries that nobody has seen are no longer named here.',
      '3 more deliveries that nobody has seen are of unknown date; they are not named.',
      'In 1 recipient list, more than a tenth of the rows do not say whether the content was seen or answered. They count as not seen and not answered, so the figures may be too low.',
      '3 rows have dates that cannot be read. They count to date, not in the period.',
      'Not counted here: 3 in progress, 1 scheduled.',
      asOf,
    ]);
    expect(notesOf({ broadcasts: [entry({ inPeriod: null })] })[0]).toMatch(
      /^The figures of new broadcasts are to date/,
    );
  });

  test('name six other statuses and count the rest', () => {
    const otherStatuses = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`s${index}`, 8 - index]));
    expect(notesOf({ otherStatuses })[0]).toBe(
      'Not counted here: 8 s0, 7 s1, 6 s2, 5 s3, 4 s4, 3 s5, 3 with further statuses.',
    );
  });

  test.each([
    [{ seen: 200, responded: 0 }, '200 views from before Nov 9 came too late for the last digest.'],
    [{ seen: 1, responded: 3 }, '1 view and 3 responses from before Nov 9 came too late for the last digest.'],
    [{ seen: 0, responded: 0 }, null],
    [null, null],
  ])('are below what came late: %j', (late, sentence) => {
    expect(plain(sayLate(sectionOf(digest({ late }))))).toBe(sentence);
  });
});
