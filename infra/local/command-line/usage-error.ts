/** Everything that is wrong with a call, in one error: nothing was asked and nothing written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], heading = 'Invalid arguments:') {
    super(`${heading}\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** A word of the call for a message; never one that may be an address. */
export function shorten(word: string): string {
  return word.includes('@') ? '…' : word.slice(0, 60);
}
