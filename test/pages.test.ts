import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../infra/program/program.ts';
import packageJson from '../package.json' with { type: 'json' };
import { anchorOf, headingsOf, pages } from './support/pages.ts';

const { commands } = await buildProgram(() => undefined);
const scripts = Object.keys(packageJson.scripts);
const settings = pages.get('infra/docs/configuration.md') ?? '';

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
/** The lines of a page that are no code. */
const linesOf = (text: string): string[] => text.replaceAll(/^```[^]*?^```$/gm, '').split('\n');
const tableRows = (text: string): string[] => linesOf(text).filter((line) => line.startsWith('|'));

function brokenLinks(path: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '');
  return targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? path : join(dirname(path), file);
    if (target.startsWith('http')) return false;
    const anchors = headingsOf(pages.get(linked) ?? '').map(anchorOf);
    return !existsSync(linked) || (anchor !== undefined && !anchors.includes(anchor));
  });
}

/** What is wrong with the calls of the program and of npm that a page names. */
function unknownCalls(text: string): string[] {
  const calls = text.matchAll(/(?<=^|`)npm (?:run )?(?:-s )?([\w:-]+)(?: -s)?(?: -- ([^`\n#;)]*))?/gm);
  return [...calls].flatMap(([call, script = '', words = '']) => {
    if (!['ci', ...scripts].includes(script)) return [call];
    if (script !== 'ops' && script !== 'start') return [];
    const name = script === 'start' ? 'start' : /^[a-z]+/.exec(words)?.[0];
    const command = commands.find((candidate) => candidate.name() === name);
    if (name !== undefined && command === undefined) return [call];
    const flags = [...words.matchAll(/(?<![\w-])--[a-z-]+/g)].map(([flag]) => flag);
    return flags.every((flag) => flag === '--help' || command?.options.some(({ long }) => long === flag)) ? [] : [call];
  });
}

describe.each([...pages])('%s', (path, text) => {
  it('links only to what exists', () => expect(brokenLinks(path, text)).toEqual([]));

  it('names only commands, flags and settings that exist', () => {
    const named = [...text.matchAll(/`((?:service|mail|operations|ledger|reports\[\])\.(?!css)[\w.[\]]+)`/g)];
    const unknown = named.filter(([, setting]) => !settings.includes(`\`${setting}`));
    expect(unknown.map(([setting]) => setting)).toEqual([]);
    expect(unknownCalls(text)).toEqual([]);
  });

  it('is made to be read: short cells, lines and paragraphs', () => {
    const cells = tableRows(text).flatMap((row) => row.split('|').map((cell) => cell.trim()));
    expect(cells.filter((cell) => wordsIn(cell) > 15)).toEqual([]);
    expect(text.split('\n').filter((line) => line.length > 400 && !line.startsWith('- `'))).toEqual([]);
    const paragraphs = linesOf(text)
      .join('\n')
      .split(/\n(?:> ?)?\n|\n(?=(?:> )?(?:[-|] |\d+\. ))/);
    expect(paragraphs.filter((paragraph) => paragraph.length > 5 * 120 && !paragraph.startsWith('|'))).toEqual([]);
  });
});

it('the front page has every flag of npm start', () => {
  const flags = commands.find((command) => command.name() === 'start')?.options.map(({ long }) => long) ?? [];
  const readme = pages.get('README.md') ?? '';
  expect(flags.filter((flag) => !readme.includes(`\`${flag}`))).toEqual([]);
  expect(flags).toContain('--dry-run');
});
