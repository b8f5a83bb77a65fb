import { expect, test } from 'vitest';
import type { Digest, Need } from '../../../functions/digest/schema.ts';
import { mailLimits } from '../../../functions/render/limits.ts';
import { viewDigest } from '../../../functions/render/render.ts';
import { broadcast, delivery, digestOf, need } from '../../support/digests/build.ts';
import { input } from '../../support/digests/corpus.ts';
import { keyLanguage, readable } from './outputs/key-locale.ts';

// Which sentence a section says, by its key.

const page = 'https://pages.example.com/a';
type Where = { page?: string | null; files?: 'attached' | 'none' };
const view = (digest: Digest, where: Where = {}) =>
  readable(viewDigest({ ...input(digest), ...keyLanguage, page, files: 'none', limits: mailLimits, ...where }));

const seenBy = (seen: number | null, responded: number | null = 0) => broadcast('News', [delivery([seen, responded])]);
const weekOf = (seen: number, before?: number, over: Partial<Digest> = {}) =>
  digestOf([seenBy(seen)], over, before === undefined ? [] : [[before, 0]]);

test.each<[digest: Digest, says: string]>([
  [weekOf(100, 100), 'verdict.equal'],
  [weekOf(104, 100), 'verdict.about'],
  [weekOf(109, 100), 'verdict.about'],
  [weekOf(50, 45), 'verdict.both'],
  [weekOf(110, 100), 'verdict.more'],
  [weekOf(90, 100), 'verdict.fewer'],
  [weekOf(0, 5), 'verdict.both'],
  [weekOf(0, 0), 'verdict.only'],
  [weekOf(100), 'verdict.of'],
  [weekOf(100, 50, { coveredSince: '2026-11-10T00:00:00+00:00' }), 'verdict.more'],
  [weekOf(100, 50, { coveredSince: '2026-11-10T00:00:01+00:00' }), 'verdict.atLeast'],
  [weekOf(0, 0, { coveredSince: '2026-11-16T00:00:00+00:00' }), 'verdict.nothing'],
  [digestOf([seenBy(null, 3), seenBy(7)]), 'verdict.atLeast'],
  [digestOf([seenBy(null, 3)]), 'verdict.responses'],
])('the headline of case %# is the one of its figures: %2$s', (digest, says) => {
  expect(view(digest).verdict.split('(')[0]).toBe(says);
});

const few = (nth: number, over: Partial<Need> = {}) =>
  need(broadcast(`Few ${nth}`, [delivery([4, 0], { audience: 60 })]), over);
const fews = (count: number, over?: Partial<Need>) => Array.from({ length: count }, (_, nth) => few(nth, over));
const withNeeds = (needs: Need[], over: Partial<Digest> = {}) => weekOf(100, 100, { needs, ...over });

test('three needs have a box, and of more it is said how many there are, and where', () => {
  const shown = (count: number, where?: Where) => {
    const { boxes = [], more } = view(withNeeds(fews(count)), where).needs ?? {};
    return [boxes.length, more?.split('(')[0]];
  };
  expect([shown(3), shown(4)]).toEqual([
    [3, undefined],
    [3, 'needs.more.page'],
  ]);
  expect(shown(4, { page: null, files: 'attached' })).toEqual([3, 'needs.more.file']);
  expect(shown(4, { page: null })).toEqual([3, 'needs.more.nowhere']);
  // One that was named before is no news.
  expect(view(withNeeds([few(1, { timesNamed: 1 })])).needs).toBeNull();
});

test.each<[over: Partial<Need>, advice: string[]]>([
  [{}, ['needs.share', 'needs.remind']],
  [{ usual: 0.8 }, ['needs.mark', 'needs.remind']],
  [{ fewest: 20 }, ['needs.fewest', 'needs.remind']],
  [{ reached: 6, toRemind: 54 }, ['needs.share', 'needs.remindSilent']],
  [{ toRemind: null, ofDeliveries: 3 }, ['needs.part', 'needs.share', 'needs.remindOthers']],
  [{ reason: 'unseen', seen: 0, reached: 0 }, ['needs.check']],
  [{ reason: 'unseen', seen: 0, reached: 0, ofDeliveries: 3 }, ['needs.checkPart']],
])('a need of %j is told with what is usual and what is to be done', (over, advice) => {
  const [box] = view(withNeeds([few(1, over)])).needs?.boxes ?? [];
  expect(box?.advice.match(/needs\.\w+/g)).toEqual(advice);
});

const still = (count: number) =>
  view(withNeeds(fews(count, { timesNamed: 1 }))).since?.still.flatMap(({ names }) => names.map(({ name }) => name)) ??
  [];

test('of what was named before three are still named, and two that are otherwise now', () => {
  expect(still(3).join()).not.toContain('still.more');
  expect([still(4).length, still(4)[3]]).toEqual([4, expect.stringContaining('still.more')]);
  const { reason, broadcast: of, deliveries, ofDeliveries } = few(1);
  const before = { seen: 4, reached: 4, audience: 60 };
  const entry = { reason, broadcast: of, deliveries, ofDeliveries, before };
  const lines = (...nows: Array<Digest['since'][number]['now']>) =>
    view(weekOf(100, 100, { since: nows.map((now) => Object.assign({ now }, entry)) })).since?.lines.map(
      (line) => line.split('(')[0],
    );
  expect(lines(null, { ...before, seen: 50 })).toEqual(['since.gone', 'since.line']);
  expect(lines(null, null, null)).toEqual(['since.gone', 'since.gone', 'since.more']);
});

const trend = (...weeks: Array<[number | null, number | null]>) =>
  view(digestOf([seenBy(9)], {}, weeks)).trend?.periods.length;

test('a trend is one of three weeks that are known', () => {
  expect([trend([8, 0]), trend([8, 0], [7, 0]), trend([null, null], [7, 0])]).toEqual([undefined, 3, undefined]);
});

test('a quiet month is told with what is usual, where something is', () => {
  const season = { deliveries: 4, judged: 5, reached: 40, audience: 100, usual: 0.6 };
  const said = (usual: number | null) =>
    view(weekOf(100, 100, { season: { ...season, usual } })).needs?.season?.split('(')[0];
  expect([said(0.6), said(null)]).toEqual(['needs.season', 'needs.seasonFew']);
});
