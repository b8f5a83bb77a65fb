import { join } from 'node:path';
import type { Digest } from '../../../functions/domain/digest.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { createPageLinks } from '../../../functions/signed-links/links.ts';
import type { PagePlace } from '../../local/local-pages.ts';
import { exitCodes, interrupted, type CommandResult } from '../command-line/answer.ts';
import { chooseRun } from '../command-line/choices.ts';
import { describeFile, findMailOfRun } from '../runs/outbox.ts';
import { describeMessage, presentRun, viewMessages } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';

/**
 * One run: its receipt, gaps, figures and errors, what operators did, and the link to the page of its digest. With `messages`
 * also every message with what SES reported of it. Where the mail goes: to the `browser`, to a `file` of the outbox for whoever
 * has none, or nowhere.
 */
export async function showCommand(
  target: LedgerTarget,
  name: string,
  { messages: withMessages, mail }: { messages: boolean; mail: 'browser' | 'file' | null },
): Promise<CommandResult> {
  const run = await chooseRun(target, name);
  const { json, lines, receipt, digest } = await presentRun(target, run);
  const messages = withMessages ? await viewMessages(target.table, receipt) : null;
  const page = await describePage(target, run);
  const isOpened = mail === 'browser' && digest !== null && hasReportOf(target, digest);
  return {
    json: { ...json, page: page.link, ...(messages === null ? {} : { messages }) },
    lines: [
      ...lines,
      ...page.lines,
      ...(messages ?? []).map((message) => describeMessage(message, run.period.timeZone)),
      ...(isOpened ? [] : await describeMail(target, { run, receipt, digest }, page.link, mail)),
    ],
    code: exitCodes.done,
    view: isOpened ? () => viewRun(target, run, { digest, page: page.link }) : undefined,
  };
}

/**
 * Which file of the outbox has the mail of a local run, as it was sent, or as it would be sent: then it is written there. Why
 * a mail is not shown, where there is no report to render it with.
 */
async function describeMail(
  target: LedgerTarget,
  { run, receipt, digest }: { run: Run; receipt: Receipt; digest: Digest | null },
  page: string | null,
  mail: 'browser' | 'file' | null,
): Promise<string[]> {
  const { outbox, configuration } = target;
  const sent = findMailOfRun(outbox, receipt);
  if (sent.length > 0 || digest === null) return sent;
  if (!hasReportOf(target, digest)) return [`The mail is not shown: there is no report "${digest.report}" any more.`];
  if (outbox === null || mail !== 'file') return [];
  const { writeMail } = await import('../runs/mail-view.ts');
  return [describeFile(await writeMail(join(outbox, `${run.run}.html`), configuration, { digest, page }))];
}

/** Whether the configuration still has the report that a digest is of, with which its mail is rendered. */
function hasReportOf({ configuration }: LedgerTarget, { report }: Digest): boolean {
  return configuration.reports.some(({ name }) => name === report);
}

/** The link to the page of a run's digest; `null` where there is none, or AWS does not allow the operator to make it. */
async function describePage(target: LedgerTarget, run: Run): Promise<{ link: string | null; lines: string[] }> {
  if (run.digest === undefined) return { link: null, lines: [] };
  try {
    const link = await linkTo(target, run, await target.readPagePlace());
    return { link, lines: link === null ? [] : [`Its page, for whoever has the link: ${link}`] };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return { link: null, lines: [`The link to its page was not made: AWS does not allow you to (${error.name}).`] };
  }
}

async function linkTo(
  { configuration }: LedgerTarget,
  { run, digest }: Run,
  place: PagePlace | null,
): Promise<string | null> {
  if (place === null || digest === undefined) return null;
  return await createPageLinks({ ...place, days: configuration.mail.pageDays, now: new Date() })(run, digest);
}

/** Shows a run's mail and its page in the browser until Ctrl-C; no ledger is open meanwhile. */
async function viewRun(
  target: LedgerTarget,
  run: Run,
  { digest, page }: { digest: Digest; page: string | null },
): Promise<void> {
  const { openMailView } = await import('../runs/mail-view.ts');
  const { configuration, servePages } = target;
  await using open = new AsyncDisposableStack();
  const pages = servePages === null ? null : open.adopt(await servePages(), (each) => each.close());
  const link = pages === null ? page : await linkTo(target, run, pages.place);
  const mail = open.adopt(await openMailView(configuration, { digest, page: link }), (each) => each.close());
  process.stderr.write(`See the mail at ${mail.url} (Ctrl-C ends)\n`);
  if (link !== null) process.stderr.write(`See its page at ${link}\n`);
  await interrupted();
}
