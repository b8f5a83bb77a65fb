import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failedReceipt, type Receipt } from '../../../../functions/run/receipt/receipt.ts';
import { findMailOfRun, nameMailsOfRun, readMailIds } from '../../../../infra/program/runs/outbox.ts';
import { week } from '../../../functions/run/compose/collected-samples.ts';

const run = 'weekly_2026-W46';

let outbox: string;
beforeEach(async () => {
  outbox = await mkdtemp(join(tmpdir(), 'outbox-'));
});
afterEach(() => rm(outbox, { recursive: true }));

async function mail(id: string): Promise<void> {
  await writeFile(join(outbox, `${id}.eml`), '');
  await writeFile(join(outbox, `${id}.html`), `html of ${id}`);
}

/** A receipt whose messages have these ids. */
function receiptOf(...ids: string[]): Receipt {
  const failed = failedReceipt({ run, report: 'weekly', period: week }, { code: 'internal', message: '' });
  return {
    ...failed,
    messages: ids.map((messageId) => ({ to: `${messageId}@example.com`, outcome: 'sent' as const, messageId })),
  };
}

test('the mails of a run are named in the outbox, and the first one is what to open', async () => {
  await mail('0002');
  await mail('0001');
  const open = join(outbox, 'latest.html');
  expect(await readMailIds(outbox)).toEqual(['0001', '0002']);
  expect(await nameMailsOfRun(outbox, receiptOf('0002', '0001'))).toEqual([`To see the mail, open ${open}`]);
  expect(await readFile(open, 'utf8')).toBe('html of 0002');
  const named = join(outbox, `${run}-1.html`);
  expect(findMailOfRun(outbox, receiptOf('0002', '0001'))).toEqual([`To see the mail, open ${named}`]);
  // A held run, and one of another state that was sent to another folder.
  expect(findMailOfRun(outbox, receiptOf())).toEqual([]);
  expect(findMailOfRun(outbox, receiptOf('0003'))).toEqual([]);
});

test('nothing is to be opened where the mails are in another folder, and on a deployed target', async () => {
  expect(await nameMailsOfRun(outbox, receiptOf('0001'))).toEqual([]);
  expect(await nameMailsOfRun(join(outbox, 'none'), receiptOf('0001'))).toEqual([]);
  expect(await nameMailsOfRun(null, receiptOf('0001'))).toEqual([]);
  expect(await nameMailsOfRun(outbox, receiptOf())).toEqual([]);
  expect(findMailOfRun(outbox, receiptOf('0001'))).toEqual([]);
});
