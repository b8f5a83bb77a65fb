import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { publicPaths } from '../../../functions/links/public-function.ts';
import { createRenderer, type RenderInput } from '../../../functions/render/render.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { loadTemplates, templatesFolder } from '../../build/load-templates.ts';
import { orNull } from '../../or-null.ts';
import { startOutboxView } from '../../local/viewer/outbox-view.ts';
import { commandLine, done, type CommandResult } from '../command-line/result.ts';
import { chooseRun } from '../command-line/choices.ts';
import { defineCommand, flag, onTarget, openExisting } from '../command-line/command.ts';
import { describeFile, fileOfMail } from '../runs/outbox.ts';
import { eventsOf, presentRun, sayEvents } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '<RUN>',
  does: 'one run: receipt, gaps, figures, errors, and the mail',
  more: 'It has what operators ordered, and the link to the page. On a terminal the mail opens in the browser.',
  example: 'show weekly_2026-W46 --messages',
  flags: [
    flag('--messages', 'list the messages with their addresses'),
    flag('--no-view', 'do not show the mail in the browser'),
  ],
  work: onTarget(openExisting, (target, name, { messages, view, json }: ShowFlags & { json: boolean }) =>
    showCommand(target, name, { messages, view: view && !json && process.stdout.isTTY }),
  ),
});

type ShowFlags = { messages: boolean; view: boolean };

/** Shown as the recipient, since a view of a run shows no address. */
const anySubscriber = 'subscriber@example.com';

/**
 * One run: its receipt, gaps, figures and errors, what operators did, and the link to the page of its digest. With `messages`
 * also every message with what SES reported of it; with `view` the mail in the browser, else its file in the outbox.
 */
export async function showCommand(target: LedgerTarget, name: string, flags: ShowFlags): Promise<CommandResult> {
  const { table, configuration, outbox } = target;
  const run = await chooseRun(target, name);
  const { json, lines, receipt, digest } = await presentRun(target, run);
  const messages = flags.messages ? await readSent(table, receipt) : null;
  const made = target.publicUrl === undefined && !flags.view ? null : await makePageLink(target, run);
  const path = made === 'denied' ? null : made;
  const page = target.publicUrl === undefined || path === null ? null : `${target.publicUrl}${path}`;
  if (page !== null) lines.push(`Its page, for whoever has the link: ${page}`);
  if (made === 'denied')
    lines.push('The link to its page was not made: AWS does not allow you to (AccessDeniedException).');
  lines.push(...(messages?.lines ?? []));
  const result = done({ ...json, page, messages: messages?.json }, lines);
  if (!flags.view || digest === null) {
    const file = fileOfMail(outbox, receipt.messages);
    if (file !== null) lines.push(...describeFile(file, commandLine(['show', run.run], target.flags)));
    return result;
  }
  const report = configuration.reports.find((configured) => configured.name === digest.report);
  if (report === undefined) {
    lines.push(`The mail is not shown: there is no report "${digest.report}" any more.`);
    return result;
  }
  return { ...result, view: () => viewRun(target, run.run, { digest, report }, path) };
}

/**
 * The messages of a run with what SES's events say of each, as data and in a line each: "ada@example.com  sent  <SES's id>
 * bounced 2026-11-16 08:00 Europe/London". They contain addresses.
 */
async function readSent(table: Table, { run, period, messages }: Receipt) {
  const rows = await readMessages(table, run);
  const eventsById = new Map(rows.map((row) => [row.messageId ?? '', eventsOf(row)]));
  const sent = messages.map((message) => ({ message, events: eventsById.get(message.messageId ?? '') ?? {} }));
  return {
    json: sent.map(({ message, events }) => ({ ...message, ...events })),
    lines: sent.map(({ message: { to, outcome, messageId, refusal }, events }) =>
      [to, outcome, messageId, refusal, ...sayEvents(events, period.timeZone)].filter(Boolean).join('  '),
    ),
  };
}

/**
 * The path of a new link to the page of a run's digest; `null` where it has no digest, or mails lead to no page, and `denied` where
 * AWS does not allow the operator to make it. Made at once, because the ledger is closed while the mail is shown.
 */
async function makePageLink({ table, configuration }: LedgerTarget, { report, run, digest }: Run) {
  const { page, pageDays: days } = configuration.mail;
  const isWarning = configuration.reports.find(({ name }) => name === report)?.warningOf !== undefined;
  if (digest === undefined || !page || isWarning) return null;
  const making = insertPageLink(table, { report, run, digest }, { days, now: new Date() });
  const made = await orNull(making, /^AccessDeniedException$/);
  return made === null ? 'denied' : publicPaths.page + made;
}

/** Shows a run's mail and its page in the browser, and serves the links of all local mails, until Ctrl-C; no ledger is open meanwhile. */
async function viewRun(
  { configuration: { mail }, publicUrl, serveFront }: LedgerTarget,
  run: string,
  { digest, report }: Pick<RenderInput, 'digest'> & { report: ReportConfiguration },
  path: string | null,
) {
  await using open = new AsyncDisposableStack();
  const front = serveFront && open.adopt(await serveFront(), (server) => server.close());
  const page = path === null ? null : `${front?.url ?? publicUrl}${path}`;
  const render = createRenderer(await loadTemplates(templatesFolder, mail.logo));
  const rendered = await render({ digest, report, mail, canUnsubscribe: false, page });
  const compose = await createMimeComposer(rendered, { mail, report });
  const { path: outDir } = open.use(await mkdtempDisposable(join(tmpdir(), 'broadcast-digest-')));
  await writeFile(join(outDir, `${run}.eml`), compose({ to: anySubscriber }));
  const view = open.adopt(await startOutboxView({ outDir }), (server) => server.close());
  process.stderr.write(`See the mail at ${view.url}/${run} (Ctrl-C ends)\n`);
  if (page !== null) process.stderr.write(`See its page at ${page}\n`);
  await once(process, 'SIGINT');
}
