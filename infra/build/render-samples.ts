import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../functions/digest/schema.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import { createRenderer } from '../../functions/render/render.ts';
import { refusals } from '../../functions/page/answer.ts';
import { createRefusalPages } from '../../functions/page/http.ts';
import { createPages, pageKinds } from '../../functions/unsubscribe/answer.ts';
import type { AllTemplates } from './load-templates.ts';

const folder = fileURLToPath(new URL('../../templates/samples/', import.meta.url));

/** Settings with which every part of a mail is rendered. */
const mail = {
  brand: { name: 'Sample', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
  broadcastLink: 'https://reporting.example.com/broadcasts/{broadcastId}',
  footer: { why: 'You get this sample.', contact: 'Nobody is asked.' },
};

/** The digests of `templates/samples/`, by the names of their files. The preview shows them, too. */
export async function readSamples(): Promise<Record<string, Digest>> {
  const files = (await readdir(folder)).toSorted();
  const samples = files.map(async (file) => {
    const digest = v.parse(digestSchema, JSON.parse(await readFile(folder + file, 'utf8')));
    return [file.replace('.json', ''), digest] as const;
  });
  return Object.fromEntries(await Promise.all(samples));
}

/**
 * Renders the samples and the short pages with compiled templates, in every language, and throws what rendering throws: a field
 * that a template asks for and that there is not would otherwise fail a run.
 */
export async function renderSamples(templates: AllTemplates): Promise<void> {
  const render = createRenderer(templates);
  const pages = createPageRenderer(templates);
  const renderPage = createPages(templates, mail);
  const renderRefusal = createRefusalPages(templates, mail);
  const digests = Object.values(await readSamples());
  for (const locale of Object.keys(templates.locales)) {
    const report = { title: 'Sample', locale, authors: 'named' as const };
    for (const digest of digests) {
      await render({ digest, report, mail, canUnsubscribe: false, page: 'https://pages.example.com' });
      pages.renderPage({ digest, report, mail, files: '', earlier: [] });
    }
    for (const kind of pageKinds) renderPage(kind, report, { ...report, name: 'longer', every: 'month' });
    for (const refusal of refusals) renderRefusal(refusal, locale);
  }
}
