import type { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';

/** Everything that is wrong with a call, and with the configuration it needs, in one error: nothing was asked and nothing written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly faults: readonly string[];

  constructor(
    faults: readonly string[],
    {
      heading = 'Invalid arguments:',
      configuration = null,
    }: { heading?: string; configuration?: ConfigurationError | null } = {},
  ) {
    const lines = faults.length === 0 ? [] : [heading, ...faults.map((fault) => `- ${fault}`)];
    super([...lines, ...(configuration === null ? [] : [configuration.message])].join('\n'));
    this.faults = faults;
  }
}

/** A word of the call for a message; never one that may be an address. */
export function shorten(word: string): string {
  return word.includes('@') ? '…' : word.slice(0, 60);
}
