import { expect, test } from 'vitest';
import { readDeliveries } from '../../../functions/collect/list.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { OutOfTimeError, UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import { reportOf } from '../run/configured.ts';

const delivery = { id: 'a', broadcast: { id: 'b', name: 'Friday Five' }, status: 'delivered' };

/** What is read of a list of these pages, which breaks off with an error where there is one. */
async function read(
  pages: ReadonlyArray<ListPage['rows']>,
  { breaksOff, mayBeCutOff = false }: { breaksOff?: Error; mayBeCutOff?: boolean } = {},
) {
  async function* pagesOf(): ListPages {
    for (const rows of pages) yield await Promise.resolve({ rows, mayBeCutOff });
    if (breaksOff !== undefined) throw breaksOff;
  }
  const tally = createTally();
  const { deliveries, unavailable } = await readDeliveries(pagesOf(), reportOf(), tally);
  return { found: deliveries.map(({ id }) => id), unavailable, cutOff: tally.coverage.cutOff };
}

const unavailable = new UnavailableError('[GET] /v1', '500', { reason: 'failed', status: 500 });

test('a list that may be cut off is used as far as it goes, and one without an id is read but for that row', async () => {
  const cut = { unavailable: { reason: 'cut-off' }, found: ['a'] };
  expect(await read([[delivery, null]], { mayBeCutOff: true })).toMatchObject(cut);
  for (const breaksOff of [unavailable, new OutOfTimeError()]) {
    expect(await read([[delivery]], { breaksOff })).toMatchObject({ ...cut, cutOff: { deliveries: 1 } });
  }
  const unreadable = { unavailable: { reason: 'unreadable' }, found: ['a'] };
  expect(await read([[delivery, { status: 'delivered' }]])).toMatchObject(unreadable);
});

test('a list of which nothing comes is one clear error, and refused credentials are another', async () => {
  // What else helps is tested with the failures of requests.
  const message = 'The list of deliveries is unavailable. [GET] /v1: 500. Wait until the service answers';
  const named = { name: 'service-unavailable', message: expect.stringContaining(message) };
  await expect(read([], { breaksOff: unavailable })).rejects.toMatchObject(named);
  const breaksOff = new CodedError('credentials-refused', 'Refused.');
  await expect(read([], { breaksOff })).rejects.toBe(breaksOff);
});
