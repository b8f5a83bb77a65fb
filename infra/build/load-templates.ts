import { pathToFileURL } from 'node:url';
import type { PageTemplates } from '../../functions/render/page.ts';
import type { Templates } from '../../functions/render/render.ts';
import type { ShortPageTemplates } from '../../functions/render/short-page.ts';
import { buildTemplates } from './templates.ts';

/** The compiled templates of a folder, loaded as the bundles load them: for mails that are rendered outside of a function. */
export async function loadTemplates(
  folder: string,
  logo?: string,
): Promise<Templates & PageTemplates & ShortPageTemplates> {
  const { href } = pathToFileURL(await buildTemplates(folder, logo));
  const module: Templates & PageTemplates & ShortPageTemplates = await import(/* @vite-ignore */ href);
  return module;
}
