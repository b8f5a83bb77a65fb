import { expect, test } from 'vitest';
import { readDeliveries } from '../../../functions/collect/list.ts';
import type { DeliveryList } from '../../../functions/ledger/runs/collections.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { OutOfTimeError } from '../../../functions/reporting-service/requests/request.ts';
import { CredentialsError } from '../../../functions/reporting-service/tokens/credentials.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { reportOf } from '../run/configured.ts';

const delivery = (
  id: string,
  { status = 'delivered', name = 'Friday Five' }: { status?: string; name?: string | null } = {},
) => ({ id, broadcast: { id: `b-${id}`, name }, status });

/** What is read of a list of these pages, which breaks off with an error where there is one. */
async function read(
  pages: ReadonlyArray<ListPage['rows']>,
  over: { broadcastName?: string; breaksOff?: Error; mayBeCutOff?: boolean } = {},
) {
  const { breaksOff, mayBeCutOff = false, ...report } = over;
  async function* pagesOf(): ListPages {
    for (const rows of pages) yield await Promise.resolve({ rows, mayBeCutOff });
    if (breaksOff !== undefined) throw breaksOff;
  }
  const tally = createTally();
  const list: DeliveryList = await readDeliveries(pagesOf(), reportOf(report), tally);
  return { list, found: list.deliveries.map(({ id, status }) => `${id} ${status}`), cutOff: tally.coverage.cutOff };
}

test('the deliveries of the list come in its order, each with its own word for its status', async () => {
  const rows = ['Delivered', 'scheduled', 'toString', '__proto__'].map((status, n) => delivery(String(n), { status }));
  const { list } = await read([[...rows, { id: 'e', broadcast: { id: '5' } }]]);
  const bare = { id: 'e', broadcast: { id: '5', name: null }, status: 'unknown' };
  expect(list).toEqual({ rows: 5, deliveries: [...rows, bare] });
});

test.each([
  { statuses: ['sending', 'delivered'], found: 'delivered' },
  { statuses: ['Delivered ', 'sending'], found: 'Delivered ' },
  { statuses: ['delivered', 'delivered'], found: 'delivered' },
  { statuses: ['queued', 'sending', 'paused'], found: 'paused' },
])(
  'a delivery that is listed several times, as $statuses, counts once, as $found: as delivered, else under the latest',
  async ({ statuses, found: word }) => {
    const all = statuses.map((status) => delivery('a', { status }));
    const { found, list } = await read([
      [...all.slice(0, 1), delivery('b')],
      [delivery('c'), ...all.slice(1)],
    ]);
    expect([found, list.rows]).toEqual([[`a ${word}`, 'b delivered', 'c delivered'], statuses.length + 2]);
  },
);

const unavailable = new UnavailableError('[GET] /v1', '500', { reason: 'failed', status: 500 });

test('a list that may be cut off is used as far as it goes, and one without an id is read but for that row', async () => {
  const cut = { list: { unavailable: { reason: 'cut-off' } }, found: ['a delivered'] };
  expect(await read([[delivery('a'), null]], { mayBeCutOff: true })).toMatchObject(cut);
  for (const breaksOff of [unavailable, new OutOfTimeError()]) {
    expect(await read([[delivery('a')]], { breaksOff })).toMatchObject({ ...cut, cutOff: { deliveries: 1 } });
  }
  expect(await read([[delivery('a'), { status: 'delivered' }]])).toMatchObject({
    list: { unavailable: { reason: 'unreadable' } },
    found: ['a delivered'],
  });
});

test('a list of which nothing comes is one clear error, and refused credentials are another', async () => {
  await expect(read([], { breaksOff: unavailable })).rejects.toMatchObject({
    name: 'service-unavailable',
    message: 'The list of deliveries is unavailable. [GET] /v1: 500.',
  });
  const breaksOff = new CredentialsError('credentials-refused', 'Refused.');
  await expect(read([], { breaksOff })).rejects.toBe(breaksOff);
});
