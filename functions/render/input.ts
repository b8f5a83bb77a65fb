import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Digest } from '../digest/schema.ts';
import { localeOf } from '../domain/wording.ts';
import type { Limits } from './limits.ts';
import type { Language } from './texts/language.ts';

export type ReportToRender = Pick<Configuration['reports'][number], 'title' | 'locale' | 'authors' | 'warningOf'>;

export type MailToRender = Pick<Configuration['mail'], 'brand' | 'broadcastLink' | 'footer' | 'workbook'>;

/** What a mail, a page or a card shows, and the settings that say how. */
export interface DigestToRender {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
}

/** What a workbook is made from, in which language. */
export interface WorkbookInput extends Language {
  digest: Digest;
  report: Pick<ReportToRender, 'authors'>;
}

/** What the sections of a mail or a page are made from, in which language. */
export interface SectionInput extends DigestToRender, Language {
  limits: Limits;
  /** Where the page is, an https URL; empty on the page itself, `null` where there is none. */
  page: string | null;
  files: 'attached' | 'too-large' | 'none';
}

/** The footer in a language: its own, that of the language alone, or the one for all. */
export function footerIn({ footer }: Pick<MailToRender, 'footer'>, locale: string): { why: string; contact: string } {
  if (isForAll(footer)) return footer;
  const found = footer[localeOf(locale, Object.keys(footer)) ?? ''] ?? Object.values(footer)[0];
  return found ?? { why: '', contact: '' };
}

function isForAll(footer: MailToRender['footer']): footer is { why: string; contact: string } {
  return typeof footer['why'] === 'string';
}
