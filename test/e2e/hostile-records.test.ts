import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Digest, DigestDelivery } from '../../functions/domain/digest.ts';
import { startService, type Service } from '../support/service/service.ts';
import type { ServiceAnswers } from '../support/service/answers.ts';
import { runStart } from '../support/commands.ts';
import { createFolders, readDigestFile, readMails } from '../support/start-folders.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const seen = { seenAt: '2026-11-11T09:00:00Z', respondedAt: null };
const created = { by: { id: '7', firstName: 'Eve', lastName: 'Adams' }, at: '2026-11-09T09:00:00+00:00' };
const MiB = 1024 * 1024;
/** JSON of so many mebibytes whose every byte becomes many in memory. */
const emptyArrays = (mebibytes: number): string => `[${'[],'.repeat((mebibytes * MiB) / 3)}[]]`;
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

interface Hostile {
  /** What is wrong with the record, and with nothing else. */
  what: string;
  id?: string;
  broadcastId?: string;
  name?: string;
  /** The answer about its broadcast, and the list of its recipients. */
  broadcast?: unknown;
  recipients?: unknown;
  /** Why the digest says it is unavailable; where it does not, the record is read. */
  reason?: string;
}

const broadcastWith = (contents: unknown): object => ({ broadcast: { created }, contents });

const records: readonly Hostile[] = [
  { what: 'nothing' },
  { what: 'an id with half a surrogate pair', id: '\ud800half', reason: 'refused' },
  { what: "a broadcast's id with half a surrogate pair", broadcastId: 'half\udfff', reason: 'refused' },
  { what: 'an id of 100 KB', id: 'x'.repeat(100_000), reason: 'refused' },
  { what: 'a broadcast of 60 MB', broadcast: Buffer.from(`{"x":${emptyArrays(60)}}`), reason: 'too-large' },
  { what: 'a recipient of 20 MB', recipients: Buffer.from(`[{"x":${emptyArrays(20)}}]`), reason: 'too-large' },
  { what: 'recipients of 65 MB', recipients: Buffer.alloc(65 * MiB, ' '), reason: 'too-large' },
  {
    what: 'a broadcast of 100,000 content items',
    broadcast: broadcastWith(Array.from({ length: 100_000 }, (_, id) => ({ id: String(id), type: 'text' }))),
    reason: 'too-large',
  },
  {
    what: 'a broadcast nested too deeply',
    broadcast: Buffer.from(`{"id":12345678901234567890,"contents":[],"x":${deep}}`),
    reason: 'unreadable',
  },
  {
    what: 'recipients in 20,000 lists',
    recipients: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`list ${index}`, []])),
    reason: 'unreadable',
  },
  { what: 'a recipient nested deeply', recipients: Buffer.from(`[{"seenAt":"2026-11-11T09:00:00Z","x":${deep}}]`) },
  { what: 'a date beyond all numbers', recipients: Buffer.from('[{"seenAt":1e999,"respondedAt":-1e999}]') },
  { what: 'an id in one normal form', id: '\u00e9' },
  { what: 'an id in the other', id: 'e\u0301' },
  { what: 'a name with a zero', name: 'nul \u0000 and half \ud800' },
  { what: 'a name of 5 MB', name: 'long '.repeat(MiB) },
  {
    what: 'two content items of one id',
    broadcast: broadcastWith([
      { id: '1', type: 'text' },
      { id: '1', type: 'text' },
    ]),
  },
  { what: 'the name of what every object inherits', id: '__proto__', broadcastId: 'constructor', name: 'toString' },
];

const idOf = ({ id }: Hostile, index: number): string => id ?? `d-${index}`;
const broadcastIdOf = ({ broadcastId }: Hostile, index: number): string => broadcastId ?? `b-${index}`;

const account: ServiceAnswers = {
  deliveries: () => {
    const rows = records.map((record, index) =>
      JSON.stringify({
        id: idOf(record, index),
        broadcast: { id: broadcastIdOf(record, index), name: record.name ?? record.what },
        status: 'delivered',
      }),
    );
    return Buffer.from(`[${rows.join(',')},{"status":"delivered"},${rows[0]}]`);
  },
  broadcast: (id) =>
    records.find((record, index) => broadcastIdOf(record, index) === id)?.broadcast ??
    broadcastWith([{ id: '1', type: 'text' }]),
  recipients: (id) => records.find((record, index) => idOf(record, index) === id)?.recipients ?? [seen],
  contentRecipients: () => [seen],
};

describe('whatever one record holds, only that record is unavailable', () => {
  let service: Service;
  let digest: Digest;

  beforeAll(async () => {
    const folders = await createFolders();
    service = await startService({ answers: account });
    try {
      const { environment } = service;
      const flags = ['--service-url', service.url, '--at', '2026-11-16T08:00:00Z', '--to', 'ada@example.com'];
      const { code, stderr } = await runStart([...flags, ...folders.flags], { environment });
      expect([code, code === 2 ? '' : stderr]).toEqual([2, '']);
      const files = (await readMails(folders.out)).map(({ email }) =>
        email.attachments.map(({ mimeType }) => mimeType),
      );
      expect(files).toEqual([['text/csv']]);
      digest = await readDigestFile(folders);
    } finally {
      await service.close();
      await folders.remove();
    }
  });

  const deliveryOf = (record: Hostile, index: number): DigestDelivery | undefined =>
    digest.deliveries.find(({ id }) => id === idOf(record, index));

  test.each(records.map((record, index) => ({ ...record, record, index })))('$what', ({ record, index, reason }) => {
    const delivery = deliveryOf(record, index);
    expect([delivery?.unavailable?.reason, delivery?.id]).toEqual([reason, idOf(record, index)]);
    if (reason === undefined) expect(delivery).toMatchObject({ listed: 1, seen: 1, contents: [{ id: '1', seen: 1 }] });
  });

  test('a row of the list without an id leaves a hole in it, which is named', () => {
    expect(digest.missing).toContainEqual({ what: 'deliveries', reason: 'unreadable' });
    expect(digest.deliveries.length).toBe(records.length);
  });

  test('each thing is asked for once, save what was no JSON, which may have been cut on its way', () => {
    const asked = service.asked().filter((request) => request.startsWith('GET'));
    const again = asked.filter((request, index) => asked.indexOf(request) < index);
    const index = records.findIndex(({ what }) => what === 'a broadcast nested too deeply');
    expect([...new Set(again)]).toEqual([`GET /v1/broadcasts/b-${index}`]);
  });
});
