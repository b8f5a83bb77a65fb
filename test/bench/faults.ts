// The collector against a faulty service: node test/bench/faults.ts [matrix|pace|tokens|memory|accounts ...] [--seeds N] [--seconds N] [--cases N]
import { parseArgs } from 'node:util';
import { startCheck } from '../support/accounts/check.ts';
import {
  combine,
  documented,
  mixtures,
  switches,
  type Deviation,
  type Mixture,
} from '../support/faulty-account/deviation.ts';
import { concurrency, startFaultRuns, type FaultRunOutcome } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';
import type { Attempt } from '../support/service/service.ts';

const mixturesOfSeed = 20;

/** Runs every switch alone, and mixtures of them, under one seed. Prints a row each; gives how many were wrong. */
async function runMatrix(seed: number): Promise<number> {
  const faultRuns = await startFaultRuns();
  const alone: Mixture[] = switches.map((one) => ({ name: one.name, seed, chosen: [one] }));
  let wrong = 0;
  try {
    for (const { name, seed: own, chosen } of [...alone, ...mixtures(seed * 1_000, mixturesOfSeed)]) {
      const outcome = await faultRuns.run(combine(chosen), own);
      const faults = faultsOfRun(outcome);
      const { retries } = outcome.receipt.coverage;
      writeRow(`${seed}  ${name}`, outcome.log.attempts.length, retries, outcome.seconds, faults[0] ?? 'right');
      if (faults.length > 0) wrong += 1;
    }
  } finally {
    await faultRuns.close();
  }
  return wrong;
}

/** Long lists in short pages: about a thousand requests a run. */
const many: Deviation = { ...documented, paging: 'link', rowsOfPage: 9, latencyMs: 50 };
const timeoutSeconds = 2;
const share = 0.07;
const limit = 1.5;

/**
 * Compares runs of a thousand requests, of which 7 % fail in every way, with clean ones at the same latency: the median
 * of the ratios of neighbouring runs, net of waits that the service asked for and of timeouts. Whether it is below 1.5,
 * and every run right.
 */
