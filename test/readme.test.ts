import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildProgram } from '../infra/program/program.ts';

const repository = fileURLToPath(new URL('../', import.meta.url));
const documents = globSync(['README.md', 'infra/CONTRIBUTING.md', 'infra/docs/*.md', 'templates/README.md'], {
  cwd: repository,
});

const read = async (path: string): Promise<string> => await readFile(join(repository, path), 'utf8');

/** A heading's anchor, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

async function anchorsOf(path: string): Promise<string[]> {
  const headings = (await read(path)).matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) => anchorOf(heading));
}

async function brokenLinks(path: string): Promise<string[]> {
  const text = await read(path);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '');
  const broken: string[] = [];
  for (const target of targets.filter((each) => !each.startsWith('http'))) {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? path : join(dirname(path), file);
    const isThere = existsSync(join(repository, linked));
    if (!isThere || (anchor !== undefined && !(await anchorsOf(linked)).includes(anchor))) broken.push(target);
  }
  return broken;
}

it.each(documents)('%s links only to what exists', async (path) => {
  expect(await brokenLinks(path)).toEqual([]);
});

const { commands } = buildProgram(() => undefined);

it('the front page has every flag of npm start', async () => {
  const rows = (await read('README.md')).split('\n').filter((line) => line.startsWith('| `--'));
  const flags = commands.find((command) => command.name() === 'start')?.options.map(({ long }) => long) ?? [];
  expect(flags.filter((flag) => !rows.some((row) => new RegExp(`\`${flag}[ \`]`).test(row)))).toEqual([]);
  expect(flags).toContain('--dry-run');
});

it('the page of the commands has every command', async () => {
  const names = commands.map((command) => command.name()).filter((name) => name !== 'start');
  const rows = (await read('infra/docs/commands.md')).split('\n').filter((line) => line.startsWith('| `'));
  expect(names.filter((name) => !rows.some((row) => row.includes(`\`${name}`)))).toEqual([]);
  expect(names).toContain('status');
});
