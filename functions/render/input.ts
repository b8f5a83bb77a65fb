import type { DigestBroadcast, Digest } from '../domain/digest.ts';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { BroadcastDetails } from './sections/details.ts';
import type { Language } from './texts/language.ts';

/** The report's settings that the mail depends on. */
export type ReportToRender = Pick<
  Configuration['reports'][number],
  'title' | 'locale' | 'settleHours' | 'statuses' | 'broadcastName'
>;
/** The mail settings that the mail depends on. */
export type MailToRender = Pick<Configuration['mail'], 'brand' | 'broadcastLink' | 'footer' | 'csvAttachment'>;

/** What the sections of a mail or a page are made from, in which language. */
export interface SectionInput extends Language {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  limits: Limits;
  /** Whether a reader of this finds what is not shown behind the link to the page. */
  hasPage: boolean;
  /** Whether it is in the files with all rows. */
  hasFile: boolean;
  /** What a page shows of its broadcasts beside what a mail does. Not there in a mail. */
  details?: ReadonlyMap<DigestBroadcast, BroadcastDetails>;
}

/** The most that is shown of each thing. What is beyond is counted. */
export interface Limits {
  /** Broadcasts that need somebody. */
  needs: number;
  /** New broadcasts. */
  broadcasts: number;
  /** New broadcasts with their content items. */
  withItems: number;
  /** Content items of a broadcast. */
  items: number;
  /** Rows of details in all. */
  rows: number;
  /** Deliveries of a broadcast. */
  deliveries: number;
  /** Reasons why something is missing. */
  reasons: number;
  /** Broadcasts beside a reason; of more than these none is named. */
  names: number;
  /** Statuses that are not counted. */
  statuses: number;
}

/** What a mail has room for. */
export const mailLimits: Limits = {
  needs: 5,
  broadcasts: 10,
  withItems: 10,
  items: 8,
  rows: 0,
  deliveries: 6,
  reasons: 5,
  names: 3,
  statuses: 6,
};

/** What a page has room for: far more than a reader wants, and few enough for a browser. */
export const pageLimits: Limits = {
  needs: 200,
  broadcasts: 200,
  withItems: 200,
  items: 200,
  rows: 4000,
  deliveries: 400,
  reasons: 50,
  names: 50,
  statuses: 50,
};
