import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { coverageSchema } from '../../reporting-service/coverage.ts';
import { digestSchema, missingSchema } from '../../domain/digest.ts';
import { putDocument, readDocument } from './documents.ts';
import type { Table } from '../table.ts';

const storedDigestSchema = v.object({
  digest: digestSchema,
  coverage: coverageSchema,
  /** All that was not available, also what an earlier digest had named as gone for good. */
  unavailable: v.array(missingSchema),
  filters: v.string(),
  informingTypes: v.string(),
  complete: v.boolean(),
});

/** A digest with what it covers and how it was counted. */
export type StoredDigest = v.InferOutput<typeof storedDigestSchema>;

/** Stores a digest and returns its new id. It counts only once the run names it. */
export async function putDigest(table: Table, run: string, digest: StoredDigest, expiresAt: number): Promise<string> {
  const id = randomUUID();
  await putDocument(table, { pk: `DIGEST#${run}`, sk: id }, digest, expiresAt);
  return id;
}

/** A stored digest. Throws where there is none under this id. */
export async function readDigest(table: Table, run: string, id: string): Promise<StoredDigest> {
  const stored = await findDigest(table, run, id);
  if (stored === null) throw new Error(`The ledger has no digest of run "${run}" under the id that its run names.`);
  return stored;
}

/** A stored digest; `null` where there is none under this id, such as one that has expired. */
export async function findDigest(table: Table, run: string, id: string): Promise<StoredDigest | null> {
  const document = await readDocument(table, { pk: `DIGEST#${run}`, sk: id });
  return document === null ? null : v.parse(storedDigestSchema, document);
}
