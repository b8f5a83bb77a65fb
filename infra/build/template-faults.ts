import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';

/** What is wrong with the templates folder. Its message names every fault in a line, with file and line where they are known. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(faults: readonly string[]) {
    super(`The templates cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

/** The texts of template files, with their paths below the templates folder. */
type TemplateFiles = Awaited<ReturnType<typeof readTemplateFiles>>;

/** All templates of a folder, included ones too. */
export async function readTemplateFiles(root: string) {
  const names = (await readdir(root, { recursive: true })).filter((name) => /\.(?:css|mjml|txt|mustache)$/.test(name));
  return await Promise.all(
    names.toSorted().map(async (file) => ({ file, source: await readFile(path.join(root, file), 'utf8') })),
  );
}

/** What is wrong with the placeholders of each file, by itself: in a compiled template the lines are others. */
export function findPlaceholderFaults(files: TemplateFiles, options: PrecompileOptions): string[] {
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

/** The includes that MJML would leave out with a comment in the html: of files that are not in the folder or below it. */
export function findIncludeFaults(files: TemplateFiles): string[] {
  const names = new Set(files.map(({ file }) => file));
  return files.flatMap(({ file, source }) =>
    source.split('\n').flatMap((line, index) => {
      const [, included] = /<mj-include\b[^>]*\bpath=["']([^"']*)/.exec(line) ?? [];
      if (included === undefined || names.has(path.join(path.dirname(file), included))) return [];
      return `${file}:${index + 1}: "${included}" is missing or outside its folder.`;
    }),
  );
}

/** What is wrong where a mail of the compiled templates could not be rendered: most often, a field that there is not. */
export function describeRenderFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, field] = /^"(.*)" not defined in /.exec(message) ?? [];
  return field === undefined
    ? `A sample mail could not be rendered: ${message}`
    : `A template asks for {{${field}}}, which does not exist: look for it in partials/ and digest.txt.`;
}
