import { isOrderName, readActions, unnamedOperator, type Action } from '../../../functions/ledger/runs/actions.ts';
import { readMessages, type MessageRow } from '../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { count } from '../../../functions/domain/wording.ts';
import { sayInstant, type CommandResult } from '../command-line/answer.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { exitCodeOf, readOutcome, summarize, type RunOutcome } from './outcome.ts';

/** Everything that the ledger has of a run. */
interface RunRecord extends RunOutcome {
  /** The flags that lead to its ledger. */
  flags: readonly string[];
  run: Run;
  actions: Action[];
}

/** Reads a run's record; its receipt and digest, where they were read before, are `outcome`. */
export async function readRunRecord(target: LedgerTarget, run: Run, outcome?: RunOutcome): Promise<RunRecord> {
  const { table, flags } = target;
  const ofReport = await readActions(table, { name: run.report });
  const actions = ofReport.filter((action) => action.run === run.run);
  return { flags, run, ...(outcome ?? (await readOutcome(table, run))), actions };
}

/** A run for an operator: its state, its gaps, what was done with it. It contains no address. */
export function presentRun(record: RunRecord): CommandResult & { json: object } {
  const { run, receipt, digest, actions } = record;
  const { messages: _addresses, ...rest } = receipt;
  const lines = [
    ...summarize(receipt, digest),
    ...describeUnsent(record),
    ...describeTimes(run, actions),
    ...describeGaps(receipt),
    ...describeRelease(run),
    ...actions.map((action) => describeAction(action, run.period.timeZone)),
  ];
  const { plannedAt, plannedBy, finishedAt, released, discarded } = run;
  const json = {
    ...rest,
    plannedAt,
    plannedBy: plannedBy ?? null,
    finishedAt: finishedAt ?? null,
    released: released === undefined ? null : { at: released.at, changed: released.changed },
    discarded: discarded === undefined ? null : { at: discarded.at },
    figures: digest?.totals ?? null,
    missing: digest?.missing ?? null,
    actions,
  };
  return { json, lines, code: exitCodeOf(receipt, digest) };
}

/** How many messages were probably not sent, and the command that sends them again. */
function describeUnsent({ flags, run, receipt }: RunRecord): string[] {
  const unsent = receipt.messages.filter(({ noEvent }) => noEvent === true).length;
  if (unsent === 0) return [];
  const [are, they, them] = unsent === 1 ? ['is', 'it was', 'it'] : ['are', 'they were', 'them'];
  const command = ['npm run ops -- run', run.report, '--at', run.scheduledTime, '--resend-unknown', ...flags].join(' ');
  return [
    `${count(unsent, 'message')} ${are} unknown although SES reported on others of this run: ${they} probably not sent.`,
    `To send ${them} again: ${command}`,
  ];
}

function describeTimes(
  { plannedAt, plannedBy, finishedAt, period: { timeZone } }: Run,
  actions: RunRecord['actions'],
): string[] {
  const by = plannedBy === 'schedule' ? 'its schedule' : operatorWhoPlanned(actions);
  const ended = finishedAt === undefined ? '' : `, last ended ${sayInstant(finishedAt, timeZone)}`;
  return [`Planned ${sayInstant(plannedAt, timeZone)} by ${by}${ended}.`];
}

/** Whose order planned a run: the first that can, and was not refused. */
function operatorWhoPlanned(actions: RunRecord['actions']): string {
  const planning = actions.find(
    ({ what, outcome }) => ['run', 'hold', 'resend-unknown'].includes(what) && outcome?.state !== 'refused',
  );
  return planning === undefined || planning.by === unnamedOperator ? 'an operator' : planning.by;
}

function describeGaps({ coverage }: Receipt): string[] {
  return coverage.unavailable.map(({ what, delivery, broadcast, content, reason, status }) => {
    const named = [delivery, broadcast, content].filter((id) => id !== undefined).join(' / ');
    return `Not available: ${what}${named === '' ? '' : ` ${named}`}: ${reason}${status === undefined ? '' : ` (${status})`}.`;
  });
}

