import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';

/** Runs the CDK with these arguments and returns its exit code. Ctrl-C is for the CDK, which ends in its own way. */
export async function runCdk(args: readonly string[]): Promise<number> {
  process.on('SIGINT', () => undefined);
  const cdk = spawn('cdk', args, { stdio: 'inherit' });
  const [code]: unknown[] = await once(cdk, 'close');
  return typeof code === 'number' ? code : 1;
}

/** A client of CloudFormation in the region of the environment, under the AWS profile that flags of the CDK name. */
export function openCloudFormation(flags: readonly string[]): CloudFormationClient {
  const { profile } = placeIn(flags);
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  return new CloudFormationClient({
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
  });
}

/** The environment and the AWS profile that flags of the CDK name. */
export function placeIn(flags: readonly string[]): { environment: string | undefined; profile: string | undefined } {
  const { values } = parseArgs({
    args: [...flags],
    strict: false,
    allowPositionals: true,
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
  });
  const pairs = (values.context ?? []).map((pair) => String(pair).split('='));
  return {
    environment: pairs.findLast(([key]) => key === 'env')?.[1],
    profile: typeof values.profile === 'string' ? values.profile : undefined,
  };
}

/** Says on standard error how to sign in, where an error of an AWS client, by its name, is that nobody has. */
export function sayHowToSignIn(errorName: string): void {
  if (errorName !== 'CredentialsProviderError') return;
  say('AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE.');
}

/** Writes a line to standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
