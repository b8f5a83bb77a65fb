import type english from '../../templates/locales/en.json';

/** The messages of one locale, in the keys of the English one. Braces name what is filled in: `{count}`. */
export type Messages = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends string ? string : PluralForms;
};

/** A message in the plural forms of its language, by the categories of `Intl.PluralRules`. */
type PluralForms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type KeysOf<Value> = { [Key in keyof Messages]: Messages[Key] extends Value ? Key : never }[keyof Messages];

export type TextKey = KeysOf<string>;
export type PluralKey = KeysOf<PluralForms>;

type Values = Readonly<Record<string, string>>;

/** The messages of one locale, filled in. */
export type Wording = ReturnType<typeof createWording>;

/** The wording of a locale (a BCP 47 tag) from its messages. */
export function createWording(locale: string, messages: Messages) {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const ofWords = new Map<string, unknown>(Object.entries(messages).map(([key, text]) => [key.toLowerCase(), text]));
  return {
    /** The message, with its braces filled in. Throws a `TypeError` for a brace without a value. */
    say: (key: TextKey, values: Values = {}) => fill(messages[key], values),
    /** The message in the plural form of `count`, which fills `{count}`. Throws as `say` does. */
    count: (key: PluralKey, count: number, values: Values = {}) => {
      const forms = messages[key];
      const digits = plainSpaces(numbers.format(count));
      return fill(forms[plurals.select(count)] ?? forms.other, { count: digits, ...values });
    },
    /** The text of a key that has a word of the service, whatever its case; `null` where there is none. */
    find: (key: string) => {
      const text = ofWords.get(key.toLowerCase());
      return typeof text === 'string' ? text : null;
    },
    /** Items as one list: "a, b and c". */
    list: (items: readonly string[]) => lists.format(items),
  };
}

/**
 * Which of `locales` has the messages for a locale (a BCP 47 tag): itself, else its language, so that "en-GB" uses the
 * words of "en" with the dates and numbers of Great Britain. `null` where neither is there.
 */
export function localeOf(locale: string, locales: readonly string[]): string | null {
  if (locales.includes(locale)) return locale;
  if (!isSupported(locale)) return null;
  const { language } = new Intl.Locale(locale);
  return locales.includes(language) ? language : null;
}

/** The messages of a locale, or of its language. Throws a `TypeError` where there are none. */
export function messagesOf(locale: string, locales: Readonly<Record<string, Messages>>): Messages {
  const messages = locales[localeOf(locale, Object.keys(locales)) ?? ''];
  if (messages === undefined) throw new TypeError(`There are no messages for the locale "${locale}".`);
  return messages;
}

/** Whether a text is a locale that Intl knows. */
export function isSupported(locale: string): boolean {
  try {
    return Intl.PluralRules.supportedLocalesOf(locale).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** At most `length` UTF-16 units, the last of them an ellipsis where something is cut, never within a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  // Made where it is needed: most texts fit, and the first one takes a hundredth of a second to make.
  for (const { index, segment } of new Intl.Segmenter().segment(text.slice(0, length * 2))) {
    if (index + segment.length > length - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Intl puts thin spaces into numbers and around dashes; the fonts of some mail programs have no glyph for them. */
export function plainSpaces(text: string): string {
  return text.replaceAll(/[\u2009\u202f]/g, '\u00a0');
}

/** A message split at its braces: text and names of values take turns. Memoized, since there are only a few messages. */
const splitMessage = memoize((message: string): readonly string[] => message.split(/\{(\w+)\}/));

/** Only the message is split, never its values: braces in a value (the name of a broadcast) are plain text. */
function fill(message: string, values: Values): string {
  const parts = splitMessage(message).map((part, index) => {
    const text = index % 2 === 0 ? part : values[part];
    if (text === undefined) throw new TypeError(`The message "${message}" needs a value for {${part}}.`);
    return text;
  });
  return parts.join('');
}

/** The function, with its results remembered, for keys that occur again and again, such as a percentage or a day. */
export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

/** A count with its noun, in the English that operators read: `1 run`, `2 runs`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
