import { documented, type Deviation } from '../../support/faulty-account/deviation.ts';
import {
  concurrency,
  startFaultRuns,
  type FaultRuns,
  type FaultRunOutcome,
} from '../../support/faulty-account/fault-runs.ts';
import type { Attempt } from '../../support/service/service.ts';
import { faultsOfRun } from '../../support/faulty-account/verdict.ts';
import { writeRow } from './table.ts';

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
export async function comparePace(pairs: number): Promise<boolean> {
  const faultRuns = await startFaultRuns({ service: { timeout: timeoutSeconds } });
  const ratios: number[] = [];
  let right = true;
  const measure = async (name: string, deviation: Deviation, seed: number): Promise<number> => {
    const outcome = await faultRuns.run(deviation, seed);
    const faults = faultsOfRun(outcome, faultRuns.account);
    right &&= faults.length === 0;
    const net = netSeconds(outcome);
    const verdict = `${net.toFixed(2)} s net, ${faults[0] ?? 'right'}`;
    writeRow(name, outcome.log.attempts.length, outcome.receipt.coverage.retries, outcome.seconds, verdict);
    return net;
  };
  try {
    // The functions' processes have to start once; that is no part of the comparison.
    await warmUp(faultRuns);
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

async function warmUp(faultRuns: FaultRuns): Promise<void> {
  await faultRuns.run(documented);
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
