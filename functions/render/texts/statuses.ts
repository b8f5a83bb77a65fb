import { showWord } from './foreign-text.ts';
import type { Language } from './language.ts';

/** A delivery's status: the language's own word for the one that the service documents, else the service's made readable. */
export function showStatus(status: string, { wording }: Language): string | null {
  return status === 'delivered' ? wording.say('status.delivered') : showWord(status, 40);
}
