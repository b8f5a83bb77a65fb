import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import type { Receipt } from '../../functions/run/receipt/receipt.ts';
import { startService, type Service } from '../support/service/service.ts';
import { runStart } from '../support/commands.ts';
import { createFolders, readDigestFile, readMails, readReceiptFile, type Folders } from '../support/start-folders.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const missing = {
  what: 'delivery',
  delivery: 'd-gone',
  broadcast: '7',
  name: 'Gone for good',
  reason: 'not-found',
  status: 404,
};
const weeks = ['2026-11-09T08:00:00Z', '2026-11-16T08:00:00Z'];

let service: Service;
let folders: Folders;
const digests: Digest[] = [];
const receipts: Receipt[] = [];
const codes: Array<number | null> = [];
const texts: string[] = [];
const printed: string[] = [];

const delivery = (id: string, broadcast: { id: string; name: string }): unknown => ({
  delivery: { id, broadcast, status: 'delivered' },
});

beforeAll(async () => {
  folders = await createFolders();
  service = await startService({
    answers: {
      deliveries: () => [
        delivery('d-there', { id: '5', name: 'Still there' }),
        delivery('d-gone', { id: '7', name: 'Gone for good' }),
      ],
      broadcast: (id) => ({
        broadcast: {
          id,
          name: id === '5' ? 'Still there' : 'Gone for good',
          created: { by: {}, at: '2026-11-03T08:00:00Z' },
        },
        contents: [{ id: '51', type: 'text' }],
      }),
      recipients: (id) =>
        id === 'd-gone'
          ? 404
          : ['2026-10-20', '2026-11-03', '2026-11-10'].map((date) => ({
              seenAt: `${date}T09:00:00Z`,
              respondedAt: null,
            })),
      contentRecipients: (id) => (id === 'd-gone' ? 404 : []),
    },
  });
  for (const at of weeks) {
    const flags = [...folders.flags, '--service-url', service.url, '--at', at, '--to', 'ada@example.com'];
    const { code, stdout } = await runStart(flags, { environment: service.environment });
    codes.push(code);
    printed.push(stdout);
    digests.push(await readDigestFile(folders));
    receipts.push(await readReceiptFile(folders));
  }
  for (const { email } of await readMails(folders.out)) texts.push(email.text ?? '');
});
afterAll(async () => {
  await service.close();
  await folders.remove();
});

test('the first digest that meets what is gone for good names it, and withholds the totals', () => {
  expect(codes[0]).toBe(2);
  expect(digests[0]?.missing).toContainEqual(missing);
  expect(digests[0]?.totals).toMatchObject({ seen: null, unavailable: { reason: 'incomplete' } });
});

test('from then on it is only in the coverage: the digest is whole without it', () => {
  expect(codes[1]).toBe(0);
  expect(digests[1]?.missing).toEqual([]);
  expect(digests[1]?.deliveries.map(({ id }) => id)).toEqual(['d-there']);
  expect(digests[1]?.totals).toMatchObject({ deliveries: 0, seen: 1, responded: 0 });
  expect(receipts[1]?.coverage.unavailable).toContainEqual(missing);
});

test('the incomplete period before is compared with nothing, and the digest names it', () => {
  expect(digests[1]?.totals).toMatchObject({
    previous: null,
    comparison: { basis: 'none', reason: 'incomplete-before' },
  });
});

test('the first mail says what is missing, the second does not', () => {
  expect(texts.filter((text) => text.includes('Gone for good'))).toHaveLength(1);
});

test('it is a matter of the first run alone', () => {
  const open = 'Open: Digest incomplete: weekly, 2 to 8 November 2026';
  expect(printed.map((text) => text.split('\n').filter((line) => line.startsWith('Open: ')))).toEqual([[open], [open]]);
});
