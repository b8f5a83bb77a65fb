import Handlebars from 'handlebars';
import { expect, it } from 'vitest';
import { withoutPageParts } from '../../../infra/build/compile-templates.ts';

const fill = (template: string, view: object): string => Handlebars.compile(withoutPageParts(template))(view);

it('what only a page has is not in the template of mails, whatever the view says', () => {
  const template =
    'a{{#if page}}b{{#if c}}c{{/if}}{{/if}}{{#with page.earlier}}d{{/with}}{{#each rows}}e{{#with whole}}f{{/with}}{{/each}}';
  expect(fill(template, { page: { earlier: {} }, c: true, rows: [{ whole: {} }] })).toBe('ae');
});

it('what both have stays, also where its name only begins like that of a page', () => {
  expect(fill('{{#if pages}}a{{else}}b{{/if}}{{#unless page}}c{{/unless}}', { pages: true })).toBe('ac');
});

it('a part of pages with another one for mails is refused, because both would be gone', () => {
  expect(() => withoutPageParts('{{#if page}}a{{else}}b{{/if}}')).toThrow('cannot have an {{else}}');
});
