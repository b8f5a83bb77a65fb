import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../functions/domain/configuration/configuration.ts';
import { runName } from '../../functions/domain/period.ts';
import { dueAt } from '../../functions/domain/schedule.ts';
import { putTriggerSubscribers } from '../../functions/ledger/runs/triggers.ts';
import { isHeldByReport } from '../../functions/run/compose/store-digest.ts';
import { readRunOf } from '../../functions/run/find-run.ts';
import { TemplateError } from '../build/template-error.ts';
import { loadConfiguration } from '../config.ts';
import { localFlags } from './command-line/place-flags.ts';
import { recordOperation } from '../record-operation.ts';
import { checkCall, type CheckedCall } from './command-line/checked-call.ts';
import { flagNames, parseFlags, usage, type Options } from './command-line/flags.ts';
import { refuseFlagsOfNpm } from './command-line/npm-flags.ts';
import { UsageError } from './command-line/usage-error.ts';
import { endOnStorageFailure, LocalError, storing } from './local-error.ts';
import { clearLastRun, nameMessages, writeOutcome } from './output/folder.ts';
import { describeEnd, type EndedRun } from './output/describe-end.ts';
import { exitCodeOf, exitCodes } from './output/outcome.ts';
import type { AwsEndpoint } from './aws-endpoint.ts';
import { followRun } from './output/follow-run.ts';
import { describeOpenMatters } from './output/open-matters.ts';
import { createProgress } from './output/progress.ts';
import { readOutcome, type RunOutcome } from './output/run-outcome.ts';
import { asPlanned, copyState, forgetRun, withoutHolds } from './dry-run.ts';
import { keepSampleFigures } from './sample-account/kept-figures.ts';
import { startSampleAccount } from './sample-account/server.ts';
import { stateFolder, stateFolderName } from './state-folder.ts';
import { functionName, startSystem, type System } from './system.ts';

/** Who the ledger says has triggered the runs of this command. */
const operator = 'npm start on this machine';

