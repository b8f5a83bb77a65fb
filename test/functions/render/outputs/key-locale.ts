import type { Messages } from '../../../../functions/domain/wording.ts';
import { createLanguage, type Language } from '../../../../functions/render/texts/language.ts';
import { locales } from '../../../support/words.ts';

/** A message as it was shown, with what stands in its braces. */
export interface Shown {
  key: string;
  values: Readonly<Record<string, Part[]>>;
}
/** What a text is made of: messages, and what stands between them. */
export type Part = string | Shown;

/** What a machine reads, `Intl` writes, or stands between messages. */
const plainMessages: Readonly<Record<string, string>> = {
  'csv.separator': ',',
  'separator.time': ':',
  'separator.list': ' · ',
  'separator.sentences': ' ',
  'date.first': '1',
};
const keys = Object.keys(locales.en);
/** The names of each message's values in whatever language has them, by its place among the keys. */
const valuesOf = keys.map((key) => {
  const messages = Object.values(locales).flatMap((locale) => Object.entries(locale).filter(([name]) => name === key));
  const braces = JSON.stringify(messages).matchAll(/\{(\w+)\}/g);
  return [...new Set([...braces].flatMap(([, name]) => name ?? []))].toSorted();
});

/**
 * A locale whose messages are their keys and values, so that nothing depends on how they are worded: `⟪7k |36 |93 ⟫` is the message
 * at that place with two values. The spaces let the text part wrap it, and a place is short, so that little of it is cut.
 */
export const keyMessages: Messages = JSON.parse(JSON.stringify(locales.en), (key, message: unknown) => {
  const place = keys.indexOf(key);
  if (place === -1) return message;
  const values = (valuesOf[place] ?? []).map((name) => `|{${name}} `).join('');
  const mark = plainMessages[key] ?? `⟪${place.toString(36).padStart(2, '0')} ${values}⟫`;
  return typeof message === 'string' ? mark : { other: mark };
});

export const keyLanguage: Language = createLanguage('en', keyMessages, 'Europe/London');

/** The same for people: `seenOf(audience 93, seen 36)`; a value that is alone has no name. No-break spaces are spaces. */
export function readable<Value>(shown: Value): Value {
  const open: Array<{ names: readonly string[]; nth: number }> = [];
  const text = JSON.stringify(shown).replaceAll(
    /⟪(\w\w)(?:\s|\\n)*|(?:\s|\\n)*\|(?:\s|\\n)*|(?:\s|\\n)*⟫/g,
    (mark, place?: string) => {
      if (place !== undefined) {
        const names = valuesOf[Number.parseInt(place, 36)] ?? [];
        open.push({ names, nth: 0 });
        return `${keys[Number.parseInt(place, 36)]}${names.length > 0 ? '(' : ''}`;
      }
      const message = open.at(-1);
      if (mark.endsWith('⟫')) return (open.pop()?.names.length ?? 0) > 0 ? ')' : '';
      if (message === undefined) return mark;
      const name = message.names.length > 1 ? `${message.names[message.nth]} ` : '';
      message.nth += 1;
      return `${message.nth > 1 ? ', ' : ''}${name}`;
    },
  );
  return JSON.parse(text.replaceAll('\u00a0', ' '));
}

/** The messages of a text, and what is between them. What is cut off at its end is left out. */
export function readParts(text: string): Part[] {
  const tokens = text.split(/([⟪|⟫])/);
  let at = 0;
  const read = (isWithin: boolean): Part[] | null => {
    const parts: Part[] = [];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? '';
      if (token === '⟪') {
        const message = readMessage();
        if (message === null) return isWithin ? null : parts;
        parts.push(message);
      } else if (isWithin && (token === '|' || token === '⟫')) return parts;
      else if (token.trim() !== '') parts.push(token);
    }
    return isWithin ? null : parts;
  };
  const readMessage = (): Shown | null => {
    at += 1;
    const place = Number.parseInt(tokens[at] ?? '', 36);
    const values: Part[][] = [];
    for (at += 1; tokens[at] === '|';) {
      at += 1;
      const value = read(true);
      if (value === null) return null;
      values.push(value);
    }
    const names = valuesOf[place] ?? [];
    return { key: keys[place] ?? '', values: Object.fromEntries(names.map((name, nth) => [name, values[nth] ?? []])) };
  };
  return read(false) ?? [];
}
