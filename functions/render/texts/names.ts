import type { Unavailable } from '../../domain/reasons.ts';
import type { TextKey } from '../../domain/wording.ts';
import { showCapitalWord, showForeignText, showWord } from './foreign-text.ts';
import type { Language } from './language.ts';

/** The words for the types of content items that are widespread. */
const typeKeys = {
  text: 'type.text',
  image: 'type.image',
  video: 'type.video',
  audio: 'type.audio',
  file: 'type.file',
  document: 'type.document',
  link: 'type.link',
  poll: 'type.poll',
  quiz: 'type.quiz',
  rating: 'type.rating',
  form: 'type.form',
  survey: 'type.survey',
  question: 'type.question',
  checklist: 'type.checklist',
  multiplechoice: 'type.multipleChoice',
} as const satisfies Record<string, TextKey>;

/** The words for a broadcast of nothing but one type. */
const onlyKeys = {
  text: 'only.text',
  image: 'only.image',
  video: 'only.video',
  audio: 'only.audio',
  file: 'only.file',
  document: 'only.document',
} as const satisfies Record<string, TextKey>;

/** The name of a content item's type: the language's own word, else the service's made readable. */
export function showType(type: string, { wording }: Language): string {
  const known = plain(type);
  if (isKey(known, typeKeys)) return wording.say(typeKeys[known]);
  return showCapitalWord(type) ?? wording.say('name.none');
}

/** What a broadcast that asks nothing consists of: "text only", or that it only informs. */
export function sayOnly(types: readonly string[], { wording }: Language): string {
  const [only = '', ...others] = new Set(types.map(plain));
  return wording.say(others.length === 0 && isKey(only, onlyKeys) ? onlyKeys[only] : 'only.several');
}

/** A type without case and separators: `multiple_choice` and `multipleChoice` are one. */
function plain(type: string): string {
  return type.toLowerCase().replaceAll(/[_\s-]+/g, '');
}

function isKey<Keys extends object>(name: string, keys: Keys): name is Extract<keyof Keys, string> {
  return Object.hasOwn(keys, name);
}

/** A delivery's status: the language's own word for the one that the service documents, else the service's made readable. */
export function showStatus(status: string, { wording }: Language): string | null {
  return status === 'delivered' ? wording.say('status.delivered') : showWord(status, 40);
}

/** Why something is not available, in a manager's words, with the HTTP status for the people whom the manager asks. */
export function sayReason(unavailable: Unavailable | undefined, { wording }: Language): string {
  if (unavailable === undefined) return wording.say('reason.unknown');
  const reason = wording.say(`reason.${unavailable.reason}`);
  const { status } = unavailable;
  return status === undefined ? reason : wording.say('reason.status', { reason, status: String(status) });
}

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

/** The address of a broadcast; `null` where the settings have none, or the service gave no id. */
export function linkTo(pattern: string | undefined, { id }: { id: string }): string | null {
  if (pattern === undefined || id === '') return null;
  return pattern.replaceAll('{broadcastId}', () => encodeURIComponent(id.toWellFormed()));
}
