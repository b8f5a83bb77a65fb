import type { Email } from 'postal-mime';
import { visibleText } from './visible-text.ts';

/** What both parts of a mail show, a line a block; without addresses of links, which may be a subscriber's own. */
export interface ShownParts {
  html: string;
  text: string;
}

const links = /https?:\/\/\S+/g;
/** They keep a name in another script from turning its surroundings round, and are not to be seen. */
const isolates = /[\u2066-\u2069]/g;

/** The parts of a mail as a reader sees them. */
export function shownParts({ html = '', text = '' }: Email): ShownParts {
  return { html: clean(visibleText(html)), text: clean(text) };
}

function clean(part: string): string {
  return part
    .replaceAll(links, '')
    .replaceAll(isolates, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()
    .replaceAll(/\s*\n\s*/g, '\n');
}

/** All whole numbers of a text, as they are without their separators. */
export function wholeNumbers(part: string): number[] {
  return (part.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((figure) => Number(figure.replaceAll(',', '')));
}

/** The heading of the new broadcasts, as in "New this week · 4 broadcasts". */
const newBroadcasts = /^New [^·\n]*· [\d,]+ broadcasts?$/m;
/** The headings of the sections behind them. */
const laterSections = /^(?:Still being read|Views, \w+ by \w+|About these figures)$/m;

/** What a mail shows before its first broadcast: the verdict, the figures of the period and what needs somebody. */
export function headOf(part: string): string {
  return part.slice(0, part.search(newBroadcasts));
}

/**
 * The part of a mail that each of the named new broadcasts has for itself, from its name on, in the order of the names; only
 * those that the mail shows, which are ten.
 */
export function blocksOf(part: string, names: readonly string[]): string[] {
  const from = part.slice(part.search(newBroadcasts));
  const lines = from.slice(0, from.search(laterSections)).split('\n');
  const starts: number[] = [];
  let next = 1;
  for (const name of names) {
    const start = lines.findIndex((line, index) => index >= next && line.trim().startsWith(name));
    if (start === -1) break;
    starts.push(start);
    next = start + 1;
  }
  return starts.map((start, index) => lines.slice(start, starts[index + 1]).join('\n'));
}

/** What a mail shows of the older broadcasts that were seen in the period. */
export function stillReadOf(part: string): string {
  const from = part.slice(part.search(/^Still being read$/m));
  return from.slice(0, from.search(/^(?:Views, \w+ by \w+|About these figures)$/m));
}
