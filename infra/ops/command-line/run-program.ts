import { CommanderError, type Command } from 'commander';
import { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';
import { StateInUseError } from '../../local/emulators/state-lock.ts';
import { storageErrorOf } from '../../local/emulators/storage-error.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import type { CommandResult } from './answer.ts';
import { StackError } from '../targets/stack-outputs.ts';

/** Errors of the AWS clients where nobody is signed in, or no longer. */
const notSignedIn = new Set([
  'CredentialsProviderError',
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
]);

/** Prints the answer of a command. */
export type PrintAnswer = (answer: CommandResult, options: { json: boolean }) => void;

/** Runs the `ops` program and returns its exit code: 64 for wrong use, else the code of the command's answer. */
export async function runProgram(build: (print: PrintAnswer) => Command, args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const program = build((answer, { json }) => {
    process.stdout.write(json ? `${JSON.stringify(answer.json, null, 2)}\n` : `${answer.lines.join('\n')}\n`);
    code = answer.code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return codeOfError(error);
  }
}

function codeOfError(error: unknown): number {
  // Commander has printed what is wrong; it also throws after printing help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof UsageError || error instanceof ConfigurationError) return say(error.message, exitCodes.usage);
  const storage = storageErrorOf(error);
  if (storage !== null) return say(storage.message, exitCodes.noDigest);
  if (error instanceof StateInUseError || error instanceof StackError) return say(error.message, exitCodes.noDigest);
  if (!(error instanceof Error)) throw error;
  if (notSignedIn.has(error.name)) {
    return say(
      'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE. Or try --local.',
      exitCodes.noDigest,
    );
  }
  if (error.message === 'Region is missing') {
    return say('No AWS region is set: set AWS_REGION. Or try --local.', exitCodes.usage);
  }
  // The message of an AWS service names the action and the resource that it refused.
  if ('$metadata' in error) return say(`${error.name}: ${error.message}`, exitCodes.noDigest);
  throw error;
}

function say(message: string, code: number): number {
  process.stderr.write(`${message}\n`);
  return code;
}
