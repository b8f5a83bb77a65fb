import { expect, test } from 'vitest';
import type { Found } from '../../../functions/ledger/runs/collections.ts';
import { selections } from '../../../functions/run/collection.ts';
import { includeFor, type Collected } from '../../../functions/run/reading.ts';
import {
  at,
  broadcast,
  collected,
  compose,
  engagement,
  figuresOf,
  history,
  listedDelivery,
  seenInPeriod,
  week,
} from './compose/collected-samples.ts';
import { reportOf } from './configured.ts';

test('each thing that a digest needs is asked for once', () => {
  const twin = { ...listedDelivery('twin'), broadcast: { id: 'b-new', name: 'Broadcast new' } };
  const without = { ...listedDelivery('without'), broadcast: { id: '', name: null } };
  const listed = [...['known', 'older', 'new', 'unread'].map((id) => listedDelivery(id)), twin, without];
  const createdAt = at('2026-11-03T08:00:00Z');
  const ofNew = at('2026-11-09T08:00:00Z');
  const before = history({ known: { createdAt }, older: { createdAt: null } });
  const earlier = [figuresOf(compose(collected()))];

  /** What a phase asks for. */
  const workOf = (name: string, found: Collected, report = reportOf()): unknown => {
    const reading = includeFor(found, week, { earlier, hasLater: false, settleHours: 48 });
    return selections.find((each) => each.name === name)?.select(reading, report);
  };
  const found = { ...collected({ history: before }), wanted: listed };
  expect(workOf('new broadcasts', found)).toEqual(['b-new', 'b-unread']);
  const named = { ...found, others: [{ ...without, broadcast: { id: 'b-other', name: null } }] };
  const filtered = reportOf({ broadcastName: 'Five' });
  expect(workOf('new broadcasts', named, filtered)).toEqual(['b-new', 'b-unread', 'b-other']);

  const broadcasts = [broadcast('new', '2026-11-09T08:00:00Z', [{ id: '1', type: 'poll' }])];
  const asked = { ...collected({ history: before, broadcasts }), wanted: listed };
  const creations = [createdAt, null, ofNew, null, ofNew, null];
  expect(workOf('recipients', asked)).toEqual(listed.map((delivery, n) => ({ delivery, createdAt: creations[n] })));

  const older = engagement({ seen: 1, firstSign: at('2026-10-01T08:00:00Z') });
  const answers = listed.map((delivery): Found<'recipients'> => {
    if (delivery.id === 'unread') return { delivery, unavailable: { reason: 'failed' } };
    return { delivery, engagement: delivery.id === 'older' ? older : seenInPeriod(1) };
  });
  const read = collected({ history: before, broadcasts, recipients: answers });
  expect(workOf('broadcasts', read)).toEqual(['b-known', 'b-unread']);
  const content = { id: '1', type: 'poll' };
  expect(workOf('content items', read)).toEqual([
    { delivery: 'new', content, createdAt: ofNew },
    { delivery: 'twin', content, createdAt: ofNew },
  ]);
});
