import { UsageError, withoutAddresses } from './usage-error.ts';

/** Flags that npm takes for an abbreviation of one of its own: it passes those on instead. */
const longerNames: Readonly<Record<string, string>> = { to: 'token_description', view: 'viewer' };

/**
 * Options that npm has too. They may come from a `.npmrc` or a CI variable and cannot be told apart; without them a command
 * asks or prints text, so nothing happens that nobody wanted.
 */
const alsoOptionsOfNpm = new Set(['help', 'json', 'yes']);

/**
 * Refuses a call whose flags npm kept for itself because they do not follow `--`: without --hold or --dry-run mail would be sent.
 * https://docs.npmjs.com/cli/v11/using-npm/config: npm passes its flags on as variables `npm_config_<flag>`. Of `--local` it
 * passes on nothing: there it means `--no-global`.
 *
 * @param flags the names of the program's flags, without dashes
 * @param words what npm passed on, without the name of its script
 * @throws {UsageError} with the command that was meant
 */
export function refuseFlagsOfNpm(flags: readonly string[], words: readonly string[], env: NodeJS.ProcessEnv): void {
  const candidates = [...new Set(flags)].filter((flag) => !alsoOptionsOfNpm.has(flag));
  const kept = candidates.flatMap((flag) => describeKept(flag, env) ?? []);
  if (kept.length === 0) return;
  const event = env['npm_lifecycle_event'] ?? 'start';
  const command = event === 'start' ? 'npm start --' : `npm run ${event} --`;
  const meant = [command, ...words, ...kept.map(({ typed }) => typed)].join(' ');
  const dropped = event === 'start' ? '' : '. npm also drops --local: add it again if it was there';
  const names = kept.map(({ name }) => name).join(', ');
  throw new UsageError(withoutAddresses(`npm kept ${names} for itself. Put "--" before it: ${meant}${dropped}`));
}

/** A flag that npm kept, and how it was typed; `null` if npm did not keep it. */
function describeKept(flag: string, env: NodeJS.ProcessEnv): { name: string; typed: string } | null {
  const isNegative = flag.startsWith('no-');
  const word = isNegative ? flag.slice('no-'.length) : flag;
  const longer = longerNames[word];
  const value =
    env[`npm_config_${word.replaceAll('-', '_')}`] ?? (longer === undefined ? undefined : env[`npm_config_${longer}`]);
  const name = `--${flag}`;
  if (value === undefined) return null;
  if (isNegative) return value === '' || value === 'false' ? { name, typed: name } : null;
  return { name, typed: value === '' || value === 'true' ? name : `${name} ${value}` };
}
