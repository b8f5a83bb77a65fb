import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { good, look, type Finding } from '../finding.ts';
import { negligibleSkewMs } from '../tokens.ts';

const dated = v.object({ response: v.object({ headers: v.object({ date: v.string() }) }) });

/**
 * Which account and region the operator's AWS configuration leads to, and whether this machine's clock agrees with
 * AWS's: commands without `--at` mean the latest instant by this clock. The caller is not named, since the name of a
 * session is often an address.
 *
 * @param clock the time of this machine, in epoch milliseconds
 */
export async function examineCaller(sts: STSClient, clock: () => number): Promise<Finding[]> {
  const command = new GetCallerIdentityCommand({});
  let skewMs: number | null = null;
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = v.safeParse(dated, result);
      if (answer.success) skewMs = clock() - Date.parse(answer.output.response.headers.date);
      return result;
    },
    { step: 'deserialize', name: 'readDate' },
  );
  const { Account = 'unknown' } = await sts.send(command);
  const found = good('account', `This is account ${Account}, region ${await sts.config.region()}.`);
  return [found, ...describeClock(skewMs)];
}

function describeClock(skewMs: number | null): Finding[] {
  if (skewMs === null || Number.isNaN(skewMs)) return [];
  if (Math.abs(skewMs) < negligibleSkewMs) return [good('clock', "This machine's clock agrees with AWS's.")];
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const found = `This machine's clock is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} AWS's: set it.`;
  return [look('clock', found)];
}
