/** A part of a sentence, and whether it is bold. */
export interface TextPart {
  text: string;
  strong: boolean;
}

/**
 * A message in which what is between two asterisks is bold: `*36 of 93* saw it`. Only for messages that are filled with
 * figures: an asterisk in a name would be one of these.
 */
export function emphasize(message: string): TextPart[] {
  return message
    .split('*')
    .map((text, index) => ({ text, strong: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
