import { unsubscribePlaceholder } from './foreign-text.ts';

/** Columns of a line of the text part: RFC 5322, section 2.1.1. */
const COLUMNS = 78;

/** Characters that a fixed-width font shows two columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;

/**
 * A text with no line wider than 78 columns and no more than one empty line in a row. A wrapped line keeps its indent, and
 * a word longer than a line is cut, except for a URL: cut, it would lead nowhere.
 */
export function wrapLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trimEnd();
    if (columnsOf(trimmed) <= COLUMNS) lines.push(trimmed);
    else lines.push(...wrapLine(trimmed));
  }
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function wrapLine(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  let width = 0;
  const room = COLUMNS - indent.length;
  const words = line.slice(indent.length).split(/ +/);
  // A character has two columns at most.
  for (const word of words.flatMap((each) => (each.length * 2 <= room ? each : cutWord(each, room)))) {
    const added = columnsOf(word);
    if (current !== '' && width + 1 + added <= COLUMNS) {
      current += ` ${word}`;
      width += 1 + added;
    } else {
      if (current !== '') lines.push(current);
      current = indent + word;
      width = indent.length + added;
    }
  }
  return [...lines, current.trimEnd()];
}

function cutWord(word: string, width: number): string[] {
  if (columnsOf(word) <= width || isUrl(word)) {
    return [word];
  }
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (columnsOf(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

function isUrl(word: string): boolean {
  return /^https?:\/\//.test(word) || word === unsubscribePlaceholder;
}

/** Characters of one column that are one code point each. */
const NARROW = /^[\0-\u10ff]*$/;

/** The width of a text in columns. Every UTF-16 unit counts, so that no line is longer than 78 either. */
function columnsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    width += character.length === 2 || WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** The widest that a first column gets. A longer text stands in a line with its figures, which is wrapped. */
const FIRST_COLUMN = 44;

/** Rows of cells as lines: the first column to the left, the others to the right, two spaces apart. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((widest, row) => {
    row.forEach((cell, column) => {
      widest[column] = Math.max(widest[column] ?? 0, columnsOf(cell));
    });
    return widest;
  }, []);
  const [first = 0] = widths;
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? pad(cell, Math.min(first, FIRST_COLUMN), 'end') : pad(cell, widths[column] ?? 0, 'start'),
      )
      .join('  '),
  );
}

function pad(cell: string, width: number, where: 'start' | 'end'): string {
  const spaces = ' '.repeat(Math.max(0, width - columnsOf(cell)));
  return where === 'end' ? cell + spaces : spaces + cell;
}
