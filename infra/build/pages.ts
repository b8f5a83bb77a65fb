import { readFile, writeFile } from 'node:fs/promises';
import type { Command, Option } from 'commander';
import { buildProgram } from '../program/program.ts';
import { describeSettings } from './settings-schema.ts';

// `npm run pages` writes the pages of settings and commands, from the settings' and the program's own words; with `--check` it
// says which of them is not as they are.

/** What stands between these two lines of a page is written here; what stands around it is written by hand. */
const begin = '<!-- Written by `npm run pages`, from here to the end of it. -->\n';
const end = '<!-- The end of what is written. -->\n';

/** Every setting with its sentence and its default, under the name of the object that it is in. */
function listSettings(): string {
  const { settings } = describeSettings();
  const groups = Object.groupBy(settings, ({ path }) => /\w+/.exec(path)?.[0] ?? '');
  const rowOfSetting = ({ path, sentence, byDefault }: (typeof settings)[number]): string => {
    const isShown = byDefault !== undefined && JSON.stringify(byDefault) !== '{}';
    return `- \`${path}\`: ${sentence}${isShown ? ` Default: \`${JSON.stringify(byDefault).replaceAll(',', ', ')}\`.` : ''}`;
  };
  return Object.entries(groups)
    .map(([group, members = []]) => `## ${group}\n\n${members.map(rowOfSetting).join('\n')}\n`)
    .join('\n');
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

const isCheck = process.argv.includes('--check');
const pages = {
  'infra/docs/configuration.md': listSettings(),
  'infra/docs/commands.md': describeCommands((await buildProgram(() => undefined)).commands),
};
for (const [path, written] of Object.entries(pages)) {
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
