import type { Digest } from '../../domain/digest.ts';
import type { MailToRender, ReportToRender } from '../settings.ts';

/** What the mail has room for: so many new broadcasts, and so many of them with their content items. */
export interface Room {
  broadcasts: number;
  withItems: number;
}

/** What the sections of a mail are made from, apart from the language. */
export interface SectionInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** Whether the file with all rows comes with the mail. */
  attached: boolean;
  room: Room;
}
