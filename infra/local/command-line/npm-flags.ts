import { UsageError } from './usage-error.ts';

/** Flags that change what is done or where; npm keeps them as its own where they do not follow `--`. */
const flags = [
  'at',
  'aws-endpoint',
  'dry-run',
  'follow',
  'hold',
  'out',
  'report',
  'resend-unknown',
  'send-rate',
  'service-url',
  'state',
];

/**
 * Refuses a call whose flags npm kept for itself: without --hold or --dry-run mail would be sent.
 * https://docs.npmjs.com/cli/v11/using-npm/config: npm passes its flags on as variables `npm_config_<flag>`.
 *
 * @throws {UsageError} which names each of them
 */
export function refuseFlagsOfNpm(environment: NodeJS.ProcessEnv): void {
  const kept = flags.filter((flag) => environment[`npm_config_${flag.replaceAll('-', '_')}`] !== undefined);
  if (kept.length === 0) return;
  throw new UsageError(kept.map((flag) => `npm kept --${flag} for itself. Put "--" before it: npm start -- --${flag}`));
}
