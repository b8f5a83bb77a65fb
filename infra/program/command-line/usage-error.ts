import { InvalidArgumentError } from 'commander';

/**
 * Wrong use of a command: nothing was asked and nothing written. Where it is thrown while a flag's value is read, commander
 * puts the flag in front of the message.
 */
export class UsageError extends InvalidArgumentError {
  override readonly name = 'UsageError';
}

/** A text without what may be an address: errors never repeat one. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s'"=]*@(?:[^\s'"]*[^\s'".])?/g, '…');
}
