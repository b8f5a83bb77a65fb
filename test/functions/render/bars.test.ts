import { expect, test } from 'vitest';
import { rowsOf } from '../../../functions/render/row-figures.ts';
import { mailLimits } from '../../../functions/render/limits.ts';
import { percentOf, scaleOf, viewBar, viewLegend, type Scale } from '../../../functions/render/sections/bars.ts';
import { broadcast, delivery, digestOf } from '../../support/digests/build.ts';
import { input } from '../../support/digests/corpus.ts';
import { keyLanguage, readable } from './outputs/key-locale.ts';

/** Rows written as `seen/audience/responded`, where `?` is not known. */
function rowsWith(rows: string) {
  const counts = rows.split(' ').map((row) => row.split('/').map((count) => (count === '?' ? null : Number(count))));
  const broadcasts = counts.map(([seen = null, audience = null, responded = 0]) =>
    broadcast('News', [delivery([seen, responded], { audience })]),
  );
  return rowsOf(digestOf(broadcasts));
}

test.each<[rows: string, scale: Scale]>([
  ['20/? 40/90', 'audience'],
  ['20/? 40/?', 40],
  ['?/?', 1],
])('the bars of %s have the scale %s', (rows, scale) => {
  expect(scaleOf(rowsWith(rows))).toBe(scale);
});

test.each<[row: string, scale: Scale, bar: object | null]>([
  ['30/100/10', 'audience', { responded: '10%', seen: '20%', rest: '70%', track: true }],
  ['30/?/10', 'audience', null],
  ['?/100', 'audience', null],
  ['30/?/10', 40, { responded: '25%', seen: '50%', rest: '25%', track: false }],
  ['9/?', 40, null],
  ['10/?', 40, { responded: null, seen: '25%', rest: '75%', track: false }],
  ['?/?', 40, null],
])('a row of %s has on the scale %s this bar', (row, scale, bar) => {
  expect(rowsWith(row).map(({ figures }) => viewBar(figures, scale))).toEqual([bar]);
});

const percents = '0/9:0 9/0:0 -1/9:0 1/900:1 899/900:99 900/900:100';
test.each(percents.split(' '))('of a width %s percent', (shown) => {
  const [part = 0, whole = 0, percent] = shown.split(/[/:]/).map(Number);
  expect(percentOf(part, whole)).toBe(percent);
});

test.each<[rows: string, scale: Scale, note: string | null]>([
  ['30/100', 'audience', ''],
  ['30/100 30/?', 'audience', 'legend.noBar'],
  ['30/100 30/? 5/8', 'audience', 'legend.noBarFew'],
  ['30/100 ?/100', 'audience', ''],
  ['30/?', 30, 'legend.scale(30)'],
  ['30/? 9/?', 30, 'legend.scale(30) legend.noBarFew'],
  ['9/?', 9, null],
])('the legend of %s on the scale %s says "%s"', (rows, scale, note) => {
  const language = { ...keyLanguage, limits: mailLimits, files: 'none' } as const;
  const legend = viewLegend(rowsWith(rows), scale, { ...input(digestOf([])), ...language });
  expect(readable(legend && (legend.note ?? ''))).toBe(note);
});
