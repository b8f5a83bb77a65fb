import { describe, expect, test } from 'vitest';
import { sayFirstNeed, viewNeeds } from '../../../../functions/render/sections/needs.ts';
import { delivery, digest } from '../../../support/digests/pieces.ts';
import { digestOfEntries, entry, language, plain, sectionOf, unseen } from './entries.ts';

const view = (...broadcasts: Parameters<typeof digestOfEntries>[0]) =>
  plain(viewNeeds(sectionOf(digestOfEntries(broadcasts)), language));
const facts = (...broadcasts: Parameters<typeof digestOfEntries>[0]) =>
  view(...broadcasts)?.needs.map(({ name, fact }) => `${name}: ${fact}`);
const factsOf = (...deliveries: Array<ReturnType<typeof delivery>>) =>
  viewNeeds(sectionOf(digest({ deliveries })), language)?.needs.map(({ fact }) => fact);
const details = (over: object) => view(unseen(over))?.needs[0]?.details;
const missed = (seen: number, audience: number | null, over = {}) =>
  entry({ id: `${seen}`, name: `Seen ${seen}`, deliveries: [`d${seen}`], seen, responded: 0, audience, ...over });

test('nothing is said to need anybody, with what was looked at', () => {
  expect(view(entry())).toEqual({
    heading: 'Nothing needs you',
    needs: [],
    more: null,
    note: expect.stringMatching(/^Looked for: broadcasts that nobody has seen, and new ones/),
  });
});

test('nothing is said where something is missing', () => {
  const of = digestOfEntries([entry()], { missing: [{ what: 'delivery', delivery: '9', reason: 'failed' }] });
  expect(viewNeeds(sectionOf(of), language)).toBeNull();
  expect(sayFirstNeed(of, language)).toEqual([]);
});

describe('a broadcast that nobody has seen', () => {
  test.each([
    ['its audience is known', unseen(), 'Friday Five: none of 68 people has seen it'],
    ['it is for one person', unseen({ audience: 1 }), 'Friday Five: the 1 person it is for has not seen it'],
    ['its audience is not known', unseen({ audience: null }), 'Friday Five: nobody has seen it'],
    ['its audience is empty', unseen({ audience: 0 }), 'Friday Five: nobody has seen it'],
    ['it has no name', unseen({ name: null }), '(no name): none of 68 people has seen it'],
    [
      'another delivery of it was seen',
      unseen({ listedDeliveries: 4 }),
      'Friday Five: none of 68 people has seen delivery 501',
    ],
    [
      'others were seen, and it is not known for how many these are',
      unseen({ audience: null, deliveries: ['501', '502', '503', '504', '505'], listedDeliveries: 9 }),
      'Friday Five: nobody has seen deliveries 501, 502, 503, and 2 more',
    ],
  ])('is named: %s', (_, broadcast, fact) => {
    expect(facts(broadcast)).toEqual([fact]);
  });

  test('says who made it and when, and since when it was named', () => {
    expect(details({})).toBe('Priya Shah, created Nov 9');
    expect(details({ createdAt: '2025-11-09T09:30:00+00:00' })).toBe('Priya Shah, created Nov 9, 2025');
    expect(details({ unseenSince: '2026-10-26T00:00:00+00:00' })).toBe(
      'Priya Shah, created Nov 9, named since the digest of Oct 26',
    );
    expect(details({ createdAt: null, createdBy: null })).toBeNull();
  });
});

describe('a new broadcast that many have not seen', () => {
  test.each([
    ['fewer than half saw it, and ten did not', missed(4, 14), ['Seen 4: 10 of 14 people have not seen it']],
    ['nine did not', missed(3, 12), []],
    ['half saw it', missed(20, 40), []],
    ['as many saw it as is shown as half', missed(63, 127), []],
    ['its audience is not known', missed(4, null), []],
    ['it is still counting', missed(4, 14, { stillCounting: true }), []],
    ['it is not new', missed(4, 14, { kind: 'active' }), []],
    ['it was answered, and the service gave no views', missed(0, 14, { responded: 4 }), []],
  ])('is named or not: %s', (_, broadcast, expected) => {
    expect(facts(broadcast)).toEqual(expected);
  });
});

test('a broadcast that 20 of 1,000 saw in its last 48 hours is named once: when it can be judged, a week later', () => {
  const figures = { seen: 20, responded: 0, listed: 1000, reach: 0.02 };
  const weeks = [
    { kind: 'new', stillCounting: true, judged: false } as const,
    { kind: 'active', judged: true } as const,
    { kind: 'active', judged: false } as const,
  ];
  expect(weeks.map((week) => factsOf(delivery({ ...figures, ...week })))).toEqual([
    [],
    ['980 of 1,000 people have not seen it'],
    [],
  ]);
});

test('of a broadcast the deliveries that are judged now are, by their own figures, and they are named', () => {
  const old = delivery({ kind: 'active', responded: 0, listed: 100, reach: 0.5 });
  expect(factsOf({ ...old, id: '1', judged: true, seen: 9 }, old)).toEqual([
    '91 of 100 people have not seen delivery 1',
  ]);
});

test('what nobody has seen comes first, in the order of the digest, then what missed most people', () => {
  expect(
    facts(
      missed(30, 100),
      missed(20, 100),
      unseen({ id: 'a', name: 'Large', audience: 90 }),
      unseen({ id: 'b', name: 'Small', audience: 20 }),
      unseen({ id: 'c', name: 'Unknown', audience: null }),
    )?.map((fact) => fact.split(':')[0]),
  ).toEqual(['Large', 'Small', 'Unknown', 'Seen 20', 'Seen 30']);
});

test('five are named and the others counted, in the file where there is one', () => {
  const seven = Array.from({ length: 7 }, (_, index) => unseen({ id: String(index) }));
  expect(view(...seven)).toMatchObject({ needs: { length: 5 }, more: '2 more need you. They are in the file.' });
  const section = sectionOf(digestOfEntries(seven), { elsewhere: 'nowhere' });
  expect(viewNeeds(section, language)?.more).toBe('2 more need you.');
  expect(view(...seven.slice(0, 6))?.more).toBe('1 more needs you. It is in the file.');
});

test('the first is a sentence of the preheader', () => {
  expect(sayFirstNeed(digestOfEntries([unseen()]), language)).toEqual([
    '“Friday Five”: none of 68 people has seen it.',
  ]);
  expect(sayFirstNeed(digestOfEntries([entry()]), language)).toEqual(['Nothing needs you.']);
});
