import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';
import mjml2html from 'mjml';

/**
 * The digest's own template as one would use it without a build: filled with data by Handlebars, and made into html by
 * MJML for every message. Its files are read and its Handlebars is compiled once.
 */
export async function createRunTimeMjml(folder: string): Promise<(view: unknown) => Promise<string>> {
  const fill = Handlebars.compile(await inline(path.join(folder, 'digest.mjml')), { knownHelpersOnly: true });
  return async (view) => {
    const { html } = await mjml2html(fill(view), { validationLevel: 'skip', keepComments: false, fonts: {} });
    return html;
  };
}

/** A template with the files that it includes. */
async function inline(file: string): Promise<string> {
  const source = await readFile(file, 'utf8');
  const parts: string[] = [];
  for (const part of source.split(/(<mj-include path="[^"]+" \/>)/)) {
    const included = /^<mj-include path="([^"]+)"/.exec(part)?.[1];
    parts.push(included === undefined ? part : await inline(path.join(path.dirname(file), included)));
  }
  return parts.join('');
}
