import { CommanderError, Help, type Command } from 'commander';
import { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';
import { TemplateError } from '../../build/template-error.ts';
import { LocalError } from '../../local/local-error.ts';
import { refuseFlagsOfNpm } from '../../local/command-line/npm-flags.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import type { CommandResult } from './answer.ts';

/** Errors of the AWS clients where nobody is signed in, or no longer. */
const notSignedIn = new Set([
  'CredentialsProviderError',
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
]);

/** Errors whose messages are for operators. By their names: their modules are loaded by the commands that need them alone. */
const forOperators = new Set(['StackError']);

/** Prints the answer of a command. */
export type PrintAnswer = (answer: CommandResult, options: { json: boolean }) => void;

/** Runs the `ops` program and returns its exit code: 64 for wrong use, else the code of the command's answer. */
export async function runProgram(build: (print: PrintAnswer) => Command, args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  endQuietlyWithoutReader();
  const program = build((answer, { json }) => {
    process.stdout.write(json ? `${JSON.stringify(answer.json, null, 2)}\n` : `${answer.lines.join('\n')}\n`);
    code = answer.code;
  });
  const withoutCommand = args[0] === undefined || (args[0].startsWith('-') && !/^(?:-h|--help)$/.test(args[0]));
  try {
    refuseFlagsOfNpm({ flags: flagsOf(program), args, environment: process.env });
    await program.parseAsync(withoutCommand ? ['status', ...args] : [...args], { from: 'user' });
    return code;
  } catch (error) {
    const { message, code: failed } = describeError(error);
    if (message === null) return failed;
    // Without a command the status is shown; where there is none to show, what can be done is.
    if (args.length === 0) process.stdout.write(overviewOf(program));
    process.stderr.write(`${message}\n`);
    // A program that reads the answer gets one, whatever went wrong.
    if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { message } }, null, 2)}\n`);
    return failed;
  }
}

/** The names of the flags of all commands, without dashes. */
function flagsOf(program: Command): string[] {
  return program.commands.flatMap(({ options }) => options.flatMap(({ long }) => long?.slice('--'.length) ?? []));
}

/** The commands of a program in a few lines, and where its help is. */
function overviewOf(program: Command): string {
  const names = program.commands.map((command) => command.name()).join(', ');
  const lines = [
    `Usage: npm run ops -- ${program.usage()}`,
    new Help().boxWrap(`Commands: ${names}`, 80),
    'For help: npm run ops -- --help, or npm run ops -- COMMAND --help',
  ];
  return `${lines.join('\n')}\n`;
}

/** Ends this process where nobody reads its output any more, as in `… | head`: that is no failure. */
function endQuietlyWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? exitCodes.done);
  });
}

/** What is said of an error, and the exit code; nothing is said where commander has said it. Throws what nobody expects. */
function describeError(error: unknown): { message: string | null; code: number } {
  // Commander has printed what is wrong; it also throws after printing help that was asked for.
  if (error instanceof CommanderError) {
    return { message: null, code: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  }
  if (error instanceof UsageError || error instanceof ConfigurationError || error instanceof TemplateError) {
    return { message: error.message, code: exitCodes.usage };
  }
  if (error instanceof LocalError) return { message: error.message, code: exitCodes.noDigest };
  if (!(error instanceof Error)) throw error;
  if (forOperators.has(error.name)) return { message: error.message, code: exitCodes.noDigest };
  if (notSignedIn.has(error.name)) {
    const message = 'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE. Or try --local.';
    return { message, code: exitCodes.noDigest };
  }
  if (error.message === 'Region is missing' || error.message.startsWith('Region not accepted')) {
    return { message: 'There is no valid AWS region: set AWS_REGION. Or try --local.', code: exitCodes.usage };
  }
  // The message of an AWS service names the action and the resource that it refused.
  if ('$metadata' in error) return { message: `${error.name}: ${error.message}`, code: exitCodes.noDigest };
  throw error;
}
