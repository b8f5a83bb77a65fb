import { describe, expect, test } from 'vitest';
import type { Digest, PeriodFigures } from '../../../../functions/domain/digest.ts';
import { sayVerdict } from '../../../../functions/render/sections/verdict.ts';
import { digest } from '../../../support/digests/pieces.ts';
import { digestOfEntries, entry, language, unseen } from './entries.ts';

const asked = (seen: number, answered: number) => ({
  // More responded than saw it in the period, too.
  asked: { seen, answered, responded: answered + 300 },
  responseRate: seen === 0 ? null : answered / seen,
});
const totals = (now: Partial<PeriodFigures>, before: Partial<PeriodFigures> = {}): Digest['totals'] => {
  const base = digest().totals;
  return { ...base, ...now, previous: base.previous && { ...base.previous, ...before } };
};
const say = (of: Digest): string[] => sayVerdict(of, language);
const best = (...broadcasts: Parameters<typeof digestOfEntries>[0]) => say(digestOfEntries(broadcasts)).slice(1);

describe('what nobody has seen', () => {
  test.each([
    ['nothing', [entry()], 'Every broadcast in this digest was seen by somebody.'],
    ['one', [unseen()], 'One broadcast has not been seen by anybody yet.'],
    ['several', [unseen(), unseen({ id: '72' })], '2 broadcasts have not been seen by anybody yet.'],
    [
      'two deliveries of a broadcast whose others were seen',
      [entry({ listedDeliveries: 3 }), unseen({ deliveries: ['502', '503'], listedDeliveries: 3 })],
      '2 deliveries have not been seen by anybody yet.',
    ],
    [
      'a delivery of a broadcast whose older ones the digest does not include',
      [unseen({ listedDeliveries: 2 })],
      'One delivery has not been seen by anybody yet.',
    ],
  ])('is counted: %s', (_, broadcasts, sentence) => {
    expect(say(digestOfEntries(broadcasts))).toEqual([sentence]);
  });

  test('is never said to be nothing where deliveries are unseen and not named', () => {
    const entries = [entry()];
    expect(say(digestOfEntries(entries, { unseenNotNamed: 3 }))).toEqual(['Every new broadcast was seen by somebody.']);
    expect(say(digestOfEntries(entries, { unknownDate: 3 }))).toEqual(['Every new broadcast was seen by somebody.']);
    expect(say(digestOfEntries([entry({ kind: 'active' })], { unseenNotNamed: 3 }))).toEqual([]);
  });

  test('is never said to be nothing where there are only responses', () => {
    expect(say(digestOfEntries([entry(), entry({ id: '72', seen: 0, responded: 12 })]))).toEqual([]);
  });
});

describe('the response rate', () => {
  test.each([
    ['rose', totals(asked(151, 107), asked(152, 94)), ', up from 62%.'],
    ['fell', totals(asked(152, 94), asked(151, 107)), ', down from 71%.'],
    ['is shown alike', totals(asked(1000, 621), asked(1000, 619)), ', as before.'],
    ['has none before it', totals(asked(151, 107)), '.'],
  ])('is of what asks: it %s', (_, of, end) => {
    const rate = language.figures.rate(of.responseRate ?? 0);
    expect(say(digestOfEntries([entry()], { totals: of }))).toEqual([
      'Every broadcast in this digest was seen by somebody.',
      `Where something was asked, ${rate} of viewers responded${end}`,
    ]);
  });

  test('is not said where nothing was asked', () => {
    expect(say(digestOfEntries([entry({ asks: false })], { totals: totals(asked(0, 0)) }))).toHaveLength(1);
  });
});

describe('the best answered broadcast', () => {
  const other = entry({ id: '72', name: 'Other', seen: 20, responded: 10 });

  test('is named with its figures', () => {
    expect(best(entry({ responded: 99, answered: 71 }), other)).toEqual([
      'Best answered: “Friday Five”, by 71 of 96 viewers.',
    ]);
  });

  test.each([
    ['there is only one', [entry()]],
    ['the other has fewer than ten views', [entry(), { ...other, seen: 9 }]],
    ['the other only informs', [entry(), { ...other, asks: false }]],
    ['it is not known whether the other asks', [entry(), { ...other, asks: null }]],
    ['the other is still counting', [entry(), { ...other, stillCounting: true }]],
    ['the other is not new', [entry(), { ...other, kind: 'active' as const }]],
    ['nobody who saw either responded', [entry({ answered: 0 }), { ...other, answered: 0 }]],
  ])('is not named where %s', (_, broadcasts) => {
    expect(best(...broadcasts)).toEqual([]);
  });
});

describe('something missing', () => {
  const missing = [{ what: 'delivery', delivery: '9', reason: 'failed' }] as const;
  const two = [entry(), entry({ id: '72', name: 'Other', seen: 20, responded: 10 })];

  test('leaves out the rate and the best, which would be of what was read alone', () => {
    const of = digestOfEntries(two, { missing: [...missing], totals: totals({ seen: 116, ...asked(116, 82) }) });
    expect(say(of)).toEqual(['Some figures are missing from this digest.']);
  });

  test('says that there are no totals, and still what nobody has seen', () => {
    const of = digestOfEntries([...two, unseen({ id: '73' })], {
      missing: [...missing],
      totals: totals({ seen: null, asked: null }),
    });
    expect(say(of)).toEqual([
      'Some figures are missing, so there are no totals.',
      'One broadcast has not been seen by anybody yet.',
    ]);
  });
});
