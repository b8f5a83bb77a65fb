import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import type { Key, Table } from './table.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Bytes of one part: an item may take 400 KB with its keys and attributes. */
const partBytes = 350_000;

const partSchema = v.object({ sk: v.string(), parts: v.number(), body: v.instance(Uint8Array) });

/**
 * Stores a JSON value of any size under a key, compressed, in as many items as it needs (`<sk>#000`, `#001`, ...). They
 * are written without a condition: a document counts once another item names it.
 */
export async function putDocument(table: Table, { pk, sk }: Key, value: unknown, expiresAt: number): Promise<void> {
  const bytes = await compress(JSON.stringify(value));
  const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
  for (let part = 0; part < parts; part += 1) {
    const body = new Uint8Array(bytes.subarray(part * partBytes, (part + 1) * partBytes));
    await table.putMany([{ pk, sk: `${sk}#${String(part).padStart(3, '0')}`, parts, body, expiresAt }]);
  }
}

/** All documents of a partition whose key begins with `prefix`, in the order of their keys. Throws where a part is missing. */
export async function* readDocuments(table: Table, pk: string, prefix: string): AsyncGenerator {
  let bodies: Uint8Array[] = [];
  let whole = '';
  for await (const item of table.query(pk, { prefix })) {
    const { parts, body, ...part } = v.parse(partSchema, item);
    const sk = part.sk.replace(/#\d{3}$/, '');
    // A document that was written again in fewer parts leaves its last ones behind.
    if (sk === whole) continue;
    bodies.push(body);
    if (bodies.length < parts) continue;
    yield JSON.parse(String(await decompress(Buffer.concat(bodies))));
    whole = sk;
    bodies = [];
  }
  if (bodies.length > 0) throw new Error(`Ledger document ${pk} ${prefix} lacks a part.`);
}

/** The document under exactly this key; `null` where there is none. */
export async function readDocument(table: Table, { pk, sk }: Key): Promise<unknown> {
  for await (const document of readDocuments(table, pk, `${sk}#`)) return document;
  return null;
}
