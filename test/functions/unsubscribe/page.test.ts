import { beforeAll, describe, expect, test } from 'vitest';
import { createPages, type PageKind } from '../../../functions/unsubscribe/answer.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { visibleText } from '../run/send/read-mail.ts';

const { mail } = loadConfiguration();
const report = { title: 'Weekly <b>digest</b>', locale: 'en' };
let render: ReturnType<typeof createPages>;

beforeAll(async () => {
  render = createPages(await loadTemplates('templates'), mail);
});

const textOf = (html: string): string => visibleText(html).trim();

describe('a page', () => {
  test('asks, with one button that does what a mail program would do', () => {
    const html = render('ask', report);
    expect(textOf(html)).toBe(`Harbour Leisure
Do you want to leave “Weekly <b>digest</b>”?
You will get no more mails of this digest. Others that you get are not affected.
Unsubscribe`);
    expect(html).toContain('<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">');
  });

  test('offers the way back after unsubscribing', () => {
    const html = render('left', report);
    expect(textOf(html)).toContain('You have left “Weekly <b>digest</b>”.');
    expect(html).toContain('<input type="hidden" name="action" value="return"><button class="quiet">Subscribe again');
  });

  test.each(['invalid', 'expired', 'busy'] satisfies PageKind[])('that cannot help has no button: %s', (kind) => {
    expect(render(kind, report)).not.toContain('<form');
    expect(textOf(render(kind, report))).toContain('Nothing was changed.');
  });

  test.each([
    ['de', 'Abbestellen'],
    ['fr', 'Se désabonner'],
    ['en-GB', 'Unsubscribe'],
  ])('speaks the language of the report: %s', (locale, title) => {
    const html = render('ask', { ...report, locale });
    expect(html).toContain(`<html lang="${locale}">`);
    expect(html).toContain(`<title>${title} · Harbour Leisure</title>`);
  });

  test('loads nothing and runs nothing', () => {
    expect(render('ask', report)).not.toMatch(/<script|<img|<link|@import|url\(|src=/i);
  });
});
