import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lintTemplates } from '../../../infra/deploy/lint-templates.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cfn-lint-'));
  vi.stubEnv('PATH', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Puts a program by the name of cfn-lint on the path. */
async function install(script: string): Promise<void> {
  await writeFile(join(folder, 'cfn-lint'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'cfn-lint'), 0o755);
}

const finding = {
  Filename: 'a.template.json',
  Level: 'Warning',
  Message: 'Something is odd.',
  Rule: { Id: 'W9999', Description: '' },
  Location: { Start: { LineNumber: 12, ColumnNumber: 1 }, Path: ['Resources', 'A'] },
};

it('is left out where cfn-lint is not installed, or only its stand-in is', async () => {
  expect(await lintTemplates(['a.template.json'])).toBeNull();
  await install('echo "cfn-lint: command not found" >&2; exit 127');
  expect(await lintTemplates(['a.template.json'])).toBeNull();
});

it('finds nothing where cfn-lint finds nothing', async () => {
  await install('echo "[]"');
  expect(await lintTemplates(['a.template.json'])).toEqual([]);
});

it('hands on the templates, and gives a line for each finding', async () => {
  await install(`[ "$*" = "--format json a.template.json" ] && echo '${JSON.stringify([finding])}'; exit 4`);
  expect(await lintTemplates(['a.template.json'])).toEqual(['a.template.json:12 W9999 Something is odd.']);
});

it('leaves out what is acknowledged with a reason', async () => {
  const redundant = { ...finding, Rule: { Id: 'W3005', Description: '' } };
  await install(`echo '${JSON.stringify([redundant, finding])}'; exit 4`);
  expect(await lintTemplates(['a.template.json'])).toEqual(['a.template.json:12 W9999 Something is odd.']);
});

it('fails where cfn-lint answers no findings', async () => {
  await install('echo "no such file" >&2; exit 1');
  await expect(lintTemplates(['a.template.json'])).rejects.toThrow(
    'cfn-lint ended with 1 and no findings: no such file',
  );
});
