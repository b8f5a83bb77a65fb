import { stackName } from '../environment-name.ts';
import { openCloudFormation, placeIn, runCdk, say, sayHowToSignIn } from './cdk.ts';
import { findFailedCreation, unprotect } from './failed-creation.ts';

/** `npm run deploy -- FLAGS`: `cdk deploy` with these flags, which refuses settings that are not finished. */
async function deploy(flags: readonly string[]): Promise<number> {
  const trouble = await clearFailedCreation(flags).then(
    () => '',
    // Most trouble the CDK meets as well, and names it.
    (error: unknown) => (error instanceof Error ? error.name : ''),
  );
  const code = await runCdk(['deploy', '-c', 'deploying=true', ...flags]);
  if (code === 0) return 0;
  // The CDK has a role of its own for what it does.
  if (trouble.startsWith('AccessDenied')) {
    say('If it says that the stack cannot be deleted, turn its protection off, as a user with the right to do that:');
    say('aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name STACK');
  }
  sayHowToSignIn(trouble);
  return code;
}

/**
 * The CDK deletes a stack whose creation failed before it creates it anew, and cannot do so while the stack is protected
 * from deletion.
 */
async function clearFailedCreation(flags: readonly string[]): Promise<void> {
  const { environment } = placeIn(flags);
  const client = openCloudFormation(flags);
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

process.exitCode = await deploy(process.argv.slice(2));
