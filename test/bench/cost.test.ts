import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationWith, templateOf } from '../support/template.ts';
import { pageTable, standingParts, standingTable, thousandMails } from './cost.ts';

test('a stack with one weekly report, and the pages, cost what the operators’ README says', async () => {
  const readme = await readFile(new URL('../../infra/program/README.md', import.meta.url), 'utf8');
  const [weekly] = configurationWith().reports;
  expect(readme).toContain(
    `\n\n${standingTable(standingParts(templateOf(configurationWith({ reports: [weekly] }))))}\n\n`,
  );
  expect(readme).toContain(`\n| 10 | 20 | ${await thousandMails(10)} | `);
  expect(readme).toContain(`\n| 1,000 | 5,000 | ${await thousandMails(1_000)} | `);
  expect(readme).toContain(`\n\n${pageTable()}\n\n`);
});
