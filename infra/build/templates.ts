import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';
import { cachedBuild } from './build-cache.ts';
import { readLocales, type LocaleMessages } from './locales.ts';
import { readLogo, type Logo } from './logo.ts';

/** The templates as JavaScript, and the locales as data. */
interface CompiledTemplates {
  /** Handlebars' precompiled html template: the source of an object. */
  html: string;
  /** Handlebars' precompiled text template: the source of an object. */
  text: string;
  /** The page on which a subscriber leaves a report. */
  page: string;
  logo: Logo | null;
  locales: Record<string, LocaleMessages>;
}

/**
 * What templates may do: no helper but the built-in ones, and a field that the view does not have is an error, not a
 * gap in the mail.
 */
const HANDLEBARS = { strict: true, knownHelpersOnly: true };

/**
 * Compiles the templates folder: MJML to html once, at build, so that a run only fills in what is new; the locales;
 * and the PNG at the path `logo` in it. Throws for MJML that does not validate, for locales that do not agree, and for
 * a logo that is no small PNG.
 */
export async function compileTemplates(root: string, logo?: string): Promise<CompiledTemplates> {
  const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
  const [html, text, page, locales] = await Promise.all([
    compileMjml(path.join(root, 'digest.mjml')),
    read('digest.txt'),
    read('unsubscribe.mustache'),
    readLocales(path.join(root, 'locales')),
  ]);
  return {
    html: precompile(html, HANDLEBARS),
    text: precompile(text, { ...HANDLEBARS, noEscape: true }),
    page: precompile(page, HANDLEBARS),
    locales,
    logo: logo === undefined ? null : await readLogo(path.join(root, logo)),
  };
}

/**
 * Compiles the templates folder, as `compileTemplates` does, to a module, and returns its path. Its exports are the templates
 * by their names, `locales` and `logo`. What was compiled before is taken as it is.
 */
export async function buildTemplates(root: string, logo?: string): Promise<string> {
  const folder = await cachedBuild({
    sources: [root],
    settings: { logo },
    write: async (fresh) =>
      await writeFile(path.join(fresh, 'templates.mjs'), templatesModule(await compileTemplates(root, logo))),
  });
  return path.join(folder, 'templates.mjs');
}

function templatesModule({ locales, logo, ...templates }: CompiledTemplates): string {
  return [
    ...Object.entries(templates).map(([name, source]) => `export const ${name} = ${source};`),
    `export const locales = ${JSON.stringify(locales)};`,
    `export const logo = ${JSON.stringify(logo)};`,
    '',
  ].join('\n');
}

/** Handlebars returns source code here, although its types say otherwise. */
function precompile(template: string, options: PrecompileOptions): string {
  const source: unknown = Handlebars.precompile(template, options);
  if (typeof source !== 'string') {
    throw new TypeError('Handlebars gave no source code for a template.');
  }
  return source;
}

async function compileMjml(file: string): Promise<string> {
  // Loaded here, because it takes a second, and templates are rarely compiled.
  const { default: mjml2html } = await import('mjml');
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
