import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedBuild } from './build-cache.ts';
import { readLocales, type LocaleMessages } from './locales.ts';
import type { Logo } from '../../functions/render/render.ts';
import { readLogo } from './logo.ts';
import { TemplateError } from './template-error.ts';

/** How MJML describes the element around the whole. A page is no email: there it is the main part. */
const MAIL_ROLE = ' aria-roledescription="email" role="article"';

/** What the samples are rendered with. */
const renderer = fileURLToPath(new URL('../../functions/render', import.meta.url));

/** The templates as JavaScript, and the locales as data. */
interface CompiledTemplates {
  /** Handlebars' precompiled html template of mails: the source of an object. */
  html: string;
  /** The same template with what only a page has. */
  page: string;
  /** Handlebars' precompiled text template: the source of an object. */
  text: string;
  /** The page of a few words on which a subscriber leaves a report, or learns that a link does not work. */
  shortPage: string;
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
 * and the PNG at the path `logo` in it.
 *
 * @throws {TemplateError} for placeholders that cannot be read, MJML that does not validate, and locales that do not agree
 * @throws {TypeError} for a logo that is no small PNG
 */
export async function compileTemplates(root: string, logo?: string): Promise<CompiledTemplates> {
  const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
  // What compiles is loaded here and below, because it takes a while, and templates are rarely compiled.
  const { findPlaceholderFaults, findUnclosedElements, precompile, readTemplateFiles } =
    await import('./template-faults.ts');
  const { withoutPageParts } = await import('./mail-template.ts');
  const files = await readTemplateFiles(root);
  const faults = [...findPlaceholderFaults(files, HANDLEBARS), ...findUnclosedElements(files)];
  if (faults.length > 0) throw new TemplateError(faults);
  const [html, text, shortPage, locales] = await Promise.all([
    compileMjml(path.join(root, 'digest.mjml')),
    read('digest.txt'),
    read('short-page.mustache'),
    readLocales(path.join(root, 'locales')),
  ]);
  return {
    html: precompile(withoutPageParts(html), HANDLEBARS),
    page: precompile(html.replace(MAIL_ROLE, ' role="main"'), HANDLEBARS),
    text: precompile(text, { ...HANDLEBARS, noEscape: true }),
    shortPage: precompile(shortPage, HANDLEBARS),
    locales,
    logo: logo === undefined ? null : await readLogo(path.join(root, logo)),
  };
}

/**
 * Compiles the templates folder, as `compileTemplates` does, to a module, and returns its path. Its exports are the templates
 * by their names, `locales` and `logo`. What was compiled before is taken as it is. Sample mails are rendered with them.
 *
 * @throws {TemplateError} as `compileTemplates` does, and for a field that there is not
 */
export async function buildTemplates(root: string, logo?: string): Promise<string> {
  const folder = await cachedBuild({
    sources: [root, renderer],
    settings: { logo },
    write: async (fresh) => {
      const module = path.join(fresh, 'templates.mjs');
      await writeFile(module, templatesModule(await compileTemplates(root, logo)));
      const { renderSamples } = await import('./render-samples.ts');
      try {
        await renderSamples(module);
      } catch (error) {
        const { describeRenderFault, readTemplateFiles } = await import('./template-faults.ts');
        throw new TemplateError(describeRenderFault(await readTemplateFiles(root), error));
      }
    },
  });
  return path.join(folder, 'templates.mjs');
}

function templatesModule({ locales, logo, ...templates }: CompiledTemplates): string {
  return [
    ...Object.entries(templates).map(([name, source]) => `export const ${name} = ${source};`),
    `export const locales = ${JSON.stringify(locales)};`,
    `export const mailLocales = ${JSON.stringify(messagesOfMails(locales))};`,
    `export const logo = ${JSON.stringify(logo)};`,
    '',
  ].join('\n');
}

/** The locales without the messages of short pages, which the function that sends mails would load each time. */
function messagesOfMails(locales: Record<string, LocaleMessages>): Record<string, LocaleMessages> {
  return Object.fromEntries(
    Object.entries(locales).map(([locale, messages]) => [
      locale,
      Object.fromEntries(Object.entries(messages).filter(([key]) => !/^(?:page|link)\./.test(key))),
    ]),
  );
}

async function compileMjml(file: string): Promise<string> {
  const { default: mjml2html } = await import('mjml');
  const { describeIncludeFaults, describeMjmlFaults } = await import('./template-faults.ts');
  const compiled = mjml2html(await readFile(file, 'utf8'), {
    filePath: file,
    // MJML takes includes from the folder of the file and below, and from nowhere else.
    ignoreIncludes: false,
    validationLevel: 'strict',
    keepComments: false,
    // MJML loads Roboto from Google's servers wherever a font list names it.
    fonts: {},
  });
  const { html } = await compiled.catch((error: unknown) => {
    const faults = describeMjmlFaults(path.dirname(file), error);
    throw faults === null ? error : new TemplateError(faults);
  });
  // An include that is refused or missing is not an error to MJML, only a comment in the html.
  if (/mj-include (?:denied|fails)/.test(html)) throw new TemplateError(await describeIncludeFaults(file));
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
