import type { Messages } from '../../../../functions/domain/wording.ts';
import { createLanguage, type Language } from '../../../../functions/render/texts/language.ts';
import { locales } from '../../../support/words.ts';

/** What a machine reads, `Intl` writes, or stands between messages. */
const plainMessages: Readonly<Record<string, string>> = {
  'separator.time': ':',
  'separator.list': ' · ',
  'separator.sentences': ' ',
  'separator.items': ' · ',
  'separator.clauses': ' · ',
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
