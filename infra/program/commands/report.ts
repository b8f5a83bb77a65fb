import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { addCount, createCounts } from '../../../functions/domain/counts-by-word.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import * as ledger from '../../../functions/ledger/reports.ts';
import { serviceSubject } from '../../../functions/ledger/runs/actions.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { text } from '../../../functions/domain/configuration/fields.ts';
import { longestNote } from '../../../functions/digest/schema.ts';
import { openNoteOf, withdrawNotes, readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { count } from '../../../functions/domain/wording.ts';
import { unsubscribedSchema } from '../../../functions/ledger/persons/opt-outs.ts';
import { commandLine, done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { chooseChannel } from '../command-line/choices.ts';
import { confirm, recordOperation, type YesFlag, type LedgerTarget } from '../targets/target.ts';
import { UsageError } from '../command-line/flags.ts';

/** Whether a report is off, since nobody has ever switched it on; else since when and by whom it is paused, `null` where it is on. */
export function switchOf(known: ledger.KnownReport | null) {
  const { pausedAt: since, pausedBy: by } = known ?? {};
  return { off: ledger.isOff(known), paused: since === undefined || by === undefined ? null : { since, by } };
}

/** Says of a report that it is off, or since when it is paused, and by whom; nothing of one that is on. */
export async function describePause(table: Table, report: ReportConfiguration): Promise<string[]> {
  const { off, paused } = switchOf(await ledger.readReport(table, report));
  const since = paused && `was paused by ${paused.by}, ${sayInstant(paused.since, report.schedule.timeZone)}:`;
  const why = off ? 'is off: never switched on, so' : since;
  return why === null ? [] : [`Report "${report.name}" ${why} its schedule triggers nothing.`];
}

/** Pauses a report that is on: its schedule triggers nothing until it is resumed, whatever is deployed meanwhile. */
export async function pauseCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { table, operator: by } = target;
  const { name } = report;
  const before = switchOf(await ledger.readReport(table, report));
  if (!before.off && before.paused === null) {
    await recordOperation(target, name, { what: 'pause' });
    await ledger.pauseReport(table, report, { at: Temporal.Now.instant().toString(), by });
  }
  return done({ report: name, ...switchOf(await ledger.readReport(table, report)) }, [
    ...(await describePause(table, report)),
    `To switch it on: ${commandLine(['resume', name], target.flags)}`,
  ]);
}

/** Switches a report on that is off or paused. Runs that were due before are not triggered: they can be run by hand. */
export async function resumeCommand(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { name, schedule } = report;
  const now = Temporal.Now.instant();
  const renamed =
    target.stack === null ? null : await ledger.whyMaybeRenamed(target.table, report, target.configuration.reports);
  if (renamed !== null)
    return { json: { report: name, resumed: false, refused: renamed }, lines: [renamed], code: exitCodes.noDigest };
  const { off, paused } = switchOf(await ledger.readReport(target.table, report));
  const resumed = off || paused !== null;
  if (resumed) {
    await recordOperation(target, name, { what: 'resume' });
    await ledger.resumeReport(target.table, report, now.toString());
  }
  const [next] = nextDue(schedule, now, 1).map((due) => sayInstant(due.scheduledTime, schedule.timeZone));
  const before =
    paused === null ? '' : ` It was paused by ${paused.by}, ${sayInstant(paused.since, schedule.timeZone)}.`;
  const runIt = `Nothing runs by itself on this machine: ${commandLine(['run', name], target.flags)}`;
  return done({ report: name, resumed, pausedSince: paused?.since ?? null }, [
    target.stack === null
      ? `Report "${name}" is on.${before} ${runIt}`
      : `Report "${name}" is on, next at ${next}.${before}`,
  ]);
}

/** Switches a channel on that runs found gone: the next one posts to it. */
export async function resumeChannel(target: LedgerTarget, name: string): Promise<CommandResult> {
  const { name: channel } = chooseChannel(target.configuration, name);
  const resumed = (await ledger.readChannelOff(target.table, channel)) !== null;
  if (resumed) {
    await recordOperation(target, serviceSubject, { what: 'resume', detail: `channel ${channel}` });
    await ledger.turnChannelOn(target.table, channel);
  }
  return done({ channel, resumed }, [`Channel "${channel}" is on: the next run posts to it.`]);
}

/** Voids all links to the pages of a report that were made before now. Links in later mails work. */
export async function revokePages(target: LedgerTarget, report: ReportConfiguration, { yes }: YesFlag) {
  const { name, schedule } = report;
  const question = `All links to the pages of "${name}" in mails that were sent so far stop working. Revoke them?`;
  if (!(await confirm(question, { yes }))) return done({ report: name, revokedBefore: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'revoke-pages' });
  const before = Temporal.Now.instant().toString({ fractionalSecondDigits: 3 });
  await revokePageLinks(target.table, report);
  return done({ report: name, revokedBefore: before }, [
    `Links to the pages of "${name}" that were made before ${sayInstant(before, schedule.timeZone)} no longer work.`,
    'The next mail has a new one; "show RUN" makes one for a run that was sent.',
  ]);
}

/** The note that a report's next digest has, in words; nothing where there is none. */
export function describeNote({ name, schedule }: ReportConfiguration, note: ledger.Note | null): string[] {
  if (note === null) return [];
  const since = `${note.by}, ${sayInstant(note.at, schedule.timeZone)}`;
  return [`The next digest of "${name}" has this note (${since}): ${note.text}`];
}

/** Sets the note of a report's next digest, in place of any other, or takes it back; then, or without either, shows it. */
export async function noteCommand(
  target: LedgerTarget,
  report: ReportConfiguration,
  { clear }: { clear: boolean },
  given?: string,
) {
  const { table, operator: by } = target;
  const { name } = report;
  const parsed = v.safeParse(v.optional(text(longestNote)), given?.trim());
  if (!parsed.success) throw new UsageError(`The note: ${parsed.issues[0].message}`);
  if (clear && given !== undefined) throw new UsageError('Give the text of a note, or --clear.');
  const readRuns = () => readRunsFrom(table, report, '0000');
  if (clear || parsed.output !== undefined) {
    await recordOperation(target, name, { what: 'note', detail: clear ? 'taken back' : 'set' });
  }
  if (clear) await withdrawNotes(table, report, await readRuns());
  if (parsed.output !== undefined) {
    await ledger.putNote(table, report, { text: parsed.output, by, at: Temporal.Now.instant().toString() });
  }
  const note = openNoteOf(await ledger.readReport(table, report), await readRuns());
  if (note === null) return done({ report: name, note }, [`The next digest of "${name}" has no note.`]);
  const back = `To take it back: ${commandLine(['note', name, '--clear'], target.flags)}`;
  return done({ report: name, note }, [...describeNote(report, note), back, ...(await describePause(table, report))]);
}

/**
 * Ends what is said about a report that was taken out of the configuration on purpose. Links in its mails go on working, and who
 * left it stays left; under its name in the configuration again it is a new report, and off.
 */
export async function retireCommand(target: LedgerTarget, name: string, flags: YesFlag): Promise<CommandResult> {
  const { table, configuration } = target;
  if (configuration.reports.some((report) => report.name === name))
    throw new UsageError(`Report "${name}" is still in cdk.json: take it out there and deploy, then retire it.`);
  if ((await ledger.readReport(table, { name })) === null)
    throw new UsageError(`The ledger knows no report "${name}".`);
  const insteadOf = createCounts();
  for await (const item of target.scan()) {
    const optOut = v.safeParse(unsubscribedSchema, item);
    if (optOut.success && optOut.output.instead === name) addCount(insteadOf, optOut.output.report);
  }
  const losing = Object.entries(insteadOf).map(
    ([report, persons]) => `${count(persons, 'person', 'persons')} in place of "${report}"`,
  );
  const taken = losing.length === 0 ? '' : ` It was taken by ${losing.join(', ')}: they get neither.`;
  // The deployed configuration may be a newer one.
  const question = `Where the deployed configuration still has "${name}", this switches it off: nobody gets it.${taken} Retire it?`;
  if (!(await confirm(question, flags))) return done({ retired: null }, ['Nothing was done.']);
  await recordOperation(target, name, { what: 'retire' });
  await ledger.retireReport(table, { name });
  return done({ retired: name, takenInsteadOf: insteadOf }, [
    `Nothing more is said about "${name}". Who left it stays left.${taken}`,
  ]);
}
