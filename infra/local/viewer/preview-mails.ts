import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { digestSchema } from '../../../functions/domain/digest.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import type { RenderInput } from '../../../functions/render/render.ts';
import { accounts, renderMail, type CorpusMail } from './samples/corpus.ts';
import { sampleTitle } from './samples/pieces.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import { loadConfiguration } from '../../config.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** The account of the last `npm start`, where there is one. */
const lastRun = 'the last run';
/** The choice of the language that the report is configured with, which may be one of a region. */
const configuredLanguage = 'as configured';

/** The mails as the files are now: what there is to choose from, and each choice rendered. */
export interface PreviewMails {
  accounts: string[];
  /** The names of the configured reports. */
  reports: string[];
  languages: string[];
  render(choice: MailChoice): CorpusMail;
  /** The page behind the mail. */
  renderPage(choice: MailChoice): string;
}

/** An account's mail as a configured report sends it, in the report's language or in another one. */
export interface MailChoice {
  account: string;
  report: string;
  language: string;
}

/** Builds the templates and reads the configured brand and reports. Throws what is wrong with a template, a locale or the configuration. */
export async function buildPreview(today: string): Promise<PreviewMails> {
  const { mail, reports } = loadConfiguration({ today });
  const templates = await loadTemplates(`${repository}templates`, mail.logo);
  const samples = withLastRun(accounts);
  const { renderPage } = createPageRenderer(templates);
  const configuredSample = (choice: MailChoice): RenderInput => {
    const sample = samples[choice.account];
    const report = reports.find(({ name }) => name === choice.report);
    if (sample === undefined || report === undefined) throw new RangeError('There is no such account or report.');
    const locale = choice.language === configuredLanguage ? report.locale : choice.language;
    // A sample with a title of its own is about that.
    const title = sample.report.title === sampleTitle ? report.title : sample.report.title;
    const { brand, broadcastLink, footer } = mail;
    const { csvAttachment } = sample.mail;
    return {
      ...sample,
      report: { ...sample.report, title, locale },
      mail: { csvAttachment, brand, footer, ...(broadcastLink === undefined ? {} : { broadcastLink }) },
    };
  };
  return {
    accounts: Object.keys(samples),
    reports: reports.map(({ name }) => name),
    languages: [configuredLanguage, ...Object.keys(templates.locales)],
    render: (choice) => {
      const sample = configuredSample(choice);
      return renderMail(templates, choice.account, sample, sample.report.locale);
    },
    renderPage: (choice) => {
      const { digest, report, mail } = configuredSample(choice);
      return renderPage({ digest, report, mail, csv: null, earlier: [] });
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
