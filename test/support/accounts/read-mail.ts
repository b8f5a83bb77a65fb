import { periodKindNames } from '../../../functions/domain/period.ts';
import messages from '../../../templates/locales/en.json' with { type: 'json' };
import { numbers, visibleText } from '../../functions/run/send/read-mail.ts';

/** What a reader finds in the html or in the text of a mail. The only place here that knows the mail's layout. */
export interface ReadMail {
  /** The figures of the period, by `headline.<name>` of the locale. */
  headline: (name: 'deliveries' | 'seen' | 'responded' | 'responseRate') => string | null;
  /** Whether it says that something is missing. */
  saysIncomplete: boolean;
  /** The whole text on one line. */
  flat: string;
  /** How many deliveries it says that nobody has engaged with. */
  silent: number;
  /** The lines below the names of deliveries, in their order; `null` for one that is not shown. */
  blocks: Array<ReadBlock | null>;
}

interface ReadBlock {
  heading: string;
  /** Seen, responded and the rate to date; `null` where there are no figures. */
  toDate: string[] | null;
  /** Seen and responded in the period. */
  inPeriod: string[] | null;
  /** The figures of the content items; `null` for one without. */
  contents: Array<string[] | null>;
  text: string;
}

/** Reads the html of a mail, with the names of its deliveries. */
export function readHtml(html: string, names: readonly string[]): ReadMail {
  return readLines(visibleText(html), names);
}

/** Reads the text of a mail, with the names of its deliveries. */
export function readText(text: string, names: readonly string[]): ReadMail {
  return readLines(text, names);
}

const groupHeading = /^(New|Silent|Active|Not available) · \d+$/;
const headlineLabels = {
  deliveries: messages['headline.deliveries'],
  seen: messages['headline.seen'],
  responded: messages['headline.responded'],
  responseRate: messages['headline.responseRate'],
};

function readLines(shown: string, names: readonly string[]): ReadMail {
  const lines = shown.split('\n').map((line) => line.replaceAll(/[\s\u00a0]+/g, ' ').trim());
  const flat = lines.join(' ');
  const firstGroup = lines.findIndex((line) => groupHeading.test(line));
  const head = lines.slice(0, firstGroup === -1 ? undefined : firstGroup).filter((line) => line !== '');
  return {
    headline: (name) => findHeadline(head, headlineLabels[name]),
    saysIncomplete: flat.includes(messages['banner.heading']),
    flat,
    silent: readSilent(head.join(' ')),
    blocks: readBlocks(firstGroup === -1 ? [] : lines.slice(firstGroup), names),
  };
}

/** The figure in the line of a label, or in the line below it. */
function findHeadline(head: readonly string[], label: string): string | null {
  const place = head.findIndex((line) => line === label || line.startsWith(`${label}: `));
  const [line = '', below = ''] = head.slice(place);
  if (place === -1) return null;
  return (line === label ? below : line.slice(label.length + 2)).split(' ')[0] ?? null;
}

function readSilent(head: string): number {
  const [, several] = /Nobody has engaged with (?:(\d+) deliveries)?/.exec(head) ?? [null, '0'];
  return several === undefined ? 1 : Number(several);
}

function readBlocks(lines: readonly string[], names: readonly string[]): Array<ReadBlock | null> {
  const end = lines.indexOf(messages['notes.heading']);
  let next = 0;
  const starts = names.map((name) => {
    const start = lines.findIndex((line, index) => index >= next && index < end && line.startsWith(name));
    if (start !== -1) next = start + 1;
    return start;
  });
  return starts.map((start, index) => {
    if (start === -1) return null;
    const after = starts.slice(index + 1).find((each) => each !== -1) ?? end;
    return readBlock(
      lines.slice(start + 1, after),
      lines.slice(0, start).findLast((line) => groupHeading.test(line)),
    );
  });
}

const itemLine = /^\d+\. /;

function readBlock(lines: readonly string[], heading = ''): ReadBlock {
  const items = lines.filter((line) => itemLine.test(line));
  const firstItem = lines.findIndex((line) => itemLine.test(line));
  const own = firstItem === -1 ? lines : lines.slice(0, firstItem);
  const figuresAfter = (label: string): string[] | null => {
    const line = own.find((each) => each.startsWith(label));
    return line === undefined ? null : figuresIn(line.slice(label.length));
  };
  const toDate = figuresAfter(messages['delivery.toDate']);
  const inPeriod = periodKindNames
    .map((kind) => figuresAfter(messages[`inPeriod.${kind}`]))
    .find((figures) => figures !== null);
  return {
    heading: heading.replace(/ · \d+$/, ''),
    // Where all of it came in the period there is one row for both.
    toDate: toDate ?? inPeriod ?? null,
    inPeriod: inPeriod ?? null,
    contents: items.map((line) => (line.includes('Not available:') ? null : figuresIn(line.replace(itemLine, '')))),
    text: lines.join(' '),
  };
}

function figuresIn(line: string): string[] {
  return numbers(line.replaceAll('–', '')).map((figure) => figure.replaceAll(',', ''));
}
