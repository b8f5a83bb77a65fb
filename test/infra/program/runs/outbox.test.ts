import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepLatest, newestMail } from '../../../../infra/program/runs/outbox.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const outbox = temporaryFolder();

async function mail(id: string): Promise<void> {
  await writeFile(join(outbox, `${id}.eml`), '');
  await writeFile(join(outbox, `${id}.html`), `html of ${id}`);
}

/** Messages with these ids. */
const sent = (...ids: Array<string | null>) => ids.map((messageId) => ({ messageId }));

test('the first mail of a run is kept as the latest, which is what to open', async () => {
  await mail('0002');
  await mail('0001');
  const open = join(outbox, 'latest.html');
  expect(await newestMail(outbox)).toEqual(sent('0002'));
  const latest = await keepLatest(outbox, sent(null, '0002', '0001'), 'npm run show');
  const links = 'Its links work while this is open, on a terminal: npm run show';
  expect(latest).toEqual([`To see the mail, open ${open}`, links]);
  expect(await readFile(open, 'utf8')).toBe('html of 0002');
});

test('nothing is to be opened where the mails are in another folder, and on a deployed target', async () => {
  for (const out of [outbox, join(outbox, 'none'), null]) expect(await keepLatest(out, sent('0003'), null)).toEqual([]);
  expect(await keepLatest(outbox, sent(null), null)).toEqual([]);
  expect(await newestMail(null)).toEqual([]);
});
