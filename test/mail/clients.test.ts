import { caniemail } from 'caniemail';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { beforeAll, describe, expect, test } from 'vitest';
import { numbers, preheader, visibleText } from '../functions/run/send/read-mail.ts';
import { parse as parseCsv } from 'csv-parse/sync';
import { HtmlValidate } from 'html-validate';
import { acceptedExceptions, rulesNotKept } from './client-exceptions.ts';
import {
  accounts,
  languages,
  pageLink,
  unsubscribeLink,
  renderCorpus,
  type CorpusMail,
} from '../support/digests/corpus.ts';

const clients = ['gmail.*', 'outlook.windows', 'outlook.outlook-com', 'apple-mail.*', 'yahoo.*'] as const;
let corpus: CorpusMail[];

beforeAll(async () => {
  corpus = await renderCorpus();
});

const named = ({ account, locale }: CorpusMail): string => `${account}, ${locale}`;

/** The mails of which something was found, with what it was. */
function findings<T>(find: (mail: CorpusMail) => readonly T[]): Record<string, readonly T[]> {
  const entries = corpus.map((mail) => [named(mail), find(mail)] as const);
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}

test('the corpus has a dozen accounts in each language', () => {
  expect(corpus.length).toBe(Object.keys(accounts).length * languages.length);
  expect(Object.keys(accounts).length).toBeGreaterThanOrEqual(12);
});

