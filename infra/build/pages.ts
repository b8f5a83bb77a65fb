import { readFile, writeFile } from 'node:fs/promises';
import type { Command, Option } from 'commander';
import { buildProgram } from '../program/program.ts';
import { readSettings, type Setting } from './settings.ts';

// `npm run pages` writes the pages of settings and commands, from the schema's and the program's own words; with `--check` it
// says which of them is not as they are.

/** From this line on a page is written here; what stands above it is written by hand. */
const marker = '<!-- From here on written by `npm run pages`. -->\n';

/** The pages, and what follows their markers. */
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
    const rows = command.options.filter((option) => !isOfAll(option)).map(rowOf);
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
    const [byHand = ''] = page.split(marker);
    const wanted = `${byHand}${marker}\n${written}`;
    if (!isCheck) await writeFile(path, wanted);
    else if (page !== wanted) {
      process.stderr.write(`${path} is not as the code has it: npm run pages\n`);
      process.exitCode = 1;
    }
  }
}
