import { readFile, writeFile } from 'node:fs/promises';
import type { Command, Option } from 'commander';
import { buildProgram } from '../program/program.ts';
import { readSettings, type Setting } from './settings.ts';

// `npm run pages` writes the pages of settings and commands, from the schema's and the program's own words; with `--check` it
// says which of them is not as they are.

/** What stands between these two lines of a page is written here; what stands around it is written by hand. */
const begin = '<!-- Written by `npm run pages`, from here to the end of it. -->\n';
const end = '<!-- The end of what is written. -->\n';

/** The pages, and what is written into each. */
async function writtenPages(): Promise<Record<string, string>> {
  return {
    'infra/docs/configuration.md': describeSettings(await readSettings()),
    'infra/docs/commands.md': describeCommands(buildProgram(() => undefined).commands),
  };
}

function describeSettings(settings: readonly Setting[]): string {
  const groups = Object.entries(Object.groupBy(settings, ({ path }) => path.split(/[.[]/)[0] ?? ''));
  const sections = groups.map(([group, members = []]) => {
    const rows = members.map(({ path, sentences, byDefault }) => {
      return `- \`${path}\`: ${sentences}${byDefault === undefined ? '' : ` Default: \`${byDefault.replaceAll("'", '"')}\`.`}`;
    });
    return `## ${group}\n\n${rows.join('\n')}\n`;
  });
  return sections.join('\n');
}

const rowOf = ({ flags, description }: Option): string => `- \`${flags}\`: ${description}.`;

function describeCommands(commands: readonly Command[]): string {
  const shown = commands.filter((command) => command.name() !== 'start');
  const isOfAll = ({ flags }: Option): boolean =>
    shown.every(({ options }) => options.some((option) => option.flags === flags));
  const sections = shown.map((command) => {
    const parts = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((part) => `\`${part}\``));
    const rows = [
      ...(parts.length > 1 ? [`- \`<PART>\`: ${parts.join(', ')}.`] : []),
      ...command.options.filter((option) => !isOfAll(option)).map(rowOf),
    ];
    return [
      `## ${command.name()}`,
      `\`${['npm run ops --', command.name(), command.usage().replace(/\[options\] ?/, '')].join(' ').trim()}\``,
      command.description(),
      ...(rows.length > 0 ? [rows.join('\n')] : []),
    ].join('\n\n');
  });
  const [any] = shown;
  const common = ['## Flags of every command', (any?.options ?? []).filter(isOfAll).map(rowOf).join('\n')].join('\n\n');
  return `${[common, ...sections].join('\n\n')}\n`;
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  for (const [path, written] of Object.entries(await writtenPages())) {
    const page = await readFile(path, 'utf8');
    const [before = ''] = page.split(begin);
    const [, after = ''] = page.split(end);
    const wanted = [before, begin, '\n', written, '\n', end, after].join('');
    if (!isCheck) await writeFile(path, wanted);
    else if (page !== wanted) {
      process.stderr.write(`${path} is not as the code has it: npm run pages\n`);
      process.exitCode = 1;
    }
  }
}
