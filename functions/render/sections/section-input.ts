import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import type { BroadcastDetails } from '../details/details-view.ts';
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
  /** Whether the file is there, too, for what a page leaves out. */
  hasFile?: boolean;
  limits: Limits;
  /** What a page shows of a broadcast beside what a mail does. Not there in a mail. */
  detailsOf?: (broadcast: DigestBroadcast) => BroadcastDetails;
  /** Where a broadcast is in the page; `null` where it is not. Not there in a mail. */
  linkOf?: (broadcast: DigestBroadcast) => string | null;
}
