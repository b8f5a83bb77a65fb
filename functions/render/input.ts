import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Digest } from '../digest/schema.ts';
import { localeOf } from '../domain/wording.ts';
import type { Language } from './texts/language.ts';

export type ReportToRender = Pick<Configuration['reports'][number], 'title' | 'locale' | 'authors' | 'warningOf'>;

export type MailToRender = Pick<Configuration['mail'], 'brand' | 'broadcastLink' | 'footer' | 'workbook'>;

/** What a workbook is made from, in which language. */
export interface WorkbookInput extends Language {
  digest: Digest;
  report: Pick<ReportToRender, 'authors'>;
}

/** What the sections of a mail or a page are made from, in which language. */
export interface SectionInput extends WorkbookInput {
  report: ReportToRender;
  mail: MailToRender;
  limits: typeof mailLimits;
  /** Where the page is, an https URL; empty on the page itself, `null` where there is none. */
  page: string | null;
  files: 'attached' | 'too-large' | 'none';
}

/** The most that a mail shows of each thing. What is beyond is counted. */
export const mailLimits = {
  needs: 3,
  /** Broadcasts in the line of what is as it was named last time. */
  still: 3,
  /** What was named last time and is otherwise now. */
  since: 2,
  /** New broadcasts. */
  broadcasts: 8,
  items: 8,
  /** Earlier broadcasts with a line of their own. */
  earlier: 8,
  /** Rows of content items and deliveries in all, of a page. */
  rows: 0,
  deliveries: 0,
  reasons: 5,
  /** Broadcasts beside a reason, or not seen yet; of more than these none is named. */
  names: 3,
  /** Statuses that are not counted. */
  statuses: 6,
};

/** So many needs are named in a mail without a page, which could name the others. */
export const needsWithoutPage = 8;

/** What a page has room for: what its function can answer, and a browser can show. */
export const pageLimits: typeof mailLimits = {
  needs: 200,
  still: 200,
  since: 200,
  broadcasts: 1000,
  items: 200,
  earlier: 0,
  rows: 4000,
  deliveries: 400,
  reasons: 50,
  names: 50,
  statuses: 50,
};

/** The footer in a language: its own, that of the language alone, or the one for all. */
export function footerIn({ footer }: Pick<MailToRender, 'footer'>, locale: string): { why: string; contact: string } {
  if (isForAll(footer)) return footer;
  const found = footer[localeOf(locale, Object.keys(footer)) ?? ''] ?? Object.values(footer)[0];
  return found ?? { why: '', contact: '' };
}

function isForAll(footer: MailToRender['footer']): footer is { why: string; contact: string } {
  return typeof footer['why'] === 'string';
}
