import { showForeignText } from './foreign-text.ts';
import type { Language } from './language.ts';

/** The longest name in a sentence. The broadcast's own block has more of it. */
const NAME_IN_SENTENCE = 60;

/** A broadcast's name, or the words for one without. */
export function showName({ name }: { name: string | null }, { wording }: Language): string {
  return showForeignText(name) ?? wording.say('name.none');
}

/** A broadcast's name in quotation marks, for a sentence. */
export function quoteName({ name }: { name: string | null }, { wording }: Language): string {
  const shown = showForeignText(name, NAME_IN_SENTENCE);
  return shown === null ? wording.say('name.none') : wording.say('name.quoted', { name: shown });
}
