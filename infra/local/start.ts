import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { putTriggerSubscribers } from '../../functions/ledger/runs/triggers.ts';
import { loadConfiguration } from '../config.ts';
import { localFlags } from '../ops/command-line/place-flags.ts';
import { checkCall, type CheckedCall } from './command-line/checked-call.ts';
import { parseFlags, usage, type Options } from './command-line/flags.ts';
import { UsageError } from './command-line/usage-error.ts';
import { StateInUseError } from './emulators/state-lock.ts';
import { storageErrorOf, storing } from './emulators/storage-error.ts';
import { clearLastRun, writeOutcome } from './output/folder.ts';
import { exitCodeOf, exitCodes, summarize } from './output/outcome.ts';
import { describeOpenMatters } from './output/open-matters.ts';
import { writePlanned } from './output/planned.ts';
import { createProgress } from './output/progress.ts';
import { readOutcome, type RunOutcome } from './output/run-outcome.ts';
import { startSample } from './sample-account/start-sample.ts';
import { endOnStorageFailure } from './state/end-on-storage-failure.ts';
import { openStateFolder } from './state/state-folder.ts';
import { functionName, startSystem, type System } from './system.ts';
import { startOutboxView } from './viewer/outbox-view.ts';

/** `npm start`: runs one report on embedded parts. Gives the exit code. */
export async function start(args: readonly string[]): Promise<number> {
  try {
    const { options, faults } = parseFlags(args, process.stdout.isTTY);
    if (options.help) {
      process.stdout.write(usage);
      return exitCodes.done;
    }
    return await runAndReport(checkCall(options, faults, Temporal.Now.instant()));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
      return exitCodes.usage;
    }
    const failure = error instanceof StateInUseError ? error : storageErrorOf(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.message}\n`);
    return exitCodes.noDigest;
  }
}

/** While the mail is only shown, nothing else is open: another start may use the state folder. */
async function runAndReport(call: CheckedCall): Promise<number> {
  const { options } = call;
  const { receipt, digest, openMatters } = await runOnSystem(call);
  await reportOutcome(options, { receipt, digest, openMatters });
  return exitCodeOf(receipt, digest, options.dryRun);
}

/** How a run ended, and which matters are open in its ledger, as lines. */
type Ended = RunOutcome & { openMatters: string[] };

async function runOnSystem(call: CheckedCall): Promise<Ended> {
  const { options, service, at } = call;
  await using started = new AsyncDisposableStack();
  const state = await openStateFolder(options.state, service);
  const { url: baseUrl, credentials } = service ?? (await startSample(at, started));
  const overlay = { service: { baseUrl }, mail: { settleMinutes: 0 } };
  const configuration = loadConfiguration({ today: Temporal.Now.plainDateISO('UTC').toString(), overlay });
  const { out, sendRate, dryRun } = options;
  const system = await startSystem({ configuration, credentials, state, out, sendRate });
  started.defer(() => system.close());
  await storing(out, () => clearLastRun(options));
  const outcome = await run(call, system);
  await storing(out, () => writeOutcome(out, outcome));
  const { receipt, digest } = outcome;
  if (dryRun && digest !== null) {
    const folder = join(out, 'planned');
    await storing(out, () => writePlanned(folder, configuration, { digest, receipt }, system.leaving));
  }
  const flags = localFlags({ environment: undefined, state: options.state, out, service });
  const now = Temporal.Now.instant();
  return { ...outcome, openMatters: await describeOpenMatters(system.table, configuration.reports, { flags, now }) };
}

async function run({ options, report, at }: CheckedCall, system: System): Promise<RunOutcome> {
  const { lambda, table } = system;
  const progress = createProgress();
  progress.say(`Running ${report.name} …`);
  const subscribers = options.to.length === 0 ? undefined : await putTriggerSubscribers(table, options.to);
  const trigger = {
    report: report.name,
    scheduledTime: Temporal.Instant.from(at).toString(),
    ...(subscribers === undefined ? {} : { subscribers }),
    ...(options.dryRun ? { dryRun: true } : {}),
  };
  let batches = 0;
  const execution = await lambda.executeDurable(functionName('run'), trigger, {
    onInvoke: (_name, payload) => {
      batches += 1;
      progress.say(`Collecting: ${describe(payload)} (${batches} ${batches === 1 ? 'batch' : 'batches'} so far) …`);
    },
  });
  await system.ses.eventsSettled();
  progress.end();
  return await readOutcome(report, at, execution, system.table);
}

function describe(payload: unknown): string {
  const phase = typeof payload === 'object' && payload !== null && 'phase' in payload ? payload.phase : undefined;
  const words: Readonly<Record<string, string>> = {
    list: 'the list of deliveries',
    recipients: 'recipients of deliveries',
    broadcasts: 'broadcasts',
    contents: 'content items',
  };
  return words[String(phase)] ?? 'the service';
}

async function reportOutcome(options: Options, { receipt, digest, openMatters }: Ended): Promise<void> {
  const lines = [...summarize(receipt, digest, options.dryRun), ...openMatters];
  if (options.json) {
    process.stdout.write(`${JSON.stringify(receipt, null, 2)}\n`);
    return;
  }
  const folder = options.dryRun ? join(options.out, 'planned') : options.out;
  process.stdout.write(`${lines.join('\n')}\nMails, digest.json and receipt.json are in ${folder}/\n`);
  if (!options.view) return;
  const view = await startOutboxView({ outDir: options.out });
  process.stdout.write(`See the mails at ${view.url} (Ctrl-C ends)\n`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await view.close();
}

endOnStorageFailure();
process.exitCode = await start(process.argv.slice(2));
