import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Templates } from '../../functions/render/render.ts';
import type { ShortPageTemplates } from '../../functions/render/short-page.ts';
import { cachedBuild } from './build-cache.ts';
import { TemplateError } from './locales.ts';

/** The repository's own templates. */
export const templatesFolder = fileURLToPath(new URL('../../templates', import.meta.url));

/** What the samples are rendered with. */
const renderer = fileURLToPath(new URL('../../functions/render', import.meta.url));

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
      // Loaded here, because it takes a while, and templates are rarely compiled.
      const { compileTemplates, templatesModule } = await import('./compile-templates.ts');
      const { renderSamples } = await import('./render-samples.ts');
      await writeFile(module, templatesModule(await compileTemplates(root, logo)));
      try {
        await renderSamples(await importTemplates(module));
      } catch (error) {
        throw new TemplateError([describeRenderFault(error)]);
      }
    },
  });
  return path.join(folder, 'templates.mjs');
}

/** The compiled templates of a folder, loaded as the bundles load them: for mails that are rendered outside of a function. */
export async function loadTemplates(folder: string, logo?: string): Promise<AllTemplates> {
  return await importTemplates(await buildTemplates(folder, logo));
}

/** The templates in a module that was compiled. */
async function importTemplates(module: string): Promise<AllTemplates> {
  return await import(/* @vite-ignore */ pathToFileURL(module).href);
}

/** What the compiled module exports. */
export type AllTemplates = Templates & ShortPageTemplates;

/** What is wrong where a mail of the compiled templates could not be rendered: most often, a field that there is not. */
function describeRenderFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, field] = /^"(.*)" not defined in /.exec(message) ?? [];
  return field === undefined
    ? `A sample mail could not be rendered: ${message}`
    : `A template asks for {{${field}}}, which does not exist: look for it in partials/ and digest.txt.`;
}
