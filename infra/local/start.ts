import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { ConfigurationError } from '../../functions/domain/configuration/fault.ts';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { putTriggerSubscribers } from '../../functions/ledger/runs/triggers.ts';
import { periodBefore, runName } from '../../functions/domain/period.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { failureOf } from '../../functions/run/failure.ts';
import { readRunOf } from '../../functions/run/find-run.ts';
import { failedReceipt, readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { loadConfiguration } from '../config.ts';
import type { DurableExecution } from './emulators/lambda/durable-execution.ts';
import { startOutboxView } from './viewer/outbox-view.ts';
import { StateInUseError } from './emulators/state-lock.ts';
import { storageErrorOf, storing } from './emulators/storage-error.ts';
import { endOnStorageFailure } from './state/end-on-storage-failure.ts';
import {
  chooseInstant,
  chooseReport,
  parseFlags,
  readServiceCredentials,
  usage,
  UsageError,
  type Options,
} from './command-line/flags.ts';
import { faultsOfFolders } from './command-line/folder-flags.ts';
import { exitCodeOf, exitCodes, summarize } from './output/outcome.ts';
import { writePlanned } from './output/planned.ts';
import { createProgress } from './output/progress.ts';
import { startSample } from './sample-account/start-sample.ts';
import { openStateFolder } from './state/state-folder.ts';
import { functionName, startSystem, type System } from './system.ts';

type Report = Configuration['reports'][number];

/** A call whose flags, configuration and credentials were checked before anything is started. */
interface CheckedCall {
  options: Options;
  report: Report;
  at: string;
  /** `null`: the sample account. */
  service: { url: string; credentials: { id: string; secret: string } } | null;
}

/** The receipt and the digest of a run that has ended. */
interface Outcome {
  receipt: Receipt;
  digest: Digest | null;
}

/** `npm start`: runs one report on embedded parts. Gives the exit code. */
export async function start(args: readonly string[]): Promise<number> {
  try {
    const { options, faults } = parseFlags(args, process.stdout.isTTY);
    if (options.help) {
      process.stdout.write(usage);
      return exitCodes.done;
    }
    return await runAndReport(checkCall(options, faults));
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

/** Everything that can be wrong with a call is found here: nothing is asked and nothing written before. */
function checkCall(options: Options, faultsOfFlags: readonly string[]): CheckedCall {
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const { state, out } = options;
  const faults = [...faultsOfFlags, ...faultsOfFolders({ state, out })];
  const attempt = <T>(check: () => T): T | null => {
    try {
      return check();
    } catch (error) {
      faults.push(...faultsOf(error));
      return null;
    }
  };
  const configuration = attempt(() => loadConfiguration({ today }));
  const report = configuration === null ? null : attempt(() => chooseReport(configuration, options.report));
  const at = report === null ? null : attempt(() => chooseInstant(report, options.at, Temporal.Now.instant()));
  const { serviceUrl: url } = options;
  const credentials = url === undefined ? null : attempt(() => readServiceCredentials(process.env));
  if (report === null || at === null || faults.length > 0) throw new UsageError(faults);
  const service = url === undefined || credentials === null ? null : { url, credentials };
  return { options, report, at, service };
}

function faultsOf(error: unknown): string[] {
  if (error instanceof UsageError) return [...error.faults];
  if (!(error instanceof ConfigurationError)) throw error;
  return error.faults.map(({ path, message }) => `cdk.json, ${path || 'the configuration'}: ${message}`);
}

/** While the mail is only shown, nothing else is open: another start may use the state folder. */
async function runAndReport(call: CheckedCall): Promise<number> {
  const { options } = call;
  const { receipt, digest } = await runOnSystem(call);
  await reportOutcome(options, receipt, digest);
  return exitCodeOf(receipt, digest, options.dryRun);
}

async function runOnSystem(call: CheckedCall): Promise<Outcome> {
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
  const { receipt, digest } = outcome;
  await storing(out, async () => {
    await writeJson(join(out, 'receipt.json'), receipt);
    if (digest !== null) await writeJson(join(out, 'digest.json'), digest);
    if (dryRun && digest !== null)
      await writePlanned(join(out, 'planned'), configuration, digest, receipt, system.leaving);
  });
  return outcome;
}

async function clearLastRun({ out, dryRun }: Options): Promise<void> {
  await mkdir(out, { recursive: true });
  await rm(join(out, 'digest.json'), { force: true });
  await rm(join(out, 'receipt.json'), { force: true });
  if (dryRun) await rm(join(out, 'planned'), { recursive: true, force: true });
}

async function run({ options, report, at }: CheckedCall, system: System): Promise<Outcome> {
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
  return await readOutcome(report, at, execution, system);
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

async function readOutcome(
  report: Report,
  at: string,
  execution: DurableExecution,
  { table }: System,
): Promise<Outcome> {
  const period = periodBefore(report.period, report.timeZone, at);
  const run = await readRunOf(table, report, period.startDate);
  const failure = execution.status === 'FAILED' ? failureOfExecution(execution) : null;
  if (run === null) {
    const unknown = failure ?? failureOf(null);
    return {
      receipt: failedReceipt({ run: runName(report.name, period), report: report.name, period }, unknown),
      digest: null,
    };
  }
  const receipt = await readReceipt(table, run);
  const digest = run.digest === undefined ? null : (await readDigest(table, run.run, run.digest)).digest;
  return { receipt: failure === null ? receipt : { ...receipt, state: 'failed', error: failure }, digest };
}

/** The engine keeps a failure's name and message, and nothing else of it. */
function failureOfExecution({ error }: DurableExecution): { code: string; message: string } {
  const cause = new Error(error?.errorMessage ?? '');
  cause.name = error?.errorType ?? '';
  const failure = failureOf(cause);
  return failure.code === 'internal'
    ? { ...failure, message: `${failure.message} (${cause.name || 'no name'})` }
    : failure;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

async function reportOutcome(options: Options, receipt: Receipt, digest: Digest | null): Promise<void> {
  const lines = summarize(receipt, digest, options.dryRun);
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
