import type { Messages } from '../../functions/domain/wording.ts';

/** A language that there is not: the longest message of each, with every word of four letters or more a third longer. */
export function stretchMessages(languages: readonly (Messages | undefined)[]): Messages {
  const [first] = languages;
  if (first === undefined) throw new TypeError('Expected at least one language.');
  const keys = Object.keys(first) as (keyof Messages)[];
  const entries = keys.map((key) => [key, stretch(longest(languages.map((language) => language?.[key])))] as const);
  return Object.fromEntries(entries) as unknown as Messages;
}

function longest(messages: readonly unknown[]): unknown {
  return messages.toSorted((one, other) => JSON.stringify(other ?? '').length - JSON.stringify(one ?? '').length)[0];
}

function stretch(message: unknown): unknown {
  if (typeof message === 'string') {
    return message.replaceAll(/\{\w+\}|\p{L}{4,}/gu, (word) =>
      word.startsWith('{') ? word : word + word.slice(-Math.ceil(word.length / 3)),
    );
  }
  return Object.fromEntries(Object.entries(message ?? {}).map(([form, text]) => [form, stretch(text)]));
}
