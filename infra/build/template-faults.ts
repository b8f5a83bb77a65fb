import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';
import * as v from 'valibot';

/** What is wrong with the templates folder. Its message names every fault in a line, with file and line where they are known. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(faults: readonly string[]) {
    super(`The templates cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

/** MJML's own description of a fault, which is the one that names the file that is included. */
const mjmlErrorSchema = v.object({ errors: v.array(v.object({ formattedMessage: v.string() })) });

/** The text of a template file and its path below the templates folder. */
interface TemplateFile {
  file: string;
  source: string;
}

/** All templates of a folder, included ones too. */
export async function readTemplateFiles(root: string): Promise<TemplateFile[]> {
  const names = (await readdir(root, { recursive: true })).filter((name) => /\.(?:mjml|txt|mustache)$/.test(name));
  return await Promise.all(
    names.toSorted().map(async (file) => ({ file, source: await readFile(path.join(root, file), 'utf8') })),
  );
}

/** What is wrong with the placeholders of each file, by itself: in a compiled template the lines are others. */
export function findPlaceholderFaults(files: readonly TemplateFile[], options: PrecompileOptions): string[] {
  return files.flatMap(({ file, source }) => {
    try {
      Handlebars.precompile(source, options);
      return [];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const [, line, excerpt] = /^Parse error on line (\d+):\n(.*)/.exec(message) ?? [];
      if (line !== undefined) return [`${file}:${line}: a {{…}} is not closed, or cannot be read, near "${excerpt}".`];
      return [`${file}:${message.replace(/^(.*) - (\d+):\d+$/s, '$2: $1.')}`];
    }
  });
}

/** Html elements without a closing tag: https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const voidElement = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|wbr)$/;

const tag = /<(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)(>?)/gi;

/**
 * The MJML and html elements that are not closed in the file that opens them, or closed without having been opened: of a file
 * the first, since most others would follow from it.
 */
export function findUnclosedElements(files: readonly TemplateFile[]): string[] {
  return files.filter(({ file }) => !file.endsWith('.txt')).flatMap(({ file, source }) => unclosedIn(file, source));
}

function unclosedIn(file: string, source: string): string[] {
  const text = source.replaceAll(/<!--[\s\S]*?-->|\{\{!--[\s\S]*?--\}\}|\{\{[^}]*\}\}/g, (hidden) =>
    hidden.replaceAll(/[^\n]/g, ' '),
  );
  const place = (index: number): string => `${file}:${text.slice(0, index).split('\n').length}`;
  const open: Array<{ name: string; index: number }> = [];
  for (const { index, 1: slash, 2: written = '', 3: attributes = '', 4: end } of text.matchAll(tag)) {
    const name = written.toLowerCase();
    if (end === '') return [`${place(index)}: <${slash}${name} has no ">", or a quotation mark is missing.`];
    if (slash === '' && !attributes.endsWith('/') && !voidElement.test(name)) open.push({ name, index });
    if (slash === '') continue;
    const last = open.pop();
    if (last?.name === name) continue;
    return last !== undefined && open.some((element) => element.name === name)
      ? [`${place(last.index)}: <${last.name}> is not closed.`]
      : [`${place(index)}: </${name}> closes nothing that is open here.`];
  }
  return open.slice(-1).map(({ name, index }) => `${place(index)}: <${name}> is not closed.`);
}

/** The includes that MJML would leave out with a comment in the html: of files that are not in the folder or below it. */
export function findIncludeFaults(files: readonly TemplateFile[]): string[] {
  const names = new Set(files.map(({ file }) => file));
  return files.flatMap(({ file, source }) =>
    source.split('\n').flatMap((line, index) => {
      const [, included] = /<mj-include\b[^>]*\bpath=["']([^"']*)/.exec(line) ?? [];
      if (included === undefined || names.has(path.join(path.dirname(file), included))) return [];
      return `${file}:${index + 1}: "${included}" is missing or outside its folder.`;
    }),
  );
}

/** What MJML found wrong, each with its file and line; `null` where the error is no finding of its. */
export function describeMjmlFaults(root: string, error: unknown): string[] | null {
  const parsed = v.safeParse(mjmlErrorSchema, error);
  if (!parsed.success) return null;
  return parsed.output.errors.map(({ formattedMessage }) => {
    const [, line, file, tag, message] =
      /^Line (\d+) of (.*?)(?:, included at .*)? \(([\w-]+)\) — (.*)$/s.exec(formattedMessage) ?? [];
    return file === undefined ? formattedMessage : `${path.relative(root, file)}:${line}: <${tag}>: ${message}.`;
  });
}

/**
 * What is wrong where a mail of the compiled templates could not be rendered. A field that there is not is named with every
 * place that asks for it.
 */
export function describeRenderFault(files: readonly TemplateFile[], error: unknown): string[] {
  const message = error instanceof Error ? error.message : String(error);
  const [, field] = /^"(.*)" not defined in /.exec(message) ?? [];
  if (field === undefined) return [`A sample mail could not be rendered: ${message}`];
  const asks = (line: string): boolean =>
    [...line.matchAll(/\{\{([^}]*)\}/g)].some(([, text = '']) => text.split(/[^\w-]+/).includes(field));
  const places = files.flatMap(({ file, source }) =>
    source.split('\n').flatMap((line, index) => (asks(line) ? [`${file}:${index + 1}`] : [])),
  );
  return places.length === 0
    ? [`A template asks for the field "${field}", which does not exist.`]
    : places.map((place) => `${place}: there is no field "${field}" here.`);
}
