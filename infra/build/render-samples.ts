import { pathToFileURL } from 'node:url';
import { createPageRenderer, type PageTemplates } from '../../functions/render/page.ts';
import { createRenderer, type Templates } from '../../functions/render/render.ts';
import { createRefusalPages, refusals } from '../../functions/page/refusal-page.ts';
import type { ShortPageTemplates } from '../../functions/render/short-page.ts';
import { createPages } from '../../functions/unsubscribe/page.ts';

const pageKinds = ['ask', 'left', 'returned', 'invalid', 'expired', 'busy'] as const;

/** What the compiled module exports. */
interface AllTemplates extends Templates, PageTemplates, ShortPageTemplates {
  mailLocales: Templates['locales'];
}

/**
 * Renders the sample mails and the short pages with compiled templates, in every language, and throws what rendering throws: a field
 * that a template asks for and that there is not would otherwise fail a run.
 */
export async function renderSamples(module: string): Promise<void> {
  // Loaded here, because templates are rarely compiled.
  const { CORPUS } = await import('../local/viewer/samples/edge-cases.ts');
  const templates: AllTemplates = await import(/* @vite-ignore */ pathToFileURL(module).href);
  const render = createRenderer({ ...templates, locales: templates.mailLocales });
  const pages = createPageRenderer(templates);
  const samples = Object.values(CORPUS);
  for (const locale of Object.keys(templates.locales)) {
    for (const sample of samples) {
      const report = { ...sample.report, locale };
      render({ ...sample, report, page: 'https://pages.example.com' });
      pages.renderPage({ ...sample, report, csv: 'rows.csv', earlier: [] });
    }
  }
  const [sample] = samples;
  if (sample === undefined) return;
  const renderPage = createPages(templates, sample.mail);
  for (const kind of pageKinds) renderPage(kind, { title: sample.report.title, locale: sample.report.locale });
  const renderRefusal = createRefusalPages(templates, sample.mail);
  for (const refusal of refusals) renderRefusal(refusal, sample.report.locale);
}