async function comparePace(pairs: number): Promise<boolean> {
  const faultRuns = await startFaultRuns({ service: { timeout: timeoutSeconds } });
  const ratios: number[] = [];
  let right = true;
  const measure = async (name: string, deviation: Deviation, seed: number): Promise<number> => {
    const outcome = await faultRuns.run(deviation, seed);
    const faults = faultsOfRun(outcome);
    right &&= faults.length === 0;
    const net = netSeconds(outcome);
    const verdict = `${net.toFixed(2)} s net, ${faults[0] ?? 'right'}`;
    writeRow(name, outcome.log.attempts.length, outcome.receipt.coverage.retries, outcome.seconds, verdict);
    return net;
  };
  try {
    // The functions' threads have to start once; that is no part of the comparison.
    await faultRuns.run(documented);
    for (let pair = 1; pair <= pairs; pair += 1) {
      const clean = await measure('pace, clean', many, pair);
      const faulty = await measure('pace, 7 % failing', { ...many, failures: { kind: 'chance', share } }, pair);
      ratios.push(faulty / clean);
    }
  } finally {
    await faultRuns.close();
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Infinity;
  console.log(`pace: ${median.toFixed(2)} times the clean run (limit ${limit})`);
  return right && median < limit;
}

/** Milliseconds between two samples. */
const stepMs = 2;
/** How long the service asks to wait, in each of its refusals that ask for a wait. */
const askedPauseMs = 1_000;

/**
 * The seconds of a run without those that it could only wait: a requested pause or a time-out was running, and nothing
 * else was under way. A request that hangs beside others keeps one of the places from them.
 */
function netSeconds({ log, seconds, deviation }: FaultRunOutcome): number {
  const first = Math.min(...log.attempts.map(({ at }) => at)) - deviation.latencyMs;
  const steps = Math.ceil((seconds * 1_000) / stepMs);
  const busy = new Uint8Array(steps);
  const waiting = new Uint8Array(steps);
  const hanging = new Uint8Array(steps);
  const mark = (series: Uint8Array, fromMs: number, toMs: number): void => {
    const end = Math.min(steps, Math.ceil((toMs - first) / stepMs));
    for (let step = Math.max(0, Math.floor((fromMs - first) / stepMs)); step < end; step += 1)
      series[step] = (series[step] ?? 0) + 1;
  };
  for (const attempt of log.attempts) {
    const { at } = attempt;
    mark(busy, at - deviation.latencyMs, at);
    if (asksForPause(attempt)) mark(waiting, at, at + askedPauseMs);
    if (attempt.outcome === 'hang') mark(hanging, at, at + timeoutSeconds * 1_000);
  }
  let waitedSteps = 0;
  for (let step = 0; step < steps; step += 1) {
    const idle = busy[step] === 0 && (waiting[step] !== 0 || hanging[step] !== 0);
    waitedSteps += idle ? 1 : (hanging[step] ?? 0) / concurrency;
  }
  return seconds - (waitedSteps * stepMs) / 1_000;
}

function asksForPause({ outcome }: Attempt): boolean {
  return outcome === '429 with seconds' || outcome === '429 with a date';
}

/** More than a worker needs for a phase. */
const remainingMs = 900_000;

/** Two workers in processes of their own, with one ledger and tokens of two seconds. Whether no refresh token was used twice, and nothing failed. */
async function shareTokens(seconds: number): Promise<boolean> {
  const faultRuns = await startFaultRuns({ worker: { remainingMs } });
  try {
    const receipts = await faultRuns.runTwoAtOnce({ ...documented, tokens: 'two seconds', latencyMs: 20 }, seconds);
    const { attempts, authority } = faultRuns.account.log();
    const renewals = attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh').length;
    const refused = attempts.filter(({ outcome }) => outcome === '401').length;
    const failed = receipts.filter(({ state, coverage }) => state !== 'done' || coverage.unavailable.length > 0).length;
    console.log(
      `tokens: ${seconds} s, 2 workers, ${receipts.length} runs, ${attempts.length} requests, ${renewals} renewals; ` +
        `${authority.reused} refresh tokens used twice, ${refused} requests refused once, ${failed} runs failed`,
    );
    return authority.reused === 0 && failed === 0;
  } finally {
    await faultRuns.close();
  }
}

/** A list of more than 100,000 recipients against the same run without it. Whether it costs less than 64 MiB. */
async function weighLongList(): Promise<boolean> {
  const faultRuns = await startFaultRuns({ worker: { remainingMs } });
  try {
    const peakWith = async (deviation: Deviation): Promise<number> => {
      await faultRuns.run(deviation);
      return (await faultRuns.workerUse()).peakMiB;
    };
    const without = await peakWith(documented);
    const withIt = await peakWith({ ...documented, times: 4_000 });
    console.log(
      `memory: ${(withIt - without).toFixed(1)} MiB for a list of 100,000 (peak ${withIt.toFixed(0)} MiB, ` +
        `without it ${without.toFixed(0)} MiB; limit 64)`,
    );
    return withIt - without < 64;
  } finally {
    await faultRuns.close();
  }
}

const casesOfSeed = 1_000;

/** Runs so many generated accounts, a thousand a seed, most for several periods. Whether every figure is right or named as missing. */
async function checkAccounts(cases: number): Promise<boolean> {
  const check = await startCheck();
  const begun = performance.now();
  let right = true;
  for (let run = 0; run < cases; run += casesOfSeed) {
    const fault = await check.run({ seed: run / casesOfSeed + 1, cases: Math.min(casesOfSeed, cases - run) });
    if (fault !== null) console.log(`accounts: ${fault}`);
    right &&= fault === null;
  }
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`accounts: ${cases} cases in ${seconds.toFixed(0)} s, ${right ? 'all right' : 'some wrong'}`);
  return right;
}

const widths = [76, 10, 9, 9];

/** The head of the table. */
function writeHead(): void {
  writeCells(['seed  switch', 'requests', 'retries', 'seconds', 'verdict']);
}

/** A row of the table. */
function writeRow(name: string, requests: number, retries: number, seconds: number, verdict: string): void {
  writeCells([name, String(requests), String(retries), seconds.toFixed(2), verdict]);
}

function writeCells([name = '', ...cells]: readonly string[]): void {
  const numbers = cells.map((cell, index) =>
    widths[index + 1] === undefined ? `  ${cell}` : cell.padStart(widths[index + 1] ?? 0),
  );
  console.log(name.padEnd(widths[0] ?? 0) + numbers.join(''));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    cases: { type: 'string', default: '10000' },
  },
});
const parts = positionals.length === 0 ? ['matrix', 'pace', 'tokens', 'memory', 'accounts'] : positionals;
const seeds = Number(values.seeds);
let right = true;

writeHead();
if (parts.includes('matrix')) {
  let wrong = 0;
  for (let seed = 1; seed <= seeds; seed += 1) wrong += await runMatrix(seed);
  console.log(`matrix: ${seeds} seeds, ${wrong} wrong`);
  right &&= wrong === 0;
}
if (parts.includes('pace')) right = (await comparePace(5)) && right;
if (parts.includes('tokens')) right = (await shareTokens(Number(values.seconds))) && right;
if (parts.includes('memory')) right = (await weighLongList()) && right;
if (parts.includes('accounts')) right = (await checkAccounts(Number(values.cases))) && right;
process.exitCode = right ? 0 : 1;
