import { caniemail } from 'caniemail';
import { HtmlValidate } from 'html-validate';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expect, test } from 'vitest';
import { numbers, preheader, visibleText } from '../support/visible-text.ts';
import { accounts, pageLink, renderCorpus, unsubscribeLink, type CorpusMail } from '../support/digests/corpus.ts';
import english from '../../templates/locales/en.json' with { type: 'json' };
import french from '../../templates/locales/fr.json' with { type: 'json' };
import german from '../../templates/locales/de.json' with { type: 'json' };
import { acceptedExceptions, rulesNotKept } from './client-exceptions.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** A mail of the corpus with the elements of its html, and what is wrong with its syntax. */
interface ReadMail extends CorpusMail {
  elements: Element[];
  errors: string[];
}

const clients = ['gmail.*', 'outlook.windows', 'outlook.outlook-com', 'apple-mail.*', 'yahoo.*'] as const;
const corpus: ReadMail[] = (await renderCorpus()).map((mail) => Object.assign(mail, readHtml(mail.html)));

function readHtml(html: string): Pick<ReadMail, 'elements' | 'errors'> {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
  const elements: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(document);
  return { elements, errors };
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

/** The mails of which something was found, with what it was. */
function findings(find: (mail: ReadMail) => readonly unknown[]): Record<string, readonly unknown[]> {
  const entries = corpus.map((mail) => [`${mail.account}, ${mail.locale}`, find(mail)] as const);
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}

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

test('every mail is html without a fault of its syntax, with a language, a title and one h1', () => {
  expect(
    findings(({ elements, errors, locale, subject }) => {
      const root = elements.find(({ tagName }) => tagName === 'html');
      const title = elements.find(({ tagName }) => tagName === 'title');
      const shown = title?.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
      return [
        ...errors,
        ...(root && attribute(root, 'lang') === locale ? [] : ['no lang']),
        ...(shown === subject ? [] : ['no title']),
        ...(elements.filter(({ tagName }) => tagName === 'h1').length === 1 ? [] : ['not one h1']),
      ];
    }),
  ).toEqual({});
});

test('every mail closes the elements that it opens for Outlook alone', () => {
  expect(
    findings(({ html }) => {
      const body = html.slice(html.indexOf('<body')).replaceAll(/<!--\[if mso \| IE\]>|<!\[endif\]-->/g, '');
      return ['table', 'tr', 'td', 'div'].filter(
        (name) =>
          body.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length !== body.match(new RegExp(`</${name}>`, 'g'))?.length,
      );
    }),
  ).toEqual({});
});

test('every mail has tables for layout that say so, and tables of data whose heading cells have a scope and no heading', () => {
  expect(
    findings(({ elements }) => {
      const cells = elements.filter(({ tagName }) => tagName === 'th');
      const tables = elements.filter((each) => each.tagName === 'table' && attribute(each, 'role') === undefined);
      return [
        ...cells.filter((each) => attribute(each, 'scope') === undefined).map(() => 'a th without scope'),
        ...tables
          .filter((table) => !cells.some((cell) => isWithin(cell, table)))
          .map(() => 'a table that is neither layout nor data'),
        ...elements
          .filter(({ tagName, parentNode }) => /^h\d$/.test(tagName) && parentNode?.nodeName === 'th')
          .map(() => 'a heading in a heading cell'),
      ];
    }),
  ).toEqual({});
});

/** Elements that load, run or send something. */
const loading = new Set(['script', 'link', 'iframe', 'object', 'embed', 'form', 'input', 'video', 'audio', 'base']);

const isOwn = (href: string): boolean =>
  href.split('#')[0] === pageLink ||
  href === unsubscribeLink ||
  href.startsWith('https://reporting.example.com/broadcasts/');

test('every mail fetches nothing, runs nothing and tracks nobody', () => {
  expect(
    findings(({ html, elements }) => [
      ...elements.map(({ tagName }) => tagName).filter((name) => loading.has(name)),
      ...elements
        .flatMap(({ attrs }) => attrs)
        .filter(({ name, value }) =>
          /^(?:src|srcset|background|poster)$/.test(name) ? value !== 'cid:logo' : name.startsWith('on'),
        ),
      ...(html.match(/@import|url\(|@font-face/g) ?? []),
      ...elements
        .filter((each) => each.tagName === 'a' && !isOwn(attribute(each, 'href') ?? ''))
        .map((each) => attribute(each, 'href')),
    ]),
  ).toEqual({});
});

test('every mail keeps its bounds: 60,000 bytes of html, a subject of 78 characters, a preheader of 20 to 130', () => {
  expect(
    findings(({ html, subject }) => {
      const { length } = preheader(html);
      return [
        ...(Buffer.byteLength(html) < 60_000 ? [] : [`${Buffer.byteLength(html)} bytes`]),
        ...(subject.length <= 78 && !/[\p{Cc}\u202a-\u202e\u2066\u2067\u2069]/u.test(subject) ? [] : [subject]),
        ...(length >= 20 && length <= 130 ? [] : [`a preheader of ${length}`]),
      ];
    }),
  ).toEqual({});
});

test('every mail is accepted by a validator, but for what MJML and mail programs need', () => {
  const rules = Object.fromEntries(Object.keys(rulesNotKept).map((rule) => [rule, 'off'] as const));
  const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'], rules });
  expect(
    findings(({ html, locale }) => {
      // No language has elements of its own.
      if (locale !== 'en') return [];
      const { results } = validator.validateStringSync(html);
      return results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${ruleId} in line ${line}: ${message}`),
      );
    }),
  ).toEqual({});
});

test('every mail has the colours of its bars in their style, since Thunderbird drops a bgcolor in its dark scheme', () => {
  const bars = corpus.flatMap(({ elements }) =>
    elements.filter((each) => /^[fgk]$/.test(attribute(each, 'class') ?? '')),
  );
  expect(bars.length).toBeGreaterThan(500);
  expect(bars.filter((bar) => !/background-color:#[\da-f]{6}/.test(attribute(bar, 'style') ?? ''))).toEqual([]);
  expect(findings(({ elements }) => elements.filter((each) => attribute(each, 'bgcolor') !== undefined))).toEqual({});
});

test('every text has the figures of the html in their order, in 78 columns except for a URL, and no markup', () => {
  expect(
    findings(({ account, html, text }) => {
      // Only the text says what a figure was, beside its change.
      const shown = text.replaceAll(/https:\/\/\S+| \((?:was|zuvor|avant\s:)\s[^)]*\)/g, '');
      // Only the html has bars, and says what their width is; that nobody saw something is a word in the text.
      const bars = html
        .replace(/ (?:the full width|die volle Breite|la largeur entière) [^<]*/, '')
        .replaceAll(/nowrap">0(?:[^<\d]+(?=\d)|<)/g, 'nowrap">');
      const [inHtml, inText] = [numbers(visibleText(bars)), numbers(shown)];
      const markup = text.match(/<\/?[a-z][^>]*>|&#?\w+;|\{\{/gi) ?? [];
      return [
        ...(inHtml.join() === inText.join() ? [] : [`${inHtml.length} figures and ${inText.length}`]),
        ...text.split('\n').filter((line) => line.length > 78 && !/^ *https:\/\/\S+$/.test(line)),
        ...(account === 'hostile' || account.startsWith('a title') ? [] : markup),
      ];
    }),
  ).toEqual({});
});

/** Whether the table is the nearest one around a node. */
function isWithin(node: DefaultTreeAdapterTypes.Node | null, table: Element): boolean {
  if (node === null || node === table) return node !== null;
  if ('tagName' in node && node.tagName === 'table') return false;
  return 'parentNode' in node && isWithin(node.parentNode, table);
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]{2,}/gu) ?? [];

/** Months, weekdays and halves of the day in a language. */
const months = (locale: string) =>
  Array.from({ length: 12 }, (_, month) =>
    (['long', 'short'] as const).map((length) =>
      new Intl.DateTimeFormat(locale, { month: length, day: 'numeric', weekday: 'long', hour: 'numeric' }).format(
        new Date(Date.UTC(2026, month, 9, month * 2)),
      ),
    ),
  );

const messages: Record<string, unknown> = { en: english, de: german, fr: french };

test('every word is one of its language, or of the service or the settings', () => {
  expect(
    findings(({ account, html, locale }) => {
      // Many rows have no other words than a few.
      if (/400|2000/.test(account)) return [];
      const own = JSON.stringify([messages[locale], months(locale), accounts[account]]);
      const known = new Set(words(own.replaceAll(/\\[a-z]/g, ' ')));
      const given = own.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '').toLowerCase();
      // A name that is cut ends within a word, and separated words of the service are spelled together in the digest.
      const said = new Set(words(visibleText(html)));
      return [...said].filter((word) => !known.has(word) && !given.includes(word)).slice(0, 5);
    }),
  ).toEqual({});
});
