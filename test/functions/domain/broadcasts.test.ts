import { expect, test } from 'vitest';
import { groupBroadcasts } from '../../../functions/domain/broadcasts.ts';
import type { DigestBroadcast, DigestDelivery } from '../../../functions/domain/digest.ts';
import { delivery, engaged, unread } from '../../support/digests/pieces.ts';

// What an entry says of its deliveries is known of generated accounts (accounts.test.ts).

/** The broadcasts of deliveries; of each the list has three. */
function grouped(deliveries: readonly DigestDelivery[]): DigestBroadcast[] {
  return groupBroadcasts(deliveries, { asks: () => true, listedDeliveries: () => 3, atAge: () => null });
}

const nobody = { ...engaged(0, 0), inPeriod: engaged(0, 0) };

const entry = (id: string, kind: DigestDelivery['kind'], seen: number, over: Partial<DigestDelivery> = {}) =>
  delivery({ id, broadcast: { ...delivery().broadcast, id }, kind, inPeriod: engaged(seen, 0), ...over });

test('the order is that of the mail: new, silent by audience, active, unread; else by views and responses in the period', () => {
  const silent = (id: string, ...audiences: number[]) =>
    entry(id, 'silent', 0, { ...nobody, audience: audiences[0] ?? null });
  const nameless = { broadcast: { ...delivery().broadcast, id: '' } };
  const entries = grouped([
    unread('u'),
    entry('active', 'active', 90),
    silent('unknown'),
    silent('narrow', 9),
    silent('wide', 68),
    entry('b', 'new', 3),
    entry('a', 'new', 3),
    entry('answered', 'new', 3, { inPeriod: engaged(3, 1) }),
    entry('most', 'new', 4),
    entry('2', 'new', 1, nameless),
    entry('1', 'new', 1, nameless),
  ]);
  const order = ['most', 'answered', 'a', 'b', '1', '2', 'wide', 'narrow', 'unknown', 'active', 'u'];
  expect(entries.map(({ deliveries }) => deliveries.join())).toEqual(order);
});