/** `npm start`: runs one report on embedded parts. Gives the exit code. */
export async function start(args: readonly string[]): Promise<number> {
  try {
    refuseFlagsOfNpm({ flags: flagNames, args, environment: process.env });
    const { options, faults } = parseFlags(args, process.stdout.isTTY);
    if (options.help) {
      process.stdout.write(usage);
      return exitCodes.done;
    }
    return await runAndReport(checkCall(options, faults, Temporal.Now.instant()));
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof TemplateError;
    if (!isUsage && !(error instanceof LocalError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return isUsage ? exitCodes.usage : exitCodes.noDigest;
  }
}

/** While the mail is only shown, nothing else is open: another start may use the state folder. */
async function runAndReport(call: CheckedCall): Promise<number> {
  const { options } = call;
  const ended = await runOnSystem(call);
  reportOutcome(options, ended);
  if (options.view && !options.json) await viewMails(call);
  return exitCodeOf(ended.receipt, ended.digest);
}

async function viewMails({ options, service }: CheckedCall): Promise<void> {
  const stateDir = options.awsEndpoint === undefined ? stateFolder(options.state, service) : null;
  const { viewOutbox } = await import('./output/view-outbox.ts');
  await viewOutbox(options.out, { stateDir, configuration: loadConfiguration() });
}

async function runOnSystem(call: CheckedCall): Promise<EndedRun> {
  const { options, service, at } = call;
  await using started = new AsyncDisposableStack();
  const folder = stateFolder(options.state, service);
  const state = options.dryRun ? await copyState(folder, started) : folder;
  const { url: baseUrl, credentials } = service ?? started.use(await startSampleAccount({ asOf: at }));
  const overlay = { service: { baseUrl }, mail: { settleMinutes: 0 } };
  const configuration = loadConfiguration({ overlay });
  const { out, sendRate, dryRun } = options;
  const awsEndpoint = awsEndpointOf(call);
  const system = await startSystem({
    credentials,
    state,
    sendRate,
    ...(dryRun
      ? { configuration: withoutHolds(configuration), out: join(state, 'outbox') }
      : { configuration, out, awsEndpoint }),
  });
  started.defer(() => system.close());
  if (dryRun && awsEndpoint !== undefined) {
    const { copyLedger } = await import('./aws-endpoint.ts');
    await copyLedger(awsEndpoint, system);
  }
  await storing(out, () => clearLastRun(options));
  const ran = await run(call, system, configuration);
  const outcome = dryRun ? plannedOutcome(ran, call.report) : ran;
  await storing(out, async () => {
    await writeOutcome(out, outcome);
    const outbox = dryRun ? join(out, 'planned') : out;
    if (dryRun) await cp(join(state, 'outbox'), outbox, { recursive: true });
    const taken = ran.receipt.messages.flatMap(({ messageId }) => messageId ?? []);
    await nameMessages(outbox, ran.receipt.run, taken);
  });
  const flags = localFlags({ environment: undefined, state: options.state, out, service });
  const now = Temporal.Now.instant();
  // A dry run leaves the ledger as it was: what it would have opened there is not open.
  if (dryRun) return { ...outcome, openMatters: [] };
  return { ...outcome, openMatters: await describeOpenMatters(system.table, configuration.reports, { flags, now }) };
}

/** What the run of a dry run comes to: what would be sent, or held. */
function plannedOutcome<T extends RunOutcome>(ran: T, report: ReportConfiguration): T {
  const isHeld = ran.digest !== null && isHeldByReport(report, ran.digest);
  return { ...ran, receipt: asPlanned(ran.receipt, isHeld) };
}

/** The AWS emulator that the flags name. Each reporting service has things of its own there, under the name of its state folder. */
function awsEndpointOf({ options: { awsEndpoint: url }, service }: CheckedCall): AwsEndpoint | undefined {
  // A table's name has no "%", and nothing else in a folder's name is a capital letter.
  return url === undefined ? undefined : { url, name: stateFolderName(service).replaceAll('%', 'X') };
}

async function run(
  { options, report, at, service }: CheckedCall,
  system: System,
  configuration: Configuration,
): Promise<Omit<EndedRun, 'openMatters'>> {
  const { lambda, table } = system;
  const { dryRun } = options;
  // Functions load while this process works.
  const loading = lambda.warm([functionName('run')]);
  const { period } = dueAt(report.schedule, at);
  const before = await readRunOf(table, report, period);
  const storedBefore = !dryRun && before?.digest !== undefined;
  if (!storedBefore) void loading.then(() => lambda.warm([functionName('collect'), functionName('feedback')]));
  if (dryRun && before !== null) await forgetRun(table, before);
  if (service === null) await keepSampleFigures(table, configuration, report, period);
  const progress = createProgress();
  progress.say(`Running ${report.name} …`);
  const subscribers = options.to.length === 0 ? undefined : await putTriggerSubscribers(table, options.to, new Date());
  const operation = await recordOperation(
    { configuration, table, operator },
    { report: report.name },
    { what: 'run', run: before?.run ?? runName(report.name, period) },
  );
  const trigger = {
    operation,
    report: report.name,
    scheduledTime: Temporal.Instant.from(at).toString(),
    ...(subscribers === undefined ? {} : { subscribers }),
  };
  const read = () => readRunOf(table, report, period);
  const execution = await followRun(
    { table, read, say: progress.say },
    lambda.executeDurable(functionName('run'), trigger),
  );
  await system.eventsSettled();
  progress.end();
  return {
    ...(await readOutcome(report, at, execution, table)),
    storedBefore,
  };
}

function reportOutcome(options: Options, ended: EndedRun): void {
  const { receipt } = ended;
  const text = options.json ? JSON.stringify(receipt, null, 2) : describeEnd(options, ended).join('\n');
  process.stdout.write(`${text}\n`);
}

endOnStorageFailure();
process.exitCode = await start(process.argv.slice(2));
