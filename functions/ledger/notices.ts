import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Key, Table } from './table.ts';

/** What operators should know about a run: a matter. */
export const runMatterKinds = [
  'failed',
  'stopped',
  'overdue',
  'held',
  'held-too-long',
  'unbalanced',
  'refused',
  'unknown',
  'incomplete',
] as const;
export type RunMatterKind = (typeof runMatterKinds)[number];

const matterKinds = [...runMatterKinds, 'suppressed', 'not-set-up', 'not-configured'] as const;
export type MatterKind = (typeof matterKinds)[number];

/** The subject of a matter that is not about one run. No report can be called `@…`. */
export const wholeDeployment = '@deployment';

/** Identifies a matter. */
export interface MatterKey {
  kind: MatterKind;
  /** A run's name, that of a report which is not configured, or `wholeDeployment`. */
  subject: string;
  /** SES's id of the message whose event suppressed an address; only that kind has it. */
  message?: string;
}

const noticeSchema = v.object({
  kind: v.picklist(matterKinds),
  subject: v.string(),
  message: v.exactOptional(v.string()),
  /** Why an address was suppressed. */
  reason: v.exactOptional(v.picklist(['bounce', 'complaint'])),
  /** When the matter was recorded, ISO 8601. */
  since: v.string(),
  /** When operators were notified that it began. */
  noticedAt: v.exactOptional(v.string()),
  /** When it was over. It may begin anew after that. */
  overAt: v.exactOptional(v.string()),
  expiresAt: v.number(),
});

/** A matter in the ledger, and what operators know of it. It never holds an address. */
export type Notice = v.InferOutput<typeof noticeSchema>;

/** One partition: a look at all matters is one query. */
const partition = 'NOTICES';
const leaseKey: Key = { pk: partition, sk: 'LEASE' };

function keyOf({ kind, subject, message }: MatterKey): Key {
  const parts = ['NOTICE', subject, kind, ...(message === undefined ? [] : [message])];
  return { pk: partition, sk: parts.join('#') };
}

/** Every matter that the ledger knows of, also those that are over. */
export async function readNotices(table: Table): Promise<Notice[]> {
  return await Array.fromAsync(table.query(partition, { prefix: 'NOTICE#' }), (item) => v.parse(noticeSchema, item));
}

/** Records that a matter has begun, where it is not open already. `expiresAt` is in epoch seconds. */
export async function openNotice(
  table: Table,
  { kind, subject }: MatterKey,
  { since, expiresAt }: { since: string; expiresAt: number },
): Promise<void> {
  await table.update(keyOf({ kind, subject }), {
    set: { kind, subject, since, expiresAt },
    remove: ['noticedAt', 'overAt'],
    condition: 'attribute_not_exists(#kind) OR attribute_exists(#overAt)',
  });
}

/** Records that an address was suppressed by an event about this message of a run. The same event again changes nothing. */
export async function recordSuppressed(
  table: Table,
  { run, message, reason }: { run: string; message: string; reason: 'bounce' | 'complaint' },
  { since, expiresAt }: { since: string; expiresAt: number },
): Promise<void> {
  const notice = { kind: 'suppressed', subject: run, message } as const;
  await table.insert(keyOf(notice), { ...notice, reason, since, expiresAt });
}

/** Marks that operators were notified of a matter, that it is over, or that it expires later because it is still open. */
export async function markNotice(
  table: Table,
  matter: MatterKey,
  set: Partial<Pick<Notice, 'noticedAt' | 'overAt' | 'expiresAt'>>,
): Promise<void> {
  await table.update(keyOf(matter), { set, condition: 'attribute_exists(#kind)' });
}

/**
 * Takes the right to publish notices, for `forMs` milliseconds: a schedule may fire twice at once, and operators are to hear
 * once. `null` where another invocation has it. `now` is in epoch milliseconds.
 */
export async function takeNoticeLease(
  table: Table,
  { now, forMs }: { now: number; forMs: number },
): Promise<{ release: () => Promise<void> } | null> {
  const owner = randomUUID();
  const taken = await table.update(leaseKey, {
    set: { owner, until: now + forMs },
    condition: 'attribute_not_exists(#until) OR #until < :now',
    values: { ':now': now },
  });
  if (!taken) return null;
  const release = async (): Promise<void> => {
    await table.update(leaseKey, {
      remove: ['owner', 'until'],
      condition: '#owner = :owner',
      values: { ':owner': owner },
    });
  };
  return { release };
}
