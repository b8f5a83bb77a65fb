import { expect, test } from 'vitest';
import { digestsOf } from '../../support/facts/digests.ts';
import { on, saw, sent } from '../../support/facts/world.ts';

const named = (id: string, name: string, author: string | null = 'Ada Byron') =>
  sent(id, on(1), 100, saw(60, on(1, 10)), { name, author });
const world = [
  named('latest', 'Latest vacancies'),
  named('test', 'TEST: please ignore'),
  { ...named('pool', 'Schwimmbad: Pläne', 'Tom Baker'), items: ['text', 'poll'].map((type) => ({ id: type, type })) },
  named('anonymous', 'Notice', ' '),
  // Long over: it is in no digest, whatever that is about.
  sent('old', on(-60), 100, saw(60, on(-60)), { name: 'A test of old', author: null }),
];
const idsOf = (options: object) => digestsOf(world, { options })[0]?.broadcasts.map(({ id }) => id);

test('names match by whole words, authors and types as a whole, however they are written, and what is left out is counted', () => {
  const [digest] = digestsOf(world, { options: { except: { broadcastName: 'test' } } });
  expect(digest?.broadcasts.map(({ id }) => id)).toEqual(['b-anonymous', 'b-latest', 'b-pool']);
  expect(digest).toMatchObject({ leftOut: 1, totals: { broadcasts: 3, seen: 180 } });
  expect(idsOf({ only: { broadcastName: 'plane' } })).toEqual(['b-pool']);
  expect(idsOf({ only: { broadcastName: 'schwimmbad - pläne' } })).toEqual(['b-pool']);
  expect(idsOf({ only: { broadcastName: 'schwimm' } })).toEqual([]);
  expect(idsOf({ only: { contentType: 'POLL', createdBy: 'tom baker' } })).toEqual(['b-pool']);
  expect([idsOf({ only: { contentType: 'quiz' } }), idsOf({ only: { createdBy: 'Tom' } })]).toEqual([[], []]);
});

test('where nothing says who made a broadcast, a slice of authors says that it may lack it', () => {
  const [digest] = digestsOf(world, { options: { only: { createdBy: 'Tom Baker' } } });
  expect(digest?.unavailable).toMatchObject([{ what: 'createdBy', broadcast: { id: 'b-anonymous' } }]);
  expect(digest?.noMatch).toBeNull();
  expect(digestsOf(world, { options: { only: { createdBy: 'Ada Byron' } } })[0]?.noMatch).toBeNull();
});

test('what comes near a slice that nothing meets has letters in common with it: three at most, the nearest first', () => {
  const names = ['Pool plan', 'Rota south', 'Rota nor', 'Rota', 'Zzz', 'Report of the northern staff'];
  const rotas = names.map((name, place) => named(`${place}`, name));
  const nearest = (options: object, account = rotas) => digestsOf(account, { options })[0]?.noMatch;
  expect(nearest({ only: { broadcastName: 'Rota north' } })).toEqual({ nearest: ['Rota nor', 'Rota south', 'Rota'] });
  expect(nearest({ only: { broadcastName: 'zzzz' } })).toEqual({ nearest: ['Zzz'] });
  expect([nearest({}), nearest({ only: { createdBy: 'A' } }, [])]).toEqual([null, null]);
});

const rota = (week: number, seen: number) =>
  sent(`r${week}`, on(7 * week + 1), 40, saw(seen, on(7 * week + 1, 10)), {
    name: `Rota week ${week}`,
    author: week === 3 ? 'Tom Baker' : null,
  });

test('usual is what it is in the whole account, and a digest that was about something else says nothing of this one', () => {
  const rotas = [rota(0, 30), rota(1, 30), rota(2, 30), rota(3, 12)];
  expect(digestsOf(rotas, { weeks: 4, options: { only: { createdBy: 'Tom Baker' } } })[3]?.needs).toMatchObject([
    { deliveries: ['r3'], usual: 0.75 },
  ]);
});

test('what was about something else is no digest before, and what nothing is known of is not left out', () => {
  const dark = sent('dark', on(1), 60);
  const [, same] = digestsOf([...world, dark], { weeks: 2 });
  const [, other] = digestsOf([...world, dark], { weeks: 2, later: { except: { createdBy: 'Tom Baker' } } });
  const [, narrowed] = digestsOf([...world, dark], { weeks: 2, later: { only: { broadcastName: 'dark' } } });
  expect([same, other, narrowed].map((digest) => digest?.needs[0]?.timesNamed)).toEqual([1, 0, 0]);
  expect(idsOf({ except: { createdBy: 'Tom Baker' } })).toEqual(['b-anonymous', 'b-latest', 'b-test']);
  const [stars] = digestsOf([named('stars', '*** Alarm ***')], { options: { only: { broadcastName: '***' } } });
  expect(stars?.broadcasts).toHaveLength(1);
});
