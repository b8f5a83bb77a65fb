import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { putDocument, readDocument, readDocuments } from '../../../../functions/ledger/documents.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const expiresAt = 1_900_000_000;
/** As many bytes that do not compress; as text they are a third more, which compression undoes. */
const incompressible = (bytes: number): string => randomBytes(bytes).toString('base64');
const partsOf = async (pk: string) => (await ledger.items(pk)).map(({ sk, parts }) => [sk, parts]);

test('a JSON value comes back from one item that expires', async () => {
  const [key, value] = [{ pk: 'SMALL', sk: 'DOC' }, { a: [1, 'ü', null] }];
  await putDocument(ledger.table, key, value, expiresAt);
  expect(await readDocument(ledger.table, key)).toEqual(value);
  expect(await ledger.items(key.pk)).toEqual([
    { ...key, sk: 'DOC#000', parts: 1, body: expect.any(Uint8Array), expiresAt, v: 3 },
  ]);
});

test('a value larger than an item comes back whole from several, also after it was written in fewer parts or more', async () => {
  const key = { pk: 'AGAIN', sk: 'DOC' };
  await putDocument(ledger.table, { pk: 'AGAIN', sk: 'DOC2' }, 'next', expiresAt);
  for (const bytes of [1_000_000, 400_000, 10, 800_000]) {
    const value = { data: incompressible(bytes), end: 'end' };
    await putDocument(ledger.table, key, value, expiresAt);
    expect((await partsOf('AGAIN'))[0]).toEqual(['DOC#000', Math.ceil(bytes / 350_000)]);
    expect(await readDocument(ledger.table, key)).toEqual(value);
    expect(await Array.fromAsync(readDocuments(ledger.table, 'AGAIN', 'DOC'))).toEqual([value, 'next']);
  }
}, 60_000);

test('a document that lacks its last part is an error, never a shorter document', async () => {
  const key = { pk: 'BROKEN', sk: 'DOC' };
  await putDocument(ledger.table, key, incompressible(800_000), expiresAt);
  await ledger.table.remove({ pk: 'BROKEN', sk: 'DOC#002' });
  await expect(readDocument(ledger.table, key)).rejects.toThrow('Ledger document BROKEN DOC# lacks a part.');
});
