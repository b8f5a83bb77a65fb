import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { readParts, type Part, type Shown } from './key-locale.ts';

/** What a number is said of: a broadcast, one of its items or deliveries by their places; or one of the tiles, or a period. */
export interface Subject {
  name?: string;
  item?: number;
  delivery?: number;
  tile?: string;
  period?: string;
}

/** Numbers that were shown together: at which message, column or label, and each by the name of its value. */
export interface Statement {
  at: string;
  subject: Subject;
  values: ReadonlyArray<readonly [name: string, shown: string]>;
  /** The keys of the messages within. */
  within: readonly string[];
}

/** What is read of an output in its order. */
export interface Reader {
  /** Reads a text; below a column's heading it is a figure, and beside one (`null`) a name. */
  read: (text: string, column?: string | null) => void;
  statements: Statement[];
}

const number = /^[<>]?[+\u2212-]?\d[\d,]*(?:\.\d+)?%?$/;

/** A reader that knows the words that are names of broadcasts and of periods, and texts in which numbers are none. */
export function createReader(words: {
  names: readonly string[];
  periods: readonly string[];
  dates: readonly string[];
}) {
  const statements: Statement[] = [];
  let subject: Subject = {};
  let label = 'nothing';
  let place = 0;

  const begin = (next: Subject, by: string): void => {
    subject = next;
    label = by;
    place = 0;
  };
  const state = (at: string, shown: string): void => {
    statements.push({ at, subject, values: [['shown', shown]], within: [] });
  };
  const readText = (text: string, isName: boolean): void => {
    const undated = words.dates.reduce((rest, date) => rest.replaceAll(date, ''), text);
    for (const word of undated.split(/[ \n]+/)) {
      if (words.names.includes(word)) begin({ name: word }, 'name');
      else if (words.periods.includes(word)) begin({ period: word }, 'period');
      else if (number.test(word) && !isName) state(`${label} ${place++}`, word);
    }
  };
  const readMessage = (message: Shown, path: string, around?: Subject): void => {
    const { key, values } = message;
    const at = path + key;
    const number = Number(textOf(values['number']));
    if (key.endsWith('.heading')) begin({}, key);
    else if (at === 'item.name') begin({ ...nameOf(subject), item: number }, key);
    else if (at === 'delivery.name') begin({ ...nameOf(subject), delivery: number }, key);
    else if (/^tile\.(views|responses|broadcasts|reach)$/.test(at)) begin({ tile: key }, key);
    const named = quotedIn(message).find((name) => words.names.includes(name));
    const shown = Object.entries(values).flatMap(([name, parts]) => {
      const figure = figureOf(parts);
      return figure === null ? [] : [[name, figure] as const];
    });
    const of = named === undefined ? (around ?? subject) : { name: named };
    if (shown.length > 0) statements.push({ at, subject: of, values: shown, within: keysWithin(message) });
    if (shown.length > 0 && subject.name !== undefined) {
      label = key === 'csv.rating' ? `${key} ${textOf(values['rating'])}` : at;
      place = 0;
    }
    for (const [name, parts] of Object.entries(values)) {
      for (const part of parts) {
        if (typeof part !== 'string' && figureOf([part]) === null) readMessage(part, `${at}/${name}/`, of);
      }
    }
  };
  const read: Reader['read'] = (text, column) => {
    const parts = readParts(text);
    const figure = figureOf(parts);
    if (column && (figure !== null || parts.length === 0)) return state(column, figure ?? 'nothing');
    for (const part of parts) {
      if (typeof part === 'string') readText(part, column !== undefined);
      else if (figureOf([part]) === null) readMessage(part, column ? `${column}/` : '');
      else state(`${label} ${place++}`, figureOf([part]) ?? '');
    }
  };
  return { statements, read };
}

function nameOf({ name }: Subject): Subject {
  return name === undefined ? {} : { name };
}

export function textOf(parts: readonly Part[] = []): string {
  return parts.map((part) => (typeof part === 'string' ? part.replaceAll(/\s+/g, ' ').trim() : '')).join('');
}

/** A number, a bound of a share, or that there is nothing; `null` for anything else. */
function figureOf(parts: readonly Part[]): string | null {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return null;
  if (typeof only !== 'string') {
    if (only.key === 'figure.none') return 'nothing';
    if (only.key === 'rate.under') return `<${textOf(only.values['rate'])}`;
    return only.key === 'rate.over' ? `>${textOf(only.values['rate'])}` : null;
  }
  const text = textOf([only]);
  return number.test(text) ? text : null;
}

function keysWithin({ values }: Shown): string[] {
  const messages = Object.values(values)
    .flat()
    .filter((part) => typeof part !== 'string');
  return messages.flatMap((message) => [message.key].concat(keysWithin(message)));
}

/** The names that a message has in quotation marks. */
function quotedIn({ key, values }: Shown): string[] {
  if (key === 'name.quoted') return [textOf(values['name'])];
  return Object.values(values)
    .flat()
    .flatMap((part) => (typeof part === 'string' ? [] : quotedIn(part)));
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Reads what is visible of an html document; a cell of a table with headings stands under its column. */
export function readHtml(html: string, reader: Reader): void {
  const [, body = html] = /<body[^>]*>([\s\S]*)<\/body>/.exec(html) ?? [];
  readNodes(parseFragment(body).childNodes, reader);
}

function readNodes(nodes: readonly Node[], reader: Reader): void {
  for (const node of nodes) {
    if ('value' in node) reader.read(node.value);
    if (!('tagName' in node) || attributeOf(node, 'style')?.includes('display:none')) continue;
    if (node.tagName === 'table') readTable(node, reader);
    else readNodes(node.childNodes, reader);
  }
}

/** A cell below a heading stands under the headings of the table and of its column. */
function readTable(table: Element, reader: Reader): void {
  let headings: string[] = [];
  const rows = elementsIn(table).flatMap((child) => (child.tagName === 'tr' ? child : elementsIn(child)));
  for (const row of rows) {
    const cells = elementsIn(row);
    const scopes = cells.map((cell) => attributeOf(cell, 'scope'));
    if (scopes.every((scope) => scope === 'col')) headings = cells.map(headingOf);
    else if (cells.length !== headings.length) readNodes(cells, reader);
    else {
      for (const [nth, cell] of cells.entries()) {
        if (scopes[nth] === 'row') reader.read(contentOf(cell), null);
        else reader.read(contentOf(cell), `${headings[0]} ${headings[nth]}`);
      }
    }
  }
}

function elementsIn(node: Element): Element[] {
  return node.childNodes.filter((child) => 'tagName' in child);
}

function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

function contentOf(node: Element): string {
  return node.childNodes
    .map((child) => ('value' in child ? child.value : 'tagName' in child ? contentOf(child) : ''))
    .join(' ')
    .trim();
}

function headingOf(cell: Element): string {
  const [part] = readParts(contentOf(cell));
  return part === undefined ? '' : typeof part === 'string' ? part.trim() : part.key;
}

/** Every text of a card, in its order. */
export function textsOfCard(card: unknown): string[] {
  if (typeof card !== 'object' || card === null) return [];
  return Object.entries(card).flatMap(([key, value]: [string, unknown]) =>
    key === 'text' && typeof value === 'string' ? [value] : textsOfCard(value),
  );
}
