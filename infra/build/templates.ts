import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';
import mjml2html from 'mjml';
import { readLocales, type LocaleMessages } from './locales.ts';

/** The templates as JavaScript, and the locales as data. */
export interface CompiledTemplates {
  /** Handlebars' precompiled html template: the source of an object. */
  html: string;
  /** Handlebars' precompiled text template: the source of an object. */
  text: string;
  locales: Record<string, LocaleMessages>;
}

/**
 * What templates may do: no helper but the built-in ones, and a field that the view does not have is an error, not a
 * gap in the mail.
 */
const HANDLEBARS = { strict: true, knownHelpersOnly: true };

/**
 * Compiles `digest.mjml`, `digest.txt` and `locales/` of the templates folder: MJML to html once, at build, so that a
 * run only fills in what is new. Throws for MJML that does not validate and for locales that do not agree.
 */
export async function compileTemplates(root: string): Promise<CompiledTemplates> {
  const [html, text, locales] = await Promise.all([
    compileMjml(path.join(root, 'digest.mjml')),
    readFile(path.join(root, 'digest.txt'), 'utf8'),
    readLocales(path.join(root, 'locales')),
  ]);
  return {
    html: precompile(html, HANDLEBARS),
    text: precompile(text, { ...HANDLEBARS, noEscape: true }),
    locales,
  };
}

/** The source of the module `virtual:templates`: its exports are `html`, `text` and `locales`. */
export function templatesModule({ html, text, locales }: CompiledTemplates): string {
  return [
    `export const html = ${html};`,
    `export const text = ${text};`,
    `export const locales = ${JSON.stringify(locales)};`,
    '',
  ].join('\n');
}

/** Handlebars gives source code here, whatever its types say. */
function precompile(template: string, options: PrecompileOptions): string {
  const source: unknown = Handlebars.precompile(template, options);
  if (typeof source !== 'string') {
    throw new TypeError('Handlebars gave no source code for a template.');
  }
  return source;
}

async function compileMjml(file: string): Promise<string> {
  const { html } = await mjml2html(await readFile(file, 'utf8'), {
    filePath: file,
    // MJML takes includes from the folder of the file and below, and from nowhere else.
    ignoreIncludes: false,
    validationLevel: 'strict',
    keepComments: false,
    // MJML loads Roboto from Google's servers wherever a font list names it.
    fonts: {},
  });
  // An include that is refused or not there is no error to MJML, only a comment in the html.
  const fault = /mj-include (?:denied|fails)/.exec(html);
  if (fault) {
    throw new TypeError(`${path.basename(file)}: a file it includes is missing or outside its folder (${fault[0]}).`);
  }
  return squeeze(html);
}

/**
 * Indentation and line breaks as one line break each: it is white space still, so nothing moves, while a fifth of the
 * bytes goes. MJML's own minifier reads placeholders as faulty CSS.
 */
function squeeze(html: string): string {
  return html
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(
      /(<\/?(?:table|tbody|tr|td|th)\b[^>]*>|\{\{[#/][^}]*\}\})\n(?=<\/?(?:table|tbody|tr|td|th)\b|\{\{[#/])/g,
      '$1',
    )
    .trim();
}
