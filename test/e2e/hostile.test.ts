import { expect, test } from 'vitest';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { named } from '../support/named.ts';
import type { ServiceAnswers } from '../support/service/answers.ts';
import { startService } from '../support/service/service.ts';
import { startSystemOf } from '../support/system.ts';

const seen = { seenAt: '2026-11-11T09:00:00Z', respondedAt: null };
const created = { by: { id: '7', firstName: 'Eve', lastName: 'Adams' }, at: '2026-11-09T09:00:00+00:00' };
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** Nothing but words of paging, each name another one. */
const names = Array.from(
  { length: 200_000 },
  (_, index) => `total${index.toString(2).replaceAll(/./g, (bit) => (bit === '0' ? '_of' : '_nb'))}`,
);

interface Hostile {
  /** What is wrong with the record, and with nothing else. */
  what: string;
  id?: string;
  name?: string;
  /** A status that is not wanted; it is counted, whatever it is called. */
  status?: string;
  /** The list of its recipients. */
  recipients?: unknown;
  /** It is not in the digest of the week. */
  isLater?: true;
  /** Why the digest says it is unavailable; where it does not, the record is read. */
  reason?: string;
}

const records: readonly Hostile[] = [
  { what: 'nothing' },
  { what: 'an id with half a surrogate pair', id: '\ud800half', reason: 'refused' },
  { what: 'an id of 100 KB', id: 'x'.repeat(100_000), reason: 'refused' },
  {
    what: 'recipients in 20,000 lists',
    recipients: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`list ${index}`, []])),
    reason: 'unreadable',
  },
  { what: 'a recipient nested deeply', recipients: Buffer.from(`[{"seenAt":"2026-11-11T09:00:00Z","x":${deep}}]`) },
  {
    what: 'an error nested deeply',
    recipients: Buffer.from(`{"data":[],"error":${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}}`),
    reason: 'unreadable',
  },
  {
    what: 'a long number beside what is nested deeply',
    recipients: Buffer.from(`[{"id":12345678901234567890,"x":${deep}}]`),
    reason: 'unreadable',
  },
  {
    what: '200,000 names of paging',
    recipients: { data: [seen], ...Object.fromEntries(names.map((name) => [name, 1])) },
    reason: 'cut-off',
  },
  // Nobody knows when that was: it is of no week before it was first listed.
  {
    what: 'a date beyond all numbers',
    isLater: true,
    recipients: Buffer.from('[{"seenAt":1e999,"respondedAt":-1e999}]'),
  },
  { what: 'an id in one normal form', id: '\u00e9' },
  { what: 'an id in the other', id: 'e\u0301' },
  { what: 'a name of 5 MB with a zero', name: `nul \u0000 ${'long '.repeat(1024 * 1024)}` },
  { what: 'the name of what every object inherits', id: '__proto__', name: 'toString' },
  ...['<i>{{status}}', 'constructor', '__proto__', 'toString'].map((status) => ({ what: 'a status', status })),
];

const idOf = ({ id }: Hostile, index: number): string => id ?? `d-${index}`;
const account: ServiceAnswers = {
  deliveries: () => {
    const rows = records.map((record, index) =>
      JSON.stringify({
        id: idOf(record, index),
        broadcast: { id: `b-${index}`, name: record.name ?? record.what },
        status: record.status ?? 'delivered',
      }),
    );
    return Buffer.from(`[${rows.join(',')},{"status":"delivered"},${rows[0]}]`);
  },
  broadcast: () => ({ broadcast: { created }, contents: [{ id: '1', type: 'text' }] }),
  recipients: (id) => records.find((record, index) => idOf(record, index) === id)?.recipients ?? [seen],
  contentRecipients: () => [seen],
};

test('whatever one record holds, only that record is unavailable, with why; a row without an id leaves a hole that is named', async () => {
  await using service = await startService({ answers: account });
  await using system = await startSystemOf(service);
  await system.carryOut({ report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z' });
  const { run, digest: id = '' } = await requireRun(system.table, 'weekly', named('2026-W46'));
  const digest = await readDigest(system.table, run, id);
  const expected = records.flatMap((record, index): Array<[string, unknown]> =>
    record.isLater ? [] : [[idOf(record, index), record.reason ?? { listed: 1, seen: 1, contents: [['1', 1]] }]],
  );
  const deliveries = digest.broadcasts.flatMap((broadcast) => broadcast.deliveries);
  const shown = deliveries.map(({ id, unavailable, listed, seen, contents }): [string, unknown] => [
    id,
    unavailable?.reason ?? { listed, seen, contents: contents?.map((item) => [item.id, item.seen]) },
  ]);
  // Of what could not be read, nobody knows whether it was seen: it has no row, and is named.
  const missing = digest.unavailable.flatMap(({ what, delivery, reason }): Array<[string, unknown]> =>
    what === 'delivery' ? [[delivery ?? '', reason]] : [],
  );
  expect(new Map([...shown, ...missing])).toEqual(new Map(expected));
  expect(digest.unavailable).toContainEqual(expect.objectContaining({ what: 'deliveries', reason: 'unreadable' }));
  const statuses = records.flatMap(({ status }) => status ?? []);
  expect(new Map(Object.entries(digest.otherStatuses))).toEqual(new Map(statuses.map((status) => [status, 1])));
});
