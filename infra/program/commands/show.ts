import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { publicPaths } from '../../../functions/links/public-function.ts';
import { createRenderer, type RenderInput } from '../../../functions/render/render.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { loadTemplates, templatesFolder } from '../../build/load-templates.ts';
import { startMessageView } from '../../local/viewer/outbox-view.ts';
import { commandLine, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { chooseRun } from '../command-line/choices.ts';
import { describeFile, fileOfMail } from '../runs/outbox.ts';
import { eventsOf, presentRun, sayEvents } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Shown as the recipient, since a view of a run shows no address. */
const anySubscriber = 'subscriber@example.com';

/** What a mail is rendered from. */
type Content = Pick<RenderInput, 'digest' | 'page'> & { report: ReportConfiguration };

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
  const { table, configuration, outbox } = target;
  const run = await chooseRun(target, name);
  const { json, lines, receipt, digest } = await presentRun(target, run);
  const messages = withMessages ? await readSent(table, receipt) : null;
  const page = await describePage(target, run);
  lines.push(...page.lines, ...(messages?.lines ?? []));
  const answer = { json: { ...json, page: page.link, messages: messages?.json }, lines, code: exitCodes.done };
  if (digest === null || mail === null) return answer;
  const report = configuration.reports.find((each) => each.name === digest.report);
  if (report === undefined) {
    lines.push(`The mail is not shown: there is no report "${digest.report}" any more.`);
    return answer;
  }
  const content = { digest, report, page: page.link };
  if (mail === 'browser') {
    // Made here, because the ledger is closed while the mail is shown.
    const path = target.serveFront === null ? null : await makePageLink(target, run);
    return { ...answer, view: () => viewRun(target, run, content, path) };
  }
  if (outbox === null) return answer;
  const sent = fileOfMail(outbox, receipt.messages);
  // Nobody was sent it yet: what would be sent.
  const file = sent ?? join(outbox, `${run.run}.html`);
  if (sent === null) {
    await mkdir(outbox, { recursive: true });
    await writeFile(file, (await renderMail(configuration, content)).html);
  }
  lines.push(...describeFile(file, sent && commandLine(['show', run.run], target.flags)));
  return answer;
}

/**
 * The messages of a run with what SES's events say of each, as data and in a line each: "ada@example.com  sent  <SES's id>
 * bounced 2026-11-16 08:00 Europe/London". They contain addresses.
 */
async function readSent(table: Table, { run, period, messages }: Receipt) {
  const rows = await Array.fromAsync(readMessages(table, run));
  const events = new Map(rows.map((row) => [row.messageId ?? '', eventsOf(row)]));
  const sent = messages.map((message) => ({ message, said: events.get(message.messageId ?? '') ?? {} }));
  return {
    json: sent.map(({ message, said }) => ({ ...message, ...said })),
    lines: sent.map(({ message: { to, outcome, messageId, refusal }, said }) =>
      [to, outcome, messageId, refusal, ...sayEvents(said, period.timeZone)].filter(Boolean).join('  '),
    ),
  };
}

/** The link to the page of a run's digest; `null` where there is none, or AWS does not allow the operator to make it. */
async function describePage(target: LedgerTarget, run: Run): Promise<{ link: string | null; lines: string[] }> {
  try {
    const path = target.publicUrl === null ? null : await makePageLink(target, run);
    if (path === null) return { link: null, lines: [] };
    const link = `${target.publicUrl}${path}`;
    return { link, lines: [`Its page, for whoever has the link: ${link}`] };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return { link: null, lines: [`The link to its page was not made: AWS does not allow you to (${error.name}).`] };
  }
}

/** The path of a new link to the page of a run's digest; `null` where it has no digest, or mails lead to no page. */
async function makePageLink({ table, configuration }: LedgerTarget, { report, run, digest }: Run) {
  const { page, pageDays: days } = configuration.mail;
  const isWarning = configuration.reports.find(({ name }) => name === report)?.warningOf !== undefined;
  if (digest === undefined || !page || isWarning) return null;
  return publicPaths.page + (await insertPageLink(table, { report, run, digest }, { days, now: new Date() }));
}

/** Shows a run's mail and its page in the browser, and serves the links of all local mails, until Ctrl-C; no ledger is open meanwhile. */
async function viewRun(
  { configuration, serveFront }: LedgerTarget,
  { run }: Run,
  content: Content,
  path: string | null,
): Promise<void> {
  const { report } = content;
  await using open = new AsyncDisposableStack();
  const front = serveFront === null ? null : open.adopt(await serveFront(), (each) => each.close());
  const page = front === null || path === null ? content.page : front.url + path;
  const rendered = await renderMail(configuration, { ...content, page });
  const compose = await createMimeComposer(rendered, { mail: configuration.mail, report });
  const message = { raw: compose({ to: anySubscriber }), at: new Date() };
  const mail = open.adopt(await startMessageView(run, message), (each) => each.close());
  process.stderr.write(`See the mail at ${mail.url} (Ctrl-C ends)\n`);
  if (page !== null) process.stderr.write(`See its page at ${page}\n`);
  await once(process, 'SIGINT');
}

/** A digest's mail, rendered with this repository's templates. */
async function renderMail({ mail }: Configuration, { digest, report, page }: Content) {
  const render = createRenderer(await loadTemplates(templatesFolder, mail.logo));
  return render({ digest, report, mail, canUnsubscribe: false, page });
}
