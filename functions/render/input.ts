import type { Digest } from '../domain/digest.ts';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Language } from './texts/language.ts';

export type ReportToRender = Pick<
  Configuration['reports'][number],
  'title' | 'locale' | 'settleHours' | 'statuses' | 'warningOf'
>;
export type MailToRender = Pick<
  Configuration['mail'],
  'authors' | 'brand' | 'broadcastLink' | 'footer' | 'csvAttachment'
>;

/** What the sections of a mail or a page are made from, in which language. */
export interface SectionInput extends Language {
  digest: Digest;
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
  /** What was named last time and has moved. */
  since: 2,
  /** Broadcasts: in a mail new ones. */
  broadcasts: 8,
  items: 8,
  /** Rows of content items and deliveries in all, of a page. */
  rows: 0,
  deliveries: 0,
  reasons: 5,
  /** Broadcasts beside a reason; of more than these none is named. */
  names: 3,
  /** Statuses that are not counted. */
  statuses: 6,
};

/** So many needs are named in a mail without a page, which could name the others. */
export const needsWithoutPage = 8;

/** What a page has room for: what its function can answer, and a browser can show. */
export const pageLimits: typeof mailLimits = {
  needs: 200,
  since: 50,
  broadcasts: 1000,
  items: 200,
  rows: 4000,
  deliveries: 400,
  reasons: 50,
  names: 50,
  statuses: 50,
};

/** A digest as its readers see it: with `mail.authors` unnamed, nothing says who made a broadcast. */
export function shownDigest(
  digest: Digest,
  { authors }: Pick<MailToRender, 'authors'>,
  wording: Language['wording'],
): Digest {
  return authors === 'named' ? digest : withoutAuthors(digest, wording);
}

/** A digest in which nothing says who made a broadcast. */
export function withoutAuthors(digest: Digest, wording: Language['wording']): Digest {
  const oneAuthor = wording.say('filter.oneAuthor');
  const { only } = digest;
  return {
    ...digest,
    only: only?.createdBy === undefined ? only : { ...only, createdBy: oneAuthor },
    broadcasts: digest.broadcasts.map((broadcast) => ({ ...broadcast, createdBy: null })),
    deliveries: digest.deliveries.map((delivery) => ({
      ...delivery,
      broadcast: { ...delivery.broadcast, createdBy: null },
    })),
  };
}
