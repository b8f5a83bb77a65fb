import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stackName } from '../environment-name.ts';
import { findFailedCreation, unprotect } from './failed-creation.ts';

/** `npm run deploy -- FLAGS`: `cdk deploy` with these flags, which refuses settings that are not finished. */
async function deploy(flags: readonly string[]): Promise<number> {
  const trouble = await clearFailedCreation(flags).then(
    () => '',
    // Most trouble the CDK meets as well, and names it.
    (error: unknown) => (error instanceof Error ? error.name : ''),
  );
  // Ctrl-C is for the CDK, which ends in its own way.
  process.on('SIGINT', () => undefined);
  const cdk = spawn('cdk', ['deploy', '-c', 'deploying=true', ...flags], { stdio: 'inherit' });
  const [code]: unknown[] = await once(cdk, 'close');
  if (code === 0) return 0;
  // The CDK has a role of its own for what it does.
  if (trouble.startsWith('AccessDenied')) {
    say('If it says that the stack cannot be deleted, turn its protection off, as a user with the right to do that:');
    say('aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name STACK');
  }
  if (trouble === 'CredentialsProviderError') {
    say('AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE.');
  }
  return typeof code === 'number' ? code : 1;
}

/**
 * The CDK deletes a stack whose creation failed before it creates it anew, and cannot do so while the stack is protected
 * from deletion.
 */
async function clearFailedCreation(flags: readonly string[]): Promise<void> {
  const { environment, profile } = placeIn(flags);
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
  const client = new CloudFormationClient({
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
  });
  try {
    const found = await findFailedCreation(client, stackName(environment));
    if (found === null) return;
    say(`The first deployment of ${found.stack} failed: the CDK deletes what is left of the stack, and begins again.`);
    if (found.isProtected) await unprotect(client, found.stack);
    for (const table of found.tables) say(`Its table stayed, and costs nothing while it is empty: ${table}`);
  } finally {
    client.destroy();
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The environment and the AWS profile that flags of the CDK name. */
function placeIn(flags: readonly string[]): { environment: string | undefined; profile: string | undefined } {
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

process.exitCode = await deploy(process.argv.slice(2));
