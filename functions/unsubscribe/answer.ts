import type { ConfigurationWithoutAddresses } from '../configuration.ts';
import type { Leaver, LeaveTokens } from '../leave-token.ts';
import { hasLeft, leaveReport, returnToReport } from '../ledger/unsubscriptions.ts';
import type { Table } from '../ledger/table.ts';
import type { PageKind } from './page.ts';
import type { LeaveRequest } from './request.ts';

/** What a request is answered with: which page, about which report, under which status. */
export interface Answer {
  status: number;
  page: PageKind;
  report: ConfigurationWithoutAddresses['reports'][number];
}

/** What answering takes. */
export interface Desk {
  configuration: Pick<ConfigurationWithoutAddresses, 'reports'>;
  table: Table;
  tokens: LeaveTokens;
  now: Date;
}

/**
 * Answers a request. GET and HEAD only look, so that a scanner that follows links unsubscribes nobody; POST leaves, or
 * comes back, however often. A link that is not good changes nothing, whatever is asked.
 */
export async function answerRequest({ method, token, wants }: LeaveRequest, desk: Desk): Promise<Answer> {
  const { configuration, table, tokens, now } = desk;
  const [anyReport] = configuration.reports;
  if (anyReport === undefined) throw new Error('The configuration has no report.');
  const read = await tokens.read(token, now);
  if (read === 'expired') return { status: 410, page: 'expired', report: anyReport };
  const report = read === 'invalid' ? undefined : configuration.reports.find(({ name }) => name === read.report);
  if (read === 'invalid' || report === undefined) return { status: 404, page: 'invalid', report: anyReport };
  if (method === 'POST' && wants !== 'nothing')
    return { status: 200, page: await change(wants, read, table, now), report };
  const looks = method === 'GET' || method === 'HEAD';
  const page = (await hasLeft(table, read.addressKey, read.report)) ? 'left' : 'ask';
  return { status: looks ? 200 : method === 'POST' ? 400 : 405, page, report };
}

async function change(
  wants: 'leave' | 'return',
  { addressKey, report }: Leaver,
  table: Table,
  now: Date,
): Promise<PageKind> {
  const at = now.toISOString();
  if (wants === 'leave') {
    await leaveReport(table, addressKey, report, at);
    return 'left';
  }
  await returnToReport(table, addressKey, report, at);
  return 'returned';
}
