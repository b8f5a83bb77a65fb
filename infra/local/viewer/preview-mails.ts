import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { digestSchema } from '../../../functions/domain/digest.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import type { RenderInput } from '../../../functions/render/render.ts';
import { accounts, renderMail, type CorpusMail } from './corpus.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import { loadConfiguration } from '../../config.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** The account of the last `npm start`, where there is one. */
const lastRun = 'the last run';

/** The mails as the files are now: what there is to choose from, and each choice rendered. */
export interface PreviewMails {
  accounts: string[];
  languages: string[];
  render(account: string, locale: string): CorpusMail;
  /** The page behind the mail. */
  renderPage(account: string, locale: string): string;
}

/** Builds the templates and reads the brand. Throws what is wrong with a template, a locale or the configuration. */
export async function buildPreview(today: string): Promise<PreviewMails> {
  const { mail } = loadConfiguration({ today });
  const templates = await loadTemplates(`${repository}templates`, mail.logo);
  const samples = withLastRun(accounts);
  const { renderPage } = createPageRenderer(templates);
  const brandedSample = (account: string): RenderInput => {
    const sample = samples[account];
    if (sample === undefined) throw new RangeError('There is no such account.');
    return { ...sample, mail: { ...sample.mail, brand: mail.brand, footer: mail.footer } };
  };
  return {
    accounts: Object.keys(samples),
    languages: Object.keys(templates.locales),
    render: (account, locale) => renderMail(templates, account, brandedSample(account), locale),
    renderPage: (account, locale) => {
      const { digest, report, mail } = brandedSample(account);
      return renderPage({ digest, report: { ...report, locale }, mail, csv: null, earlier: [] });
    },
  };
}

function withLastRun(samples: Readonly<Record<string, RenderInput>>): Readonly<Record<string, RenderInput>> {
  const file = `${repository}.local/outbox/digest.json`;
  const [sample] = Object.values(samples);
  if (sample === undefined || !existsSync(file)) return samples;
  const parsed = v.safeParse(digestSchema, JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? { [lastRun]: { ...sample, digest: parsed.output }, ...samples } : samples;
}
