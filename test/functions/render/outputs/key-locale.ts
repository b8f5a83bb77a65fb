import english from '../../../../templates/locales/en.json' with { type: 'json' };
import type { Messages } from '../../../../functions/domain/wording.ts';

/** A message as it was shown, with what stands in its braces. */
export interface Shown {
  key: string;
  values: Readonly<Record<string, Part[]>>;
}
/** What a text is made of: messages, and what stands between them. */
export type Part = string | Shown;

/** What a machine reads, or what `Intl` writes, has no key. */
const kept = new Set(['csv.separator', 'separator.time', 'date.first']);
const keys = Object.keys(english);
const namesIn = (message: unknown): string[] => {
  const braces = JSON.stringify(message).matchAll(/\{(\w+)\}/g);
  return [...new Set([...braces].flatMap(([, name]) => name ?? []))];
};
/** The names of each message's values, by its place among the keys. */
const valuesOf = Object.values(english).map(namesIn);

/**
 * A locale whose messages are their keys and values: `⟪7k |36 |93 ⟫` is the message at that place with two values. The spaces let
 * the text part wrap it, and a place is short, so that little of it is cut.
 */
export const keyMessages: Messages = JSON.parse(JSON.stringify(english), (key, message: unknown) => {
  const place = keys.indexOf(key);
  if (place === -1 || kept.has(key)) return message;
  const mark = `⟪${place.toString(36)} ${(valuesOf[place] ?? []).map((name) => `|{${name}} `).join('')}⟫`;
  return typeof message === 'string' ? mark : { other: mark };
});

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
