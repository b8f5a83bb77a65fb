import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationWith } from '../support/configuration.ts';
import { templateOf } from '../support/aws/template.ts';
import { moreOnEssentials, standingParts, standingTable } from './cost.ts';

test('a stack with one weekly report costs what the page for operators says', async () => {
  const operating = await readFile(new URL('../../infra/docs/operating.md', import.meta.url), 'utf8');
  const [weekly] = configurationWith().reports;
  const template = templateOf(configurationWith({ reports: [weekly] }));
  expect(operating).toContain(`\n\n${standingTable(standingParts(template))}\n\n`);
  expect(operating).toContain(` ${moreOnEssentials()} more a month `);
});
