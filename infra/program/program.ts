import type { AgentOptions } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { Command, CommanderError } from 'commander';
import { exitCodes, printable, printableJson, printableLines, UsageError } from './command-line/result.ts';
import { commonFlags, type Print } from './command-line/command.ts';
import { maskAddresses, refuseFlagsOfNpm } from './command-line/flags.ts';

/** The commands, as help lists them. Only what is called is loaded: to load all takes as long as many a command does. */
const commands = {
  status: () => import('./commands/status.ts'),
  doctor: () => import('./commands/doctor.ts'),
  sender: () => import('./commands/sender.ts'),
  run: () => import('./commands/run.ts'),
  release: () => import('./commands/release.ts'),
  discard: () => import('./commands/discard.ts'),
  test: () => import('./commands/test.ts'),
  runs: () => import('./commands/runs.ts'),
  show: () => import('./commands/show.ts'),
  subscribers: () => import('./commands/subscribers.ts'),
  addresses: () => import('./commands/addresses.ts'),
  recover: () => import('./commands/recover.ts'),
  pause: () => import('./commands/pause.ts'),
  resume: () => import('./commands/resume.ts'),
  secret: () => import('./commands/secret.ts'),
  note: () => import('./commands/note.ts'),
  pages: () => import('./commands/pages.ts'),
  retire: () => import('./commands/retire.ts'),
  start: () => import('./commands/start.ts'),
};

/**
 * `npm start` and `npm run ops`: the command that is `called`, else all of them, with their flags. Each prints its answer
 * through `print`.
 */
export async function buildProgram(print: Print, called?: string): Promise<Command> {
  const program = new Command('npm run ops --')
    .description('Everything that operators do with a deployed stack, or with the local system (--local).')
    .usage('COMMAND [flags]')
    .configureHelp({ helpWidth: 80, subcommandTerm: (subcommand) => subcommand.name() })
    .showHelpAfterError('For help: npm run ops -- --help')
    .configureOutput({ outputError: (text, write) => write(printableLines(maskAddresses(text))) })
    .exitOverride()
    .addHelpText('after', codes);
  const all = Object.entries(commands);
  const named = all.filter(([name]) => name === called);
  for (const [name, load] of named.length > 0 ? named : all) (await load()).default(program, name, print);
  return program;
}

const codes = `
exit codes: 0 done; 1 it did not work; 64 invalid arguments;
            2 something unavailable, held, failed or unknown, or,
              with doctor --strict, worth a look`;

/** The flags of every command that have a value. */
const withValue = new Set(commonFlags.flatMap(({ long, required }) => (required ? long : [])));

/**
 * The words of a call with its command before all flags, by default `status`. The command is the first word that is no flag's
 * value: what follows a flag that is not every command's may be one, unless it is a command's name.
 */
function commandFirst(args: readonly string[]): string[] {
  if (/^(?:-h|--help)$/.test(args[0] ?? '')) return [...args];
  const words = [...args.keys()].filter((index) => !args[index]?.startsWith('-') && !withValue.has(args[index - 1]));
  const [first = -1] = words;
  const place =
    words.find((index) => Object.hasOwn(commands, args[index] ?? '') || !args[index - 1]?.startsWith('-')) ?? first;
  return [args[place] ?? 'status', ...args.filter((_, index) => index !== place)];
}

/** Runs the program and returns its exit code: 64 for wrong use, else the code of the command's answer. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const print: Print = (answer, { json }) => {
    process.stdout.write(`${json ? printableJson(answer.json) : answer.lines.map(printable).join('\n')}\n`);
    code = answer.code;
  };
  const words = commandFirst(args);
  const program = await buildProgram(print, words[0]);
  const isStart = args[0] === 'start';
  try {
    const options = program.commands.flatMap((command) => command.options);
    refuseFlagsOfNpm(options, isStart ? args.slice(1) : args, process.env);
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { message, code: failed } = describeError(error);
    // Without a command the status is shown; where there is none to show, what can be done is.
    if (args.length === 0) process.stdout.write((await buildProgram(print)).helpInformation());
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError) || error instanceof UsageError)
      process.stderr.write(`${printableLines(message)}\n`);
    // A program that reads the answer gets one, whatever went wrong; that of `npm start` reads a receipt.
    if (args.includes('--json') && !isStart) process.stdout.write(`${printableJson({ error: { message } })}\n`);
    return failed;
  }
}

// Errors are told by their names: their modules are loaded by the commands that need them alone.

/** Errors of what the caller wrote, whose messages name every fault. */
const wrongUse = new Set(['ConfigurationError', 'TemplateError']);

/** Other errors whose messages are for operators. */
const forOperators = new Set(['LocalError', 'StackError', 'ledger-shape', 'hash-key-missing', 'older-digest']);

/** Errors of the AWS clients where nobody is signed in, or no longer. */
const notSignedIn = /^(?:CredentialsProviderError|ExpiredToken(?:Exception)?|UnrecognizedClientException)$/;

/** What is said of an error, and the exit code. Throws what nobody expects. */
function describeError(error: unknown): { message: string; code: number } {
  if (error instanceof CommanderError) {
    const message = error instanceof UsageError ? `error: ${error.message}` : error.message;
    return { message: maskAddresses(message), code: exitCodes.usage };
  }
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  if (wrongUse.has(name)) return { message, code: exitCodes.usage };
  if (forOperators.has(name)) return { message, code: exitCodes.noDigest };
  const signIn = 'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE. Or try --local.';
  if (notSignedIn.test(name)) return { message: signIn, code: exitCodes.noDigest };
  const setRegion = 'There is no valid AWS region: set AWS_REGION. Or try --local.';
  if (/^Region (?:is missing$|not accepted)/.test(message)) return { message: setRegion, code: exitCodes.usage };
  // The message of an AWS service names the action and the resource that it refused.
  if ('$metadata' in error) return { message: `${name}: ${message}`, code: exitCodes.noDigest };
  throw error;
}

/**
 * Has agents for https that somebody makes go through the proxy, as fetch and Node's own agent do. The AWS clients make theirs,
 * and so do those by which they sign in, which no setting of a client reaches.
 */
async function followProxy(): Promise<void> {
  const { default: https } = await import('node:https');
  const { proxyEnv } = https.globalAgent.options;
  class ProxyAgent extends https.Agent {
    constructor(options?: AgentOptions) {
      super({ proxyEnv, ...options });
    }
  }
  Object.assign(https, { Agent: ProxyAgent });
  syncBuiltinESMExports();
}

if (import.meta.main) {
  if (process.env['NODE_USE_ENV_PROXY'] === '1') await followProxy();
  // Ledger, mails and logs have addresses in them: nobody else on this machine reads what is written here.
  process.umask(0o077);
  // Nobody reads the output any more, as in `… | head`: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.exitCode = await runProgram(process.argv.slice(2));
}