/** What had changed between storing the digest and its release. */
function describeRelease({ released, period: { timeZone } }: Run): string[] {
  if (released === undefined) return [];
  const { subscribersAdded, subscribersRemoved, mail } = released.changed;
  const changes = [
    ...(subscribersAdded > 0 ? [`${count(subscribersAdded, 'subscriber')} joined, for the next run`] : []),
    ...(subscribersRemoved > 0 ? [`${count(subscribersRemoved, 'subscriber')} left, who still got this one`] : []),
    ...(mail === true ? ['the templates, wording or settings of the mail changed'] : []),
  ];
  const since =
    changes.length === 0
      ? 'Nothing has changed since the digest was stored'
      : `Since the digest was stored: ${changes.join('; ')}`;
  return [`Released ${sayInstant(released.at, timeZone)}. ${since}. The service was not asked again.`];
}

/** What an operator did, and what became of it: a refused order is not to read as if it had been carried out. */
function describeAction({ at, what, by, detail, outcome }: Action, timeZone: string): string {
  const described = `${sayInstant(at, timeZone)}  ${what}${detail === undefined ? '' : ` (${detail})`}  by ${by}`;
  if (outcome === undefined) return isOrderName(what) ? `${described}: no outcome recorded` : described;
  const { state, error, note } = outcome;
  const why = error === undefined ? '' : ` (${error.code}). ${error.message}`;
  return `${described}: ${state}${why}${note === undefined ? '' : `. ${note}`}`;
}

/** What became of a run's messages, in a few words: "3 sent", or "discarded" until the run collects again. */
export function outcomeOf(run: Run, { balance, error }: Receipt): string {
  if (isDiscarded(run)) return 'discarded';
  const outcomes = (['sent', 'held', 'skipped', 'planned', 'failed', 'unknown', 'suppressed', 'unsubscribed'] as const)
    .filter((outcome) => balance[outcome] > 0)
    .map((outcome) => `${balance[outcome]} ${outcome}`);
  return [...outcomes, ...(error === undefined ? [] : [error.code])].join(', ') || 'nobody';
}

/** Where a run's digest was discarded and nothing was collected since: by whom, when, and the command that collects again. */
export function describeDiscarded(run: Run, actions: readonly Action[], flags: readonly string[]): string[] {
  if (!isDiscarded(run)) return [];
  const discard = actions.findLast(
    ({ what, outcome, run: name }) => what === 'discard' && name === run.run && outcome?.state === 'done',
  );
  const by = discard === undefined ? '' : ` by ${discard.by}`;
  const command = ['npm run ops -- run', run.report, '--at', run.scheduledTime, ...flags].join(' ');
  return [
    `The digest of ${run.run} was discarded${by}, ${sayInstant(run.discarded?.at ?? run.plannedAt, run.period.timeZone)}. To collect again: ${command}`,
  ];
}

function isDiscarded({ state, digest, discarded, error }: Run): boolean {
  return discarded !== undefined && state === 'planned' && digest === undefined && error === undefined;
}

/** A message of a receipt, with the instants (ISO 8601) at which SES reported what became of it after it was sent. */
interface MessageView extends Readonly<Receipt['messages'][number]> {
  delivered?: string;
  bounced?: string;
  complained?: string;
}

/** The messages of a run for an operator, with what SES's events say of them. They contain addresses. */
export async function viewMessages(table: Table, { run, messages }: Receipt): Promise<MessageView[]> {
  const rows = new Map<string, MessageRow>();
  for await (const row of readMessages(table, run)) if (row.messageId !== undefined) rows.set(row.messageId, row);
  return messages.map((message) => {
    const { deliveredAt, bouncedAt, complainedAt } = rows.get(message.messageId ?? '') ?? {};
    return {
      ...message,
      ...(deliveredAt === undefined ? {} : { delivered: deliveredAt }),
      ...(bouncedAt === undefined ? {} : { bounced: bouncedAt }),
      ...(complainedAt === undefined ? {} : { complained: complainedAt }),
    };
  });
}

/** A message in one line: "ada@example.com  sent  <SES's id>  bounced 2026-11-16 08:00 Europe/London". */
export function describeMessage(message: MessageView, timeZone: string): string {
  const { to, outcome, messageId, refusal } = message;
  const events = (['delivered', 'bounced', 'complained'] as const).flatMap((name) => {
    const at = message[name];
    return at === undefined ? [] : [`${name} ${sayInstant(at, timeZone)}`];
  });
  const described = [to, outcome, messageId ?? '', refusal ?? ''].join('  ').trimEnd();
  return [described, ...events].join('  ');
}
