import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationWith, templateOf } from '../support/template.ts';
import { pageTable, standingParts, standingTable, thousandMails } from './cost.ts';

test('a stack with one weekly report, and the pages, cost what the page for operators says', async () => {
  const operating = await readFile(new URL('../../infra/docs/operating.md', import.meta.url), 'utf8');
  const [weekly] = configurationWith().reports;
  expect(operating).toContain(
    `\n\n${standingTable(standingParts(templateOf(configurationWith({ reports: [weekly] }))))}\n\n`,
  );
  expect(operating).toContain(`\n| 10 | 20 | ${await thousandMails(10)} | `);
  expect(operating).toContain(`\n| 1,000 | 5,000 | ${await thousandMails(1_000)} | `);
  expect(operating).toContain(`\n\n${pageTable()}\n\n`);
});
