import type { Digest } from '../domain/digest.ts';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Language } from './texts/language.ts';

export type ReportToRender = Pick<
  Configuration['reports'][number],
  'title' | 'locale' | 'settleHours' | 'statuses' | 'warningOf'
>;
export type MailToRender = Pick<Configuration['mail'], 'brand' | 'broadcastLink' | 'footer' | 'csvAttachment'>;

/** What the sections of a mail or a page are made from, in which language. */
export interface SectionInput extends Language {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  limits: Limits;
  /** Where the page is, an https URL; empty on the page itself, `null` where there is none. */
  page: string | null;
  files: 'attached' | 'too-large' | 'none';
}

/** The most that is shown of each thing. What is beyond is counted. */
export interface Limits {
  needs: number;
  /** Broadcasts: in a mail new ones. */
  broadcasts: number;
  /** Those of them that have their content items in a mail. */
  withItems: number;
  items: number;
  /** Rows of content items and deliveries in all, of a page. */
  rows: number;
  deliveries: number;
  reasons: number;
  /** Broadcasts beside a reason; of more than these none is named. */
  names: number;
  /** Statuses that are not counted. */
  statuses: number;
}

export const mailLimits: Limits = {
  needs: 5,
  broadcasts: 65,
  withItems: 5,
  items: 8,
  rows: 0,
  deliveries: 0,
  reasons: 5,
  names: 3,
  statuses: 6,
};

/** What a page has room for: what its function can answer, and a browser can show. */
export const pageLimits: Limits = {
  needs: 200,
  broadcasts: 1000,
  withItems: 0,
  items: 200,
  rows: 4000,
  deliveries: 400,
  reasons: 50,
  names: 50,
  statuses: 50,
};

/** Whether a page has room for every broadcast, content item and delivery of a digest. */
export function fitsPage({ broadcasts }: Digest): boolean {
  return (
    broadcasts.length <= pageLimits.broadcasts &&
    broadcasts.reduce((sum, { contents, deliveries }) => sum + (contents?.length ?? 0) + deliveries.length, 0) <=
      pageLimits.rows &&
    broadcasts.every(
      ({ contents, deliveries }) =>
        (contents?.length ?? 0) <= pageLimits.items && deliveries.length <= pageLimits.deliveries,
    )
  );
}