test('without a stylesheet the html uses only what the clients support, or what is accepted for a reason', () => {
  const used = new Set<string>();
  for (const { html } of corpus.filter(({ account }) => /incomplete|unavailable|empty|ratings/.test(account))) {
    const base = html.replaceAll(/<style[\s\S]*?<\/style>|<!--\[if[\s\S]*?<!\[endif\]-->/g, '');
    const { issues } = caniemail({ clients: [...clients], html: base });
    for (const found of [issues.errors, issues.warnings]) {
      for (const list of found.values()) for (const { title } of list) used.add(title);
    }
  }
  expect([...used].filter((title) => !Object.hasOwn(acceptedExceptions, title)).toSorted()).toEqual([]);
  expect(Object.keys(acceptedExceptions).filter((title) => !used.has(title))).toEqual([]);
});

/** Elements that load, run or send something. */
const loading = new Set(['script', 'link', 'iframe', 'object', 'embed', 'form', 'input', 'video', 'audio', 'base']);

type Element = DefaultTreeAdapterTypes.Element;

function elementsOf(html: string, errors: string[]): Element[] {
  const document = parse(html, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
  const elements: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(document);
  return elements;
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

describe('the html of every mail', () => {
  test('is html without a fault of its syntax', () => {
    expect(
      findings(({ html }) => {
        const errors: string[] = [];
        elementsOf(html, errors);
        return errors;
      }),
    ).toEqual({});
  });

  test('has tables for layout that say so, and tables of data whose heading cells have a scope', () => {
    expect(
      findings(({ html }) => {
        const elements = elementsOf(html, []);
        const cells = elements.filter(({ tagName }) => tagName === 'th');
        const tables = elements.filter((each) => each.tagName === 'table' && attribute(each, 'role') === undefined);
        return [
          ...cells.filter((each) => attribute(each, 'scope') === undefined).map(() => 'a th without scope'),
          ...tables
            .filter((table) => !cells.some((cell) => isWithin(cell, table)))
            .map(() => 'a table that is neither layout nor data'),
        ];
      }),
    ).toEqual({});
  });

  test('has a language, a title and one h1', () => {
    expect(
      findings(({ html, locale, subject }) => {
        const elements = elementsOf(html, []);
        const root = elements.find(({ tagName }) => tagName === 'html');
        const title = elements.find(({ tagName }) => tagName === 'title');
        const shown = title?.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
        return [
          ...(root && attribute(root, 'lang') === locale ? [] : ['no lang']),
          ...(shown === subject ? [] : ['no title']),
          ...(elements.filter(({ tagName }) => tagName === 'h1').length === 1 ? [] : ['not one h1']),
        ];
      }),
    ).toEqual({});
  });

  test('fetches nothing, runs nothing and tracks nobody', () => {
    expect(
      findings(({ html }) => {
        const elements = elementsOf(html, []);
        return [
          ...elements.map(({ tagName }) => tagName).filter((name) => loading.has(name)),
          ...elements.flatMap(({ attrs }) =>
            attrs
              .filter(({ name, value }) => /^(?:src|srcset|background|poster)$/.test(name) && value !== 'cid:logo')
              .map(({ value }) => value),
          ),
          ...elements.flatMap(({ attrs }) => attrs.filter(({ name }) => name.startsWith('on')).map(({ name }) => name)),
          ...(html.match(/@import|url\(|@font-face/g) ?? []),
          ...elements
            .filter(({ tagName }) => tagName === 'a')
            .map((each) => attribute(each, 'href') ?? '')
            .filter(
              (href) =>
                href.split('#')[0] !== pageLink &&
                href !== unsubscribeLink &&
                !href.startsWith('https://reporting.example.com/broadcasts/'),
            ),
        ];
      }),
    ).toEqual({});
  });

  test('weighs less than 60,000 bytes', () => {
    expect(findings(({ html }) => (Buffer.byteLength(html) < 60_000 ? [] : [Buffer.byteLength(html)]))).toEqual({});
  });

  test('is accepted by a validator, but for what MJML and mail programs need', () => {
    const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'], rules: rulesOff() });
    expect(
      findings(({ html }) => {
        const { results } = validator.validateStringSync(html);
        return results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${ruleId} in line ${line}: ${message}`),
        );
      }),
    ).toEqual({});
  });

  test('has the colours of its bars in their style, since Thunderbird drops a bgcolor in its dark scheme', () => {
    const bars = corpus.flatMap(({ html }) =>
      elementsOf(html, []).filter((each) => /^[fgk]$/.test(attribute(each, 'class') ?? '')),
    );
    expect(bars.length).toBeGreaterThan(1000);
    expect(bars.filter((bar) => !/background-color:#[\da-f]{6}/.test(attribute(bar, 'style') ?? ''))).toEqual([]);
    expect(
      findings(({ html }) => elementsOf(html, []).filter((each) => attribute(each, 'bgcolor') !== undefined)),
    ).toEqual({});
  });

  test('has no heading within a cell that is a heading itself', () => {
    expect(
      findings(({ html }) =>
        elementsOf(html, []).filter(
          ({ tagName, parentNode }) => /^h\d$/.test(tagName) && parentNode?.nodeName === 'th',
        ),
      ),
    ).toEqual({});
  });

  test('has a preheader of 40 to 130 characters', () => {
    expect(
      findings(({ html }) => {
        const { length } = preheader(html);
        return length >= 40 && length <= 130 ? [] : [length];
      }),
    ).toEqual({});
  });
});

describe('the text of every mail', () => {
  test('has every figure of the html, in its order', () => {
    expect(
      findings(({ html, text }) => {
        const withoutLinks = text.replaceAll(/https:\/\/\S+/g, '');
        const [inHtml, inText] = [numbers(visibleText(html)), numbers(withoutLinks)];
        return inHtml.join() === inText.join() ? [] : [inHtml.length - inText.length];
      }),
    ).toEqual({});
  });

  test('is readable in 78 columns, except for lines that are a URL', () => {
    expect(
      findings(({ text }) => text.split('\n').filter((line) => line.length > 78 && !/^ *https:\/\/\S+$/.test(line))),
    ).toEqual({});
  });

  test('has no markup left', () => {
    expect(
      findings(({ account, text }) =>
        account === 'hostile' || account.startsWith('a title')
          ? []
          : (text.match(/<\/?[a-z][^>]*>|&#?\w+;|\{\{/gi) ?? []),
      ),
    ).toEqual({});
  });
});

test('every subject is one line of at most 78 characters', () => {
  expect(findings(({ subject }) => (subject.length <= 78 && !/\p{Cc}/u.test(subject) ? [] : [subject]))).toEqual({});
});

test('of 400 deliveries with 8 content items each, every figure that is left out is in the file', () => {
  const mail = corpus.find(({ account, locale }) => account === '400 deliveries of 8' && locale === 'en');
  const rows: Record<string, string>[] = parseCsv(mail?.csv?.content ?? '', { columns: true, bom: true });
  const items = accounts['400 deliveries of 8']?.digest.deliveries.flatMap(({ contents }) => contents ?? []) ?? [];
  expect(rows.filter(({ Row }) => Row === 'delivery').length).toBe(400);
  expect(
    rows
      .filter(({ Row }) => Row === 'content item')
      .map((row) => [row['Content item id'], Number(row['Seen to date']), Number(row['Responded to date'])]),
  ).toEqual(items.map(({ id, seen, responded }) => [id, seen, responded]));
  expect(items.length).toBe(3200);
});

function rulesOff(): Record<string, 'off'> {
  return Object.fromEntries(Object.keys(rulesNotKept).map((rule) => [rule, 'off'] as const));
}

function isWithin(node: Element, ancestor: Element): boolean {
  let parent: DefaultTreeAdapterTypes.Node | null = node.parentNode;
  while (parent !== null) {
    if (parent === ancestor) return true;
    if ('tagName' in parent && parent.tagName === 'table') return false;
    parent = 'parentNode' in parent ? parent.parentNode : null;
  }
  return false;
}
