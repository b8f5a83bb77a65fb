import { Temporal } from 'temporal-polyfill';
import { messageKey, readMessages } from '../../functions/ledger/runs/messages.ts';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { failureIn } from '../../functions/run/failure.ts';
import { configurationWith } from '../support/configuration.ts';
import { accessKeyIdOfFunction, type AwsCall } from '../support/aws/aws-front.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { drawsOf } from '../support/faulty-account/faulty-account.ts';
import { namesIn, readMails } from '../support/start-folders.ts';
import { deploy, scheduledInput, synthesize, type Deployed, type Synthesized } from '../support/aws/deployed.ts';
import { inTemporaryFolder } from './measurement.ts';

/** The outcome of runs whose process was killed again and again. */
export interface CrashOutcome {
  kills: number;
  runs: number;
  /** Mails that SES accepted and cards that channels did. */
  accepted: number;
  /**
   * Who got two of one run without an operator's request; messages that were accepted and the ledger does not call sent once
   * the events are in, but for cards, whose outcome may stay unknown; messages that nobody handed over, and that are not
   * sent although an operator requested it; receipts that do not balance.
   */
  faults: string[];
}

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
export async function crash(kills: number, seed: number): Promise<CrashOutcome> {
  await using account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
  return await inTemporaryFolder(async (folder) => {
    const stack = await synthesize(configurationFor(account.url), folder);
    const { run } = stack.functions;
    const killer = createKiller(kills, drawsOf(seed), () => deployed.lambda.kill(run));
    const onCall = ({ accessKeyId, action }: AwsCall): void => {
      if (accessKeyId === accessKeyIdOfFunction(run)) killer.onCall(action);
    };
    const deployed: Deployed = await deploy(stack, { credentials: account.credentials, onCall });
    try {
      return await runUntilKilled(stack, deployed, killer);
    } finally {
      await deployed.close();
    }
  });
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

async function runUntilKilled(stack: Synthesized, deployed: Deployed, killer: Killer): Promise<CrashOutcome> {
  const outcome: CrashOutcome = { kills: 0, runs: 0, accepted: 0, faults: [] };
  const seen = new Set<string>();
  for (let before = -1; killer.killed > before || outcome.runs < 3; outcome.runs += 1) {
    before = killer.killed;
    const at = firstDay.add({ hours: 24 * outcome.runs });
    killer.reload();
    const finished = await execute(stack, deployed, at, {});
    killer.rest();
    // A run that was given up is triggered again: it continues where it stopped.
    if (!finished) await execute(stack, deployed, at, {});
    await judge(stack, deployed, at, { seen, outcome });
    outcome.kills = killer.killed;
  }
  return outcome;
}

async function execute(stack: Synthesized, deployed: Deployed, at: Temporal.Instant, more: object): Promise<boolean> {
  const input = scheduledInput(stack, report, at.toString());
  const { status, result } = await deployed.lambda.executeDurable(stack.functions.run, { ...Object(input), ...more });
  await deployed.ses.eventsSettled();
  return status === 'SUCCEEDED' && failureIn(result) === null;
}

async function judge(
  stack: Synthesized,
  deployed: Deployed,
  at: Temporal.Instant,
  { seen, outcome }: { seen: Set<string>; outcome: CrashOutcome },
): Promise<void> {
  const first = await acceptedSince(seen, deployed);
  const before = await receiptOf(deployed, at);
  outcome.accepted += first.length;
  for (const { to, outcome: reported } of before.messages) {
    const times = first.filter((each) => each === to).length;
    const isSettled = reported === 'sent' || (isCard(to) && reported === 'unknown');
    if (times > 1) outcome.faults.push(`${before.run} ${to} twice`);
    if (times === 1 && !isSettled) outcome.faults.push(`${before.run} ${to} accepted, and ${reported}`);
    if (times === 0 && reported !== 'unknown') outcome.faults.push(`${before.run} ${to} not accepted, and ${reported}`);
  }
  if (!before.balance.balanced) outcome.faults.push(`${before.run} does not balance`);
  if (before.balance.unknown === 0) return;
  // An outcome that nobody can know is an operator's to request again, once the process that claimed it is surely gone.
  await ageClaims(deployed, before.run);
  await execute(stack, deployed, at, { resendUnknown: true });
  const all = [...first, ...(await acceptedSince(seen, deployed))];
  const after = await receiptOf(deployed, at);
  for (const { to, outcome: reported } of after.messages) {
    const times = all.filter((each) => each === to).length;
    // No event says that a card was posted: what an operator requested again may be the second.
    const most = isCard(to) ? 2 : 1;
    if (times < 1 || times > most || reported !== 'sent') {
      outcome.faults.push(`${after.run} ${to} ${reported} after it was requested again`);
    }
  }
}

/** To whom mails went and which channels took cards, as receipts name them, beside those that were seen before. */
async function acceptedSince(seen: Set<string>, { outDir }: Deployed): Promise<string[]> {
  const mails = await readMails(outDir, seen);
  const names = (await namesIn(outDir)).filter((name) => name.endsWith('.card.json') && !seen.has(name));
  const posted = names.flatMap((file) => channels.filter(({ name }) => file.includes(`.${name}.`)));
  for (const name of names) seen.add(name);
  return [...mails.map(({ to }) => to), ...posted.map(({ kind, name }) => `${kind}:${name}`)];
}

function isCard(to: string): boolean {
  return !to.includes('@');
}

async function ageClaims({ table }: Deployed, run: string): Promise<void> {
  for (const { id, state, claimedAt = 0 } of await readMessages(table, run)) {
    if (state === 'claimed') await table.update(messageKey(run, id), { set: { claimedAt: claimedAt - 3_600_000 } });
  }
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
