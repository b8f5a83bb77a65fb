import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import Handlebars from 'handlebars';
import mjml2html from 'mjml';
import * as v from 'valibot';
import type { Logo } from '../../functions/render/render.ts';
import { readLocales, TemplateError } from './locales.ts';

/** How MJML describes the element around the whole, and what takes its place: a page is no email, there it is the main part. */
const mailRole = ' aria-roledescription="email" role="article"';
const role = `{{#if page}} role="main"{{else}}${mailRole}{{/if}}`;

type CompiledTemplates = Awaited<ReturnType<typeof compileTemplates>>;

/**
 * What templates may do: no helper but the built-in ones, and a field that the view does not have is an error, not a
 * gap in the mail.
 */
const handlebarsOptions = { strict: true, knownHelpersOnly: true };

/**
 * Compiles the templates folder: MJML to html once, at build, so that a run only fills in what is new; the locales;
 * and the PNG at the path `logo` in it.
 *
 * @throws {TemplateError} for placeholders that cannot be read, MJML that does not validate, locales that do not agree, and a logo
 * that is no small PNG
 */
export async function compileTemplates(root: string, logo?: string) {
  const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
  const faults = await findFaults(root);
  if (faults.length > 0) throw new TemplateError(faults);
  const putTokens = tokensIn(await read('styles/tokens.css'));
  const [styles, html, text, shortPage] = await Promise.all([
    readStyles(path.join(root, 'styles')),
    compileMjml(path.join(root, 'digest.mjml'), putTokens),
    read('digest.txt'),
    read('short-page.mustache'),
  ]);
  return {
    /** Handlebars' precompiled html template of mails and pages: the source of an object. */
    html: precompile(brandColours(putTokens(styles + html.replace(mailRole, role))), handlebarsOptions),
    /** Handlebars' precompiled text template: the source of an object. */
    text: precompile(text, { ...handlebarsOptions, noEscape: true }),
    /** The page of a few words on which a subscriber leaves a report, or learns that a link does not work. */
    shortPage: precompile(putTokens(shortPage), handlebarsOptions),
    locales: readLocales(path.join(root, 'locales')),
    logo: logo === undefined ? null : await readLogo(path.join(root, logo)),
  };
}

/** What is wrong with the templates of a folder, included ones too, each by itself: in a compiled template the lines are others. */
async function findFaults(root: string): Promise<string[]> {
  const names = (await readdir(root, { recursive: true })).filter((name) => /\.(?:css|mjml|txt|mustache)$/.test(name));
  const faults = names.toSorted().map(async (file) => {
    const source = await readFile(path.join(root, file), 'utf8');
    // MJML would leave these out, with a comment in the html.
    const missing = source.split('\n').flatMap((line, index) => {
      const [, included] = /<mj-include\b[^>]*\bpath=["']([^"']*)/.exec(line) ?? [];
      if (included === undefined || names.includes(path.join(path.dirname(file), included))) return [];
      return `${file}:${index + 1}: "${included}" is missing or outside its folder.`;
    });
    return findPlaceholderFaults(file, source).concat(missing);
  });
  return (await Promise.all(faults)).flat();
}

function findPlaceholderFaults(file: string, source: string): string[] {
  try {
    Handlebars.precompile(source, handlebarsOptions);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, line, excerpt] = /^Parse error on line (\d+):\n(.*)/.exec(message) ?? [];
    if (line !== undefined) return [`${file}:${line}: a {{…}} is not closed, or cannot be read, near "${excerpt}".`];
    return [`${file}:${message.replace(/^(.*) - (\d+):\d+$/s, '$2: $1.')}`];
  }
}

/** Compiled templates as the module that bundles and previews load. */
export function templatesModule({ locales, logo, ...templates }: CompiledTemplates): string {
  return [
    ...Object.entries(templates).map(([name, source]) => `export const ${name} = ${source};`),
    `export const locales = ${JSON.stringify(locales)};`,
    `export const logo = ${JSON.stringify(logo)};`,
    '',
  ].join('\n');
}

/** MJML's own description of what it found wrong, which is the one that names the file that is included. */
const mjmlErrorSchema = v.object({ errors: v.array(v.object({ formattedMessage: v.string() })) });

