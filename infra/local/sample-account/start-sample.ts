import { startSampleAccount, type SampleAccount } from './server.ts';

/** Starts the sample account as it is at `asOf`, to be closed with the other things that were started. */
export async function startSample(asOf: string, started: AsyncDisposableStack): Promise<SampleAccount> {
  return started.adopt(await startSampleAccount({ asOf }), (sample) => sample.close());
}
