import { expect, test } from 'vitest';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import { judgeContentLists } from '../../../../functions/run/collect/unseen-audience.ts';
import { engagement, recipients } from '../compose/collected-samples.ts';

const list = (content: string, over: Partial<Found<'contents'>> = {}): Found<'contents'> => ({
  delivery: 'a',
  content,
  ...over,
});
const bare = list('1', { engagement: engagement({ listed: 4, lackingFields: 4, lackingBoth: 4 }) });
const dated = list('2', { engagement: engagement({ listed: 4, seen: 1, lackingFields: 3, lackingBoth: 3 }) });
const empty = list('3', { engagement: engagement() });
const gone = list('4', { unavailable: { reason: 'gone' } });
const read = recipients('a', { engagement: engagement({ listed: 2, seen: 2 }) });
const silent = recipients('a', { engagement: engagement() });
const unread = recipients('a', { unavailable: { reason: 'unreadable' } });
const unreadable = { delivery: 'a', content: '1', unavailable: { reason: 'unreadable' } };

test.each([
  { when: "the delivery's own list was read", ofDelivery: read, lists: [bare], judged: [bare] },
  { when: "the delivery's own list is empty", ofDelivery: silent, lists: [bare], judged: [bare] },
  { when: 'another of its lists has dates', ofDelivery: unread, lists: [bare, dated], judged: [bare, dated] },
  { when: 'nothing of the delivery has dates', ofDelivery: unread, lists: [bare, empty], judged: [unreadable, empty] },
  { when: 'nothing else is known', ofDelivery: undefined, lists: [bare, gone], judged: [unreadable, gone] },
])('rows without dates, where $when', ({ ofDelivery, lists, judged }) => {
  const byContent = new Map(lists.map((each) => [each.content, each]));
  expect([...judgeContentLists(ofDelivery, byContent).values()]).toEqual(judged);
});
