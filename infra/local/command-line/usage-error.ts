import type { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';

/** Everything that is wrong with a call, and with the configuration it needs, in one error: nothing was asked and nothing written. `help` is the command that shows how to call. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly faults: readonly string[];

  constructor(
    faults: readonly string[],
    {
      heading = 'Invalid arguments:',
      configuration = null,
      help = null,
    }: { heading?: string; configuration?: ConfigurationError | null; help?: string | null } = {},
  ) {
    const lines = faults.length === 0 ? [] : [heading, ...faults.map((fault) => `- ${fault}`)];
    const rest = [
      ...(configuration === null ? [] : [configuration.message]),
      ...(help === null ? [] : [`For help: ${help}`]),
    ];
    super([...lines, ...rest].join('\n'));
    this.faults = faults;
  }
}

/** A word of the call for a message; never one that may be an address. */
export function shorten(word: string): string {
  return word.includes('@') ? '…' : word.slice(0, 60);
}
