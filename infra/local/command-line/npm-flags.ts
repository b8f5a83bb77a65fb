import { shorten, UsageError } from './usage-error.ts';

/** Flags that npm takes for an abbreviation of one of its own: it passes those on instead. */
const longerNames: Readonly<Record<string, string>> = { to: 'token_description', view: 'viewer' };

/**
 * Options that npm has too. They may come from a `.npmrc` or a CI variable and cannot be told apart; without them a command
 * asks or prints text, so nothing happens that nobody wanted.
 */
const alsoOptionsOfNpm = new Set(['help', 'json', 'yes']);

interface Call {
  /** The names of the program's flags, without dashes. */
  flags: readonly string[];
  /** The words that npm passed on. */
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
}

/**
 * Refuses a call whose flags npm kept for itself because they do not follow `--`: without --hold or --dry-run mail would be sent.
 * https://docs.npmjs.com/cli/v11/using-npm/config: npm passes its flags on as variables `npm_config_<flag>`. Of `--local` it
 * passes on nothing: there it means `--no-global`.
 *
 * @throws {UsageError} with the command that was meant
 */
export function refuseFlagsOfNpm({ flags, args, environment }: Call): void {
  const candidates = [...new Set(flags)].filter((flag) => !alsoOptionsOfNpm.has(flag));
  const kept = candidates.flatMap((flag) => describeKept(flag, environment) ?? []);
  if (kept.length === 0) return;
  const event = environment['npm_lifecycle_event'] ?? 'start';
  const command = event === 'start' ? 'npm start --' : `npm run ${event} --`;
  const meant = [command, ...args.map(shorten), ...kept.map(({ words }) => words)].join(' ');
  const dropped = flags.includes('local') ? '. npm also drops --local: add it again if it was there' : '';
  throw new UsageError([
    `npm kept ${kept.map(({ name }) => name).join(', ')} for itself. Put "--" before it: ${meant}${dropped}`,
  ]);
}

/** A flag that npm kept, and how it was typed; `null` if npm did not keep it. */
function describeKept(flag: string, environment: NodeJS.ProcessEnv): { name: string; words: string } | null {
  const isNegative = flag.startsWith('no-');
  const word = isNegative ? flag.slice('no-'.length) : flag;
  const longer = longerNames[word];
  const value =
    environment[`npm_config_${word.replaceAll('-', '_')}`] ??
    (longer === undefined ? undefined : environment[`npm_config_${longer}`]);
  const name = `--${flag}`;
  if (value === undefined) return null;
  if (isNegative) return value === '' || value === 'false' ? { name, words: name } : null;
  return { name, words: value === '' || value === 'true' ? name : `${name} ${shorten(value)}` };
}
