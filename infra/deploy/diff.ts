import { openCloudFormation, runCdk, sayHowToSignIn } from './cdk.ts';

/** `npm run diff -- FLAGS`: `cdk diff` with these flags. Where nobody is signed in to AWS, it says how to. */
async function diff(flags: readonly string[]): Promise<number> {
  const code = await runCdk(['diff', ...flags]);
  if (code !== 0) sayHowToSignIn(await findCredentialsError(flags));
  return code;
}

/** The name of the error of whoever asks for credentials of AWS; empty where there are some. */
async function findCredentialsError(flags: readonly string[]): Promise<string> {
  const client = openCloudFormation(flags);
  try {
    await client.config.credentials();
    return '';
  } catch (error) {
    return error instanceof Error ? error.name : '';
  } finally {
    client.destroy();
  }
}

process.exitCode = await diff(process.argv.slice(2));
