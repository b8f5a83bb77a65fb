import type { Digest } from '../../domain/digest.ts';
import type { Limits } from '../limits.ts';
import type { MailToRender, ReportToRender } from '../settings.ts';

/** Where a reader finds what is not shown: behind the link to the page, in the file with all rows, or nowhere. */
export type Elsewhere = 'page' | 'file' | 'nowhere';

/** What the sections are made from, apart from the language. */
export interface SectionInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  elsewhere: Elsewhere;
  limits: Limits;
}
