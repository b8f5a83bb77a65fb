import { describe, expect, test } from 'vitest';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { named } from '../support/named.ts';
import type { ServiceAnswers } from '../support/service/answers.ts';
import { startService } from '../support/service/service.ts';
import { readMails, shownParts } from '../support/start-folders.ts';
import { startSystemOf } from '../support/system.ts';
import { english } from '../support/words.ts';

/** The digest of an account's week, its one mail. */
async function runOf(answers: ServiceAnswers) {
  await using service = await startService({ answers });
  await using system = await startSystemOf(service);
  const subscribers = await system.subscribersOf('ada@example.com');
  await system.carryOut({ report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z', subscribers });
  const [mail, ...others] = await readMails(system.out);
  if (mail === undefined || others.length > 0) throw new Error('There is not one mail.');
  const { run, digest = '' } = await requireRun(system.table, 'weekly', named('2026-W46'));
  return { mail, digest: await readDigest(system.table, run, digest) };
}

const hostileNames = [
  '<script>alert(1)</script>',
  '</td></table><h1>Taken over',
  '{{brand}} {{{title}}} {{#each groups}}',
  '<img src=x onerror=alert(1)>',
  'Line\r\nBcc: injected@example.com\r\n\r\nbody',
  'Bell\u0007 nul\u0000 escape\u001B[31m',
  '=HYPERLINK("http://evil.example","Prize")',
  "it's & <!-- not a comment -->",
];

/** Statuses of the last deliveries; some have the names of what every object inherits. */
const hostileStatuses = ['<i>{{status}}', 'constructor', '__proto__', 'toString'];

/** Twenty-two of the long ones, twice each, are more than an item of the ledger holds. */
const nameOf = (index: number): string => hostileNames[index] ?? `${index} ${'<b>&'.repeat(2_500)}`;

/** An account that tries everything: its texts are hostile, and there is more of it than any mail can hold. */
const hostile: ServiceAnswers = {
  deliveries: () =>
    Array.from({ length: 150 }, (_, index) => ({
      delivery: {
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        broadcast: { id: String(index), name: nameOf(index) },
        status: hostileStatuses[149 - index] ?? 'delivered',
      },
    })),
  broadcast: (id) => ({
    broadcast: {
      id,
      name: nameOf(Number(id)),
      created: { by: { id: '7', firstName: '<u>Eve', lastName: '{{footer}}' }, at: '2026-11-09T09:00:00+00:00' },
    },
    contents: Array.from({ length: 4 }, (_, index) => ({ id: `${id}${index}`, type: `<b>{{type}}${'x'.repeat(300)}` })),
  }),
  recipients: (id) =>
    Array.from({ length: Math.max(1, 20 - Number(id.slice(-12))) }, () => ({
      seenAt: '2026-11-11T09:00:00+00:00',
      respondedAt: '2026-11-11T09:05:00+00:00',
    })),
  contentRecipients: () => [{ seenAt: '2026-11-11T09:00:00+00:00', respondedAt: null }],
};

describe('the mail of an account that is as large and as hostile as can be', async () => {
  const { mail, digest } = await runOf(hostile);

  test('Promise 7: its html is under 60,000 bytes, and how many broadcasts it leaves out is said', () => {
    const { html = '' } = mail.email;
    expect(digest.broadcasts.length).toBe(150);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(Buffer.byteLength(html)).toBeGreaterThan(20_000);
    const more = english.count('more.sums', 2, { sums: '' }).slice(1, -1);
    expect(shownParts(mail.email).html).toMatch(new RegExp(`\\b1\\d\\d${more}`));
  });

  test('Promise 4: a status is counted, whatever it is called', () => {
    expect(Object.entries(digest.otherStatuses).toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual(
      hostileStatuses.toSorted((one, other) => (one < other ? -1 : 1)).map((word) => [word, 1]),
    );
  });

  test('Promise 9: what the service wrote is shown as text, and nothing else', () => {
    const { html = '', text = '', subject = '', headers, to } = mail.email;
    for (const part of Object.values(shownParts(mail.email))) {
      for (const name of hostileNames.slice(0, 4)) expect(part).toContain(name);
    }
    const tags = ['<script', '<img src=x', '<h1>Taken', '<b>&<b>', '<u>Eve', '<i>{{', '<!-- not'];
    expect(tags.filter((tag) => html.includes(tag))).toEqual([]);
    const controls = /[^\P{Cc}\t\r\n]/u;
    expect([html, text, subject].filter((part) => controls.test(part))).toEqual([]);
    expect(headers.filter(({ key }) => key === 'bcc')).toEqual([]);
    expect(to).toEqual([{ address: 'ada@example.com', name: '' }]);
  });
});

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
];

const idOf = ({ id }: Hostile, index: number): string => id ?? `d-${index}`;
const account: ServiceAnswers = {
  deliveries: () => {
    const rows = records.map((record, index) =>
      JSON.stringify({
        id: idOf(record, index),
        broadcast: { id: `b-${index}`, name: record.name ?? record.what },
        status: 'delivered',
      }),
    );
    return Buffer.from(`[${rows.join(',')},{"status":"delivered"},${rows[0]}]`);
  },
  broadcast: () => ({ broadcast: { created }, contents: [{ id: '1', type: 'text' }] }),
  recipients: (id) => records.find((record, index) => idOf(record, index) === id)?.recipients ?? [seen],
  contentRecipients: () => [seen],
};

test('whatever one record holds, only that record is unavailable, with why; a row without an id leaves a hole that is named', async () => {
  const { digest } = await runOf(account);
  const expected = records.flatMap((record, index): Array<[string, unknown]> =>
    record.isLater ? [] : [[idOf(record, index), record.reason ?? { listed: 1, seen: 1, contents: [['1', 1]] }]],
  );
  const deliveries = digest.broadcasts.flatMap((broadcast) => broadcast.deliveries);
  const shown = deliveries.map(({ id, unavailable, listed, seen, contents }): [string, unknown] => [
    id,
    unavailable?.reason ?? { listed, seen, contents: contents?.map((item) => [item.id, item.seen]) },
  ]);
  // Of what could not be read, nobody knows whether it was seen: it has no row, and is named.
  const named = digest.unavailable.flatMap(({ what, delivery, reason }): Array<[string, unknown]> =>
    what === 'delivery' ? [[delivery ?? '', reason]] : [],
  );
  expect(new Map([...shown, ...named])).toEqual(new Map(expected));
  expect(digest.unavailable).toContainEqual(expect.objectContaining({ what: 'deliveries', reason: 'unreadable' }));
});
