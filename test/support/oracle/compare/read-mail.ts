import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import { periodKindNames } from '../../../../functions/domain/period.ts';
import { visibleText } from '../../visible-text.ts';

/** What a reader finds in the html or in the text of a mail, each section on one line. Only this file knows its layout. */
export interface ReadMail {
  /** What is said above the figures. */
  verdict: string;
  /** The three figures with their changes, by the key of their label; `null` where there are none. */
  tile: (name: 'seen' | 'responseRate' | 'broadcasts') => { value: string; notes: string } | null;
  /** What is missing; `null` where nothing is said to be. */
  incomplete: string | null;
  /** What needs the reader, or that nothing does; `null` where neither is said. */
  needs: string | null;
  /** How many new broadcasts the heading counts, and the part of the mail that each of those with these names has. */
  fresh: (names: readonly string[]) => { count: number; blocks: Array<string | null> };
  /** Older broadcasts; `null` where there are none. */
  stillRead: string | null;
  /** What is between the counts of a row: "36 seen" and "29 responded" in the text, and nothing in the html. */
  words: { seen: string; responded: string };
}

/** Reads the html of a mail. */
export function readHtml(html: string): ReadMail {
  return readSections(flatten(visibleText(html)), { valueFirst: true, words: { seen: '', responded: '' } });
}

/** Reads the text of a mail. */
export function readText(text: string): ReadMail {
  return readSections(flatten(text), { valueFirst: false, words: { seen: ' seen', responded: ' responded' } });
}

/** Thousands are shown with commas, and names in another script between isolates: neither has what is known. */
function flatten(shown: string): string {
  const line = shown.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/[\s\u00a0]+/g, ' ');
  return ` ${line.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')} `;
}

const kinds = periodKindNames;
const tiles = { seen: messages['tile.seen'], responseRate: messages['tile.responseRate'] } as const;
const lastTile = messages['tile.broadcasts'];
const freshHeading = new RegExp(
  `(?:${kinds.map((kind) => messages[`new.${kind}`].other.split('{count}')[0]).join('|')})(\\d+) broadcasts?`,
);

interface Layout {
  /** Whether a figure is before its label. */
  valueFirst: boolean;
  words: ReadMail['words'];
}

function readSections(flat: string, { valueFirst, words }: Layout): ReadMail {
  const figure = String.raw`(–|[<>]?[\d.,]+%?)`;
  const tileOf = (label: string) => (valueFirst ? `${figure} ${label}` : `${label} ${figure}`);
  const starts = {
    incomplete: flat.indexOf(` ${messages['incomplete.heading']} `),
    // The trend's heading and a sentence of the verdict begin with the same word.
    tiles: flat.search(new RegExp(`${tileOf(tiles.seen)}(?!,| and)`)),
    needs: flat.search(new RegExp(` (?:${messages['needs.heading']}|${messages['needs.none']}) `)),
    fresh: flat.search(freshHeading),
    stillRead: flat.indexOf(` ${messages['stillRead.heading']} `),
    trend: flat.search(new RegExp(` (?:${kinds.map((kind) => messages[`trend.${kind}`]).join('|')}) `)),
    notes: flat.lastIndexOf(` ${messages['notes.heading']} `),
  };
  const ends = Object.values(starts).filter((start) => start !== -1);
  const section = (name: keyof typeof starts): string | null => {
    const start = starts[name];
    if (start === -1) return null;
    return `${flat.slice(start, Math.min(...ends.filter((end) => end > start), flat.length))} `;
  };
  const shownTiles = section('tiles');
  const fresh = section('fresh');
  return {
    words,
    verdict: flat.slice(0, Math.min(...ends)),
    tile: (name) => (shownTiles === null ? null : readTile(shownTiles, name, tileOf)),
    incomplete: section('incomplete'),
    needs: section('needs'),
    fresh: (names) => (fresh === null ? { count: 0, blocks: names.map(() => null) } : readFresh(fresh, names)),
    stillRead: section('stillRead'),
  };
}

function readTile(
  shown: string,
  name: 'seen' | 'responseRate' | 'broadcasts',
  tileOf: (label: string) => string,
): { value: string; notes: string } | null {
  const [seen, rate, last] = [tiles.seen, tiles.responseRate, lastTile].map(tileOf);
  const found = new RegExp(`${seen}(.*?)${rate}(.*?)${last}(.*)$`).exec(shown);
  if (found === null) return null;
  const place = { seen: 1, responseRate: 3, broadcasts: 5 }[name];
  return { value: found[place] ?? '', notes: found[place + 1] ?? '' };
}

/** Each name is looked for behind the one before it. */
function readFresh(fresh: string, names: readonly string[]): { count: number; blocks: Array<string | null> } {
  const heading = freshHeading.exec(fresh);
  let next = heading?.[0].length ?? 0;
  const starts = names.map((name) => {
    const start = fresh.indexOf(` ${name} `, next);
    if (start !== -1) next = start + name.length;
    return start;
  });
  const blocks = starts.map((start, index) => {
    if (start === -1) return null;
    const after = starts.slice(index + 1).find((each) => each !== -1);
    return fresh.slice(start + (names[index]?.length ?? 0), after);
  });
  return { count: Number(heading?.[1] ?? 0), blocks };
}
