import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../digest/schema.ts';
import { CodedError } from '../../domain/failures.ts';
import { putDocument, readDocument } from '../documents.ts';
import type { Run } from './runs.ts';
import type { Table } from '../table.ts';

const storedSchema = v.object({ digest: digestSchema });
const versionSchema = v.object({ digest: v.object({ schemaVersion: v.number() }) });

/** Whether the release before composed a run's digest. */
export function hasOlderDigest({ digest, observation }: Pick<Run, 'digest' | 'observation'>): boolean {
  return digest !== undefined && observation === undefined;
}

/** Stores a digest and returns its new id. It counts only once the run names it. */
export async function putDigest(table: Table, run: string, digest: Digest, expiresAt: number): Promise<string> {
  const id = randomUUID();
  await putDocument(table, { pk: `DIGEST#${run}`, sk: id }, { digest }, expiresAt);
  return id;
}

/** A stored digest. Throws where there is none under this id, and as `findDigest`. */
export async function readDigest(table: Table, run: string, id: string): Promise<Digest> {
  const stored = await findDigest(table, run, id);
  if (stored === null) throw new Error(`The ledger has no digest of run "${run}" under the id that its run names.`);
  return stored;
}

/**
 * A stored digest; `null` where there is none under this id, such as one that has expired. Throws a `CodedError` (`older-digest`)
 * where the release before composed it: this one neither shows nor sends it.
 */
export async function findDigest(table: Table, run: string, id: string): Promise<Digest | null> {
  const stored = await readDocument(table, { pk: `DIGEST#${run}`, sk: id });
  if (stored === null) return null;
  const older = v.safeParse(versionSchema, stored);
  if (older.success && older.output.digest.schemaVersion < digestSchema.entries.schemaVersion.literal) {
    const message = `The digest of run "${run}" was composed by the release before. Where nobody was sent it: discard ${run}, then run it again.`;
    throw new CodedError('older-digest', message);
  }
  return v.parse(storedSchema, stored).digest;
}
