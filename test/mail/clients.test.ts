import { caniemail } from 'caniemail';
import { HtmlValidate } from 'html-validate';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expect, test } from 'vitest';
import { pageLink, renderCorpus, unsubscribeLink, type CorpusMail } from '../support/digests/corpus.ts';
import { acceptedExceptions, rulesNotKept } from './client-exceptions.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** A mail of the corpus with the elements of its html, and what is wrong with its syntax. */
interface ReadMail extends CorpusMail {
  elements: Element[];
  errors: string[];
}

const corpus = (await renderCorpus()).map((mail): ReadMail => {
  const errors: string[] = [];
  const document = parse(mail.html, { onParseError: ({ code, startLine }) => errors.push(`${code}: ${startLine}`) });
  return Object.assign(mail, { elements: elementsIn(document), errors });
});

function elementsIn(node: DefaultTreeAdapterTypes.Node): Element[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => [...('tagName' in child ? [child] : []), ...elementsIn(child)]);
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((candidate) => candidate.name === name)?.value;

/** Tests that of no mail anything is found. */
function testEvery(what: string, find: (mail: ReadMail) => readonly unknown[]): void {
  test(`every mail ${what}`, () => {
    const entries = corpus.map((mail) => [`${mail.account}, ${mail.locale}`, find(mail)] as const);
    expect(Object.fromEntries(entries.filter(([, faults]) => faults.length > 0))).toEqual({});
  }, 60_000);
}

test('without a stylesheet the html uses only what the clients support, or what is accepted for a reason', () => {
  const clients = ['gmail.*', 'outlook.windows', 'outlook.outlook-com', 'apple-mail.*', 'yahoo.*'] as const;
  const used = new Set<string>();
  for (const { html } of corpus.filter(({ account }) => /incomplete|unavailable|quiet|every/.test(account))) {
    const base = html.replaceAll(/<style[\s\S]*?<\/style>|<!--\[if[\s\S]*?<!\[endif\]-->/g, '');
    const { issues } = caniemail({ clients: [...clients], html: base });
    for (const issue of [issues.errors, issues.warnings]) {
      for (const list of issue.values()) for (const { title } of list) used.add(title);
    }
  }
  expect([...used].filter((title) => !Object.hasOwn(acceptedExceptions, title)).toSorted()).toEqual([]);
  expect(Object.keys(acceptedExceptions).filter((title) => !used.has(title))).toEqual([]);
});

testEvery(
  'is html without a fault of its syntax, with a language, its subject as title and one h1, and no figure that a phone may call',
  ({ elements, errors, locale, subject }) => {
    const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
    const title = named('title').flatMap(({ childNodes }) => childNodes.map((node) => 'value' in node && node.value));
    return [
      ...errors,
      ...(named('html').some((root) => attribute(root, 'lang') === locale) ? [] : ['no lang']),
      ...(title.join('') === subject ? [] : ['no title']),
      ...(named('h1').length === 1 ? [] : ['not one h1']),
      ...(named('meta').some((meta) => attribute(meta, 'content')?.startsWith('telephone=no')) ? [] : ['calls']),
    ];
  },
);

testEvery('closes the elements that it opens for Outlook alone', ({ html }) => {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<!--\[if mso \| IE\]>|<!\[endif\]-->/g, '');
  const count = (tag: string) => body.match(new RegExp(`<${tag}[\\s>]`, 'g'))?.length;
  return ['table', 'tr', 'td', 'div'].filter((name) => count(name) !== count(`/${name}`));
});

testEvery(
  'has tables for layout that say so, and tables of data whose heading cells have no heading',
  ({ elements }) => {
    const cells = elements.filter(({ tagName }) => tagName === 'th');
    const data = elements.filter((each) => each.tagName === 'table' && attribute(each, 'role') === undefined);
    return [
      ...cells
        .flatMap(elementsIn)
        .filter(({ tagName }) => /^h\d$/.test(tagName))
        .map(() => 'a heading in a th'),
      ...data
        .filter((table) => !elementsIn(table).some(({ tagName }) => tagName === 'th'))
        .map(() => 'a table that is neither layout nor data'),
    ];
  },
);

/** Elements that load, run or send something. */
const loading = new Set(['script', 'link', 'iframe', 'object', 'embed', 'form', 'input', 'video', 'audio', 'base']);
const isOurs = (href = ''): boolean =>
  href.split('#')[0] === pageLink ||
  href === unsubscribeLink ||
  href.startsWith('https://reporting.example.com/broadcasts/');

testEvery('fetches nothing, runs nothing and tracks nobody', ({ html, elements }) => [
  ...elements.map(({ tagName }) => tagName).filter((name) => loading.has(name)),
  ...elements
    .flatMap(({ attrs }) => attrs)
    .filter(({ name, value }) =>
      /^(?:src|srcset|background|poster)$/.test(name) ? value !== 'cid:logo' : name.startsWith('on'),
    ),
  ...(html.match(/@import|url\(|@font-face/g) ?? []),
  ...elements
    .filter(({ tagName }) => tagName === 'a')
    .map((link) => attribute(link, 'href'))
    .filter((href) => !isOurs(href)),
]);

const rules = Object.fromEntries(Object.keys(rulesNotKept).map((rule) => [rule, 'off'] as const));
const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'], rules });
testEvery('is accepted by a validator, but for what MJML and mail programs need', ({ html }) =>
  validator
    .validateStringSync(html)
    .results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
);

test('every mail has the colours of its bars in their style, since Thunderbird drops a bgcolor in its dark scheme', () => {
  const elements = corpus.flatMap((mail) => mail.elements);
  const bars = elements.filter((element) => /^(?:responded|seen|track)\b/.test(attribute(element, 'class') ?? ''));
  expect(bars.length).toBeGreaterThan(150);
  expect(bars.filter((bar) => !/background-color: #[\da-f]{6}/.test(attribute(bar, 'style') ?? ''))).toEqual([]);
});
