import { readFile, writeFile } from 'node:fs/promises';
import type { Command, Option } from 'commander';
import { buildProgram } from '../program/program.ts';

// `npm run pages` writes the pages of settings and commands, from the schema's and the program's own words; with `--check` it
// says which of them is not as they are.

/** What stands between these two lines of a page is written here; what stands around it is written by hand. */
const begin = '<!-- Written by `npm run pages`, from here to the end of it. -->\n';
const end = '<!-- The end of what is written. -->\n';

const schemas = new URL('../../functions/domain/configuration/', import.meta.url);

/** A field of a schema as the formatter writes it: the comment above it, its indentation, its name, and the code up to the next field. */
const fieldPattern = /((?:^ +\/?\*.*\n)*)^( +)([a-z]\w*): (.*\n(?:\2 .*\n)*)/gm;

/**
 * Every setting, in the order of the schema and in its own words: the comment above its field, and the default in its code.
 *
 * @throws Error that names a field without a comment
 */
async function describeSettings(): Promise<string> {
  const sources = ['fields.ts', 'configuration.ts'].map((file) => readFile(new URL(file, schemas), 'utf8'));
  const declarations = (await Promise.all(sources))
    .join('\n')
    .matchAll(/^(?:export )?const (\w+) = (.*\n(?: .*\n)*)/gm);
  const constants = new Map([...declarations].map(([, name = '', code = '']) => [name, code]));
  const rows = rowsOf(constants.get('Settings') ?? '', '', constants);
  const groups = Object.entries(Object.groupBy(rows, (row) => /\w+/.exec(row)?.[0] ?? ''));
  return groups.map(([group, members = []]) => `## ${group}\n\n${members.join('\n')}\n`).join('\n');
}

/** The rows of an object of fields, each with the path of its setting, such as `reports[].schedule.at`. A constant that a field names stands for its code. */
function rowsOf(code: string, prefix: string, constants: ReadonlyMap<string, string>): string[] {
  return [...code.matchAll(fieldPattern)].flatMap(([, comment = '', , name = '', schema = '']) => {
    const path = `${prefix}${name}`;
    const sentences = comment
      .replaceAll(/^ +\/?\*+\/?|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const whole = withConstants(schema, constants);
    const isList = /^(?:v\.\w+\(\s*)*list\(/.test(whole);
    const nested = rowsOf(whole.slice(whole.indexOf('\n')), `${path}${isList ? '[]' : ''}.`, constants);
    if (sentences === '' && nested.length === 0) throw new Error(`The field ${path} has no comment above it.`);
    const [, byDefault] = /, ('[^']*'|\d+|true|false|\[(?!\.)[^[\]]*\])\)?,?\n$/.exec(schema) ?? [];
    const ending = byDefault === undefined ? '' : ` Default: \`${byDefault.replaceAll("'", '"')}\`.`;
    const row = sentences === '' ? [] : [`- \`${path}\`: ${sentences}${ending}`];
    return row.concat(nested);
  });
}

/** The code of a schema with that of the constants in it, which have fields or stand for one that has. */
function withConstants(schema: string, constants: ReadonlyMap<string, string>): string {
  return schema.replaceAll(/\b[A-Z]\w+\b/g, (constant) => {
    const code = constants.get(constant) ?? constant;
    return code === constant || code.search(fieldPattern) >= 0 ? code : withConstants(code, constants);
  });
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
  'infra/docs/configuration.md': await describeSettings(),
  'infra/docs/commands.md': describeCommands(buildProgram(() => undefined).commands),
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