async function compileMjml(file: string, putTokens: (text: string) => string): Promise<string> {
  const compiled = mjml2html(await readFile(file, 'utf8'), {
    filePath: file,
    // MJML takes includes from the folder of the file and below, and from nowhere else.
    ignoreIncludes: false,
    validationLevel: 'strict',
    // Attributes have to be colours when MJML reads them.
    preprocessors: [putTokens],
    // Those around placeholders in tables, which are unwrapped below.
    keepComments: true,
    // MJML loads Roboto from Google's servers wherever a font list names it.
    fonts: {},
  });
  const { html } = await compiled.catch((error: unknown) => {
    if (!v.is(mjmlErrorSchema, error)) throw error;
    throw new TemplateError(error.errors.map(({ formattedMessage }) => formattedMessage));
  });
  return squeeze(unwrap(html));
}

/**
 * Placeholders in comments, where they were safe from the HTML parser that puts styles into elements, as placeholders; other
 * comments away, but for those that Outlook reads.
 */
function unwrap(html: string): string {
  return html.replaceAll(/<!--\s*((?:\{\{[^}]*\}\}\s*)+)-->/g, '$1').replaceAll(/<!--(?!\[if|>|<!\[endif).*?-->/gs, '');
}

/** The stylesheets that stay styles, as partials by the names of their files. */
async function readStyles(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css') && name !== 'tokens.css');
  const styles = names.map(async (name) => {
    const css = (await readFile(path.join(folder, name), 'utf8')).replaceAll(/\/\*.*?\*\/\s*/gs, '');
    return `{{#*inline "${name}"}}${css.replaceAll(/\s*\n\s*/g, '\n')}{{/inline}}`;
  });
  return (await Promise.all(styles)).join('');
}

/** Puts the fonts and colours that a stylesheet names in the places of `var(--name)`. */
function tokensIn(css: string): (text: string) => string {
  const named = css.matchAll(/^\s*--([\w-]+):\s*(.*);$/gm);
  const tokens = new Map(Array.from(named, ([, name = '', value = '']) => [name, value]));
  return (text) => text.replaceAll(/var\(--([\w-]+)\)/g, (whole, name: string) => tokens.get(name) ?? whole);
}

/** The brand's colours, which stylesheets have as `var(--accent-text)` and a run fills in. */
function brandColours(html: string): string {
  return html.replaceAll(/var\(--((?:on-)?accent[a-z-]*)\)/g, (_, name: string) => {
    return `{{@root.colours.${name.replaceAll(/-([a-z])/g, (__, letter: string) => letter.toUpperCase())}}}`;
  });
}

/**
 * Indentation and line breaks as one line break each: it is white space still, so nothing moves, while a fifth of the
 * bytes goes. MJML's own minifier reads placeholders as faulty CSS.
 */
function squeeze(html: string): string {
  return (
    html
      // What MJML writes for Outlook 2003.
      .replaceAll(/<!--\[if lte mso 11\]>.*?<!\[endif\]-->|(?<=class="mj-column-per-100) mj-outlook-group-fix/gs, '')
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll(
        /(<\/?(?:table|tbody|tr|td|th)\b[^>]*>|\{\{[#/][^}]*\}\})\n(?=<\/?(?:table|tbody|tr|td|th)\b|\{\{[#/])/g,
        '$1',
      )
      .trim()
  );
}

/** A template as JavaScript. Handlebars returns source code here, although its types say otherwise. */
function precompile(template: string, options: PrecompileOptions): string {
  const source: unknown = Handlebars.precompile(template, options);
  return String(source);
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** It is part of every message. */
const mostBytes = 100_000;
/** The width that fits between the margins of a phone's screen. */
const widestPixels = 288;

/**
 * Reads a logo from a PNG, which is drawn for dense screens: half of its pixels are the mail's. Throws a `TemplateError`
 * for what is none, or is too heavy or too wide for a mail.
 */
export async function readLogo(file: string): Promise<Logo> {
  const refuse = (fault: string): never => {
    throw new TemplateError([`${path.basename(file)}: expected ${fault}`]);
  };
  const png = await readFile(file).catch(() => refuse('a file that can be read, as "mail.logo" says.'));
  if (!png.subarray(0, pngSignature.length).equals(pngSignature)) refuse('a PNG.');
  if (png.length > mostBytes) refuse(`at most ${mostBytes} bytes, found ${png.length}: it is in every mail.`);
  // The header chunk comes first: length, name, width and height, four bytes each.
  const width = Math.round(png.readUInt32BE(16) / 2);
  const height = Math.round(png.readUInt32BE(20) / 2);
  if (width > widestPixels) refuse(`at most ${widestPixels * 2} pixels of width, found ${width * 2}.`);
  return { png: png.toString('base64'), width, height };
}
