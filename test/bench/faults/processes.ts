import { startStage } from '../../support/faulty-account/collect-alone.ts';
import { documented } from '../../support/faulty-account/deviation.ts';
import { runTwoProcesses } from '../../support/faulty-account/two-processes.ts';

const mebibyte = 1024 * 1024;

/** Two processes with one ledger and tokens of two seconds. Whether no refresh token was used twice, and nothing failed. */
export async function shareTokens(seconds: number): Promise<boolean> {
  const stage = await startStage();
  try {
    const { requests, renewals, refusedOnce, refreshTokensUsedTwice, failures } = await runTwoProcesses(stage, seconds);
    console.log(
      `tokens: ${seconds} s, 2 processes, ${requests} requests, ${renewals} renewals; ${refreshTokensUsedTwice} refresh ` +
        `tokens used twice, ${refusedOnce} requests refused once, ${failures.length} refused again or failed`,
    );
    return refreshTokensUsedTwice === 0 && failures.length === 0;
  } finally {
    await stage.close();
  }
}

/** A list of more than 100,000 recipients against the same run without it. Whether it costs less than 64 MiB. */
export async function weighLongList(): Promise<boolean> {
  const stage = await startStage();
  try {
    const without = await stage.collect({ deviation: documented, collection: 'plain' });
    const withIt = await stage.collect({ deviation: { ...documented, times: 4_000 }, collection: 'large' });
    const cost = (withIt.peakRss - without.peakRss) / mebibyte;
    const [peak, empty] = [withIt.peakRss, without.peakRss].map((bytes) => (bytes / mebibyte).toFixed(0));
    console.log(
      `memory: ${cost.toFixed(1)} MiB for a list of 100,000 (peak ${peak} MiB, without it ${empty} MiB; limit 64)`,
    );
    return cost < 64;
  } finally {
    await stage.close();
  }
}
