import type { TextKey } from '../../domain/wording.ts';
import { showCapitalWord } from './foreign-text.ts';
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
