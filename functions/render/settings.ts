import type { Configuration } from '../domain/configuration/configuration.ts';

/** The report's settings that the mail depends on. */
export type ReportToRender = Pick<
  Configuration['reports'][number],
  'title' | 'locale' | 'settleHours' | 'statuses' | 'broadcastName'
>;
/** The mail settings that the mail depends on. */
export type MailToRender = Pick<Configuration['mail'], 'brand' | 'broadcastLink' | 'footer' | 'csvAttachment'>;
