import { Temporal } from 'temporal-polyfill';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { failureIn } from '../../functions/domain/failures.ts';
import { configurationWith } from '../support/configuration.ts';
import { accessKeyIdOfFunction, type AwsCall } from '../support/aws/aws-front.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { drawsOf } from '../support/faulty-account/faulty-account.ts';
import { namesIn, readMails } from '../support/start-folders.ts';
import { deploy, scheduledInput, synthesize, type Deployed, type Synthesized } from '../support/aws/deployed.ts';
import { temporaryFolder } from './measurement.ts';

const report = 'daily';
const channels = [
  { name: 'managers', kind: 'teams' },
  { name: 'desk', kind: 'slack' },
];
const subscribers = Array.from({ length: 6 }, (_, index) => `subscriber-${index}@example.com`);
const firstDay = Temporal.Instant.from('2026-01-05T08:00:00Z');
/** A run is given up whose process died five times at one place. */
const killsOfRun = 4;
/** About as many calls as a run makes. */
const callsOfRun = 50;

/**
 * Runs the deployed bundles until `kills` processes of the run were killed, each right after a call of it that `seed`
 * chooses took effect, and resumed by the engine. Nothing is asked of anybody but the ledger and SES's own folder.
 */
export async function crash(kills: number, seed: number) {
  await using account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
  await using folder = await temporaryFolder();
  const stack = await synthesize(configurationFor(account.url), folder.path);
  const { run } = stack.functions;
  const killer = createKiller(kills, drawsOf(seed), () => deployed.lambda.kill(run));
  const onCall = ({ accessKeyId, action }: AwsCall): void => {
    if (accessKeyId === accessKeyIdOfFunction(run)) killer.onCall(action);
  };
  await using deployed: Deployed = await deploy(stack, { credentials: account.credentials, onCall });
  return await runUntilKilled(stack, deployed, killer);
}

/** A report that finds nothing says so in a short mail: what is tried here is the sending. */
function configurationFor(baseUrl: string) {
  const schedule = { every: 'day', at: '08:00', timeZone: 'UTC' };
  const only = { broadcastName: 'no broadcast is called so' };
  const reports = [{ name: report, schedule, subscribers, channels, only }];
  return configurationWith({ service: { baseUrl }, mail: { settleMinutes: 0 }, reports });
}

/** Kills right after a call that it chooses took effect. */
function createKiller(kills: number, draw: () => number, kill: () => Promise<number>) {
  const random = (below: number): number => Math.floor(draw() * below);
  let left = 0;
  let calls = 0;
  let target = 0;
  let among: string | null = null;
  /** Three of five shots are at a claim or at a message on its way, such as a card whose answer is lost. */
  const aim = (): void => {
    calls = 0;
    among = [null, null, 'dynamodb:UpdateItem', 'ses:SendRawEmail', 'channel:Post'][random(5)] ?? null;
    const most = among === 'channel:Post' ? channels.length : subscribers.length;
    target = 1 + random(among === null ? callsOfRun : most);
  };
  const killer = {
    killed: 0,
    onCall: (action: string): void => {
      if (left === 0 || killer.killed >= kills) return;
      if (among === null || action === among) calls += 1;
      if (calls < target) return;
      left -= 1;
      aim();
      killer.killed += 1;
      // The part has the call and serves it; the process does not live to see the answer, or just so.
      setTimeout(() => void kill(), random(4));
    },
    /** A new run: may be killed a few times. */
    reload: (): void => {
      left = killsOfRun;
      aim();
    },
    rest: (): void => void (left = 0),
  };
  return killer;
}
type Killer = ReturnType<typeof createKiller>;

async function runUntilKilled(stack: Synthesized, deployed: Deployed, killer: Killer) {
  const outcome = {
    kills: 0,
    runs: 0,
    /** Mails that SES accepted and cards that channels did. */
    accepted: 0,
    faults: new Array<string>(),
  };
  const seen = new Set<string>();
  for (let before = -1; killer.killed > before || outcome.runs < 3; outcome.runs += 1) {
    before = killer.killed;
    const at = firstDay.add({ hours: 24 * outcome.runs });
    killer.reload();
    const finished = await execute(stack, deployed, at);
    killer.rest();
    // A run that was given up is triggered again: it continues where it stopped.
    if (!finished) await execute(stack, deployed, at);
    const accepted = await acceptedSince(seen, deployed);
    outcome.faults.push(...faultsOf(await receiptOf(deployed, at), accepted));
    outcome.accepted += accepted.length;
    outcome.kills = killer.killed;
  }
  return outcome;
}

async function execute(stack: Synthesized, deployed: Deployed, at: Temporal.Instant): Promise<boolean> {
  const input = scheduledInput(stack, report, at.toString());
  const { status, result } = await deployed.lambda.executeDurable(stack.functions.run, input);
  await deployed.ses.eventsSettled();
  return status === 'SUCCEEDED' && failureIn(result) === null;
}

/**
 * Who got two of one run; messages that were accepted and the ledger does not call sent once the events are in, but for cards, whose
 * outcome may stay unknown; messages that nobody handed over, and that are not unknown; a receipt that does not balance.
 */
function faultsOf({ run, messages, balance }: Receipt, accepted: readonly string[]): string[] {
  const faults = messages.flatMap(({ to, outcome }) => {
    const times = accepted.filter((each) => each === to).length;
    const isSettled = outcome === 'sent' || (!to.includes('@') && outcome === 'unknown');
    if (times > 1) return `${run} ${to} twice`;
    if (times === 1) return isSettled ? [] : `${run} ${to} accepted, and ${outcome}`;
    return outcome === 'unknown' ? [] : `${run} ${to} not accepted, and ${outcome}`;
  });
  return balance.balanced ? faults : [...faults, `${run} does not balance`];
}

/** To whom mails went and which channels took cards, as receipts name them, beside those that were seen before. */
async function acceptedSince(seen: Set<string>, { outDir }: Deployed): Promise<string[]> {
  const mails = await readMails(outDir, seen);
  const names = (await namesIn(outDir)).filter((name) => name.endsWith('.card.json') && !seen.has(name));
  const posted = names.flatMap((file) => channels.filter(({ name }) => file.includes(`.${name}.`)));
  for (const name of names) seen.add(name);
  return [...mails.map(({ to }) => to), ...posted.map(({ kind, name }) => `${kind}:${name}`)];
}

async function receiptOf({ table }: Deployed, at: Temporal.Instant): Promise<Receipt> {
  const day = at.subtract({ hours: 24 }).toZonedDateTimeISO('UTC').toPlainDate().toString();
  const run = await requireRun(table, report, { kind: 'day', startDate: day });
  return await readReceipt(table, run, Date.now());
}

/** `node test/bench/crash.ts [seed] [kills]`: a kill takes a second or two, until the run goes on in a new process. */
if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
  const wanted = Number(process.argv[3] ?? 60);
  const outcome = await crash(wanted, seed);
  console.log(JSON.stringify({ seed, ...outcome }, null, 2));
  process.exitCode = outcome.kills === wanted && outcome.faults.length === 0 ? 0 : 1;
}
