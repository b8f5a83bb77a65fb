import { expect, test } from 'vitest';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { content, delivery, digest, input } from '../../support/digests/pieces.ts';

const { renderPage } = createPageRenderer(await loadTemplates('templates', 'pictures/logo.png'));

test('the page of the most rows that there can be is within what a browser and an answer can take', () => {
  const contents = Array.from({ length: 500 }, (_, item) => content({ id: String(item) }));
  const deliveries = Array.from({ length: 400 }, (_, index) => {
    const broadcast = { ...delivery().broadcast, id: String(index % 200), name: '&'.repeat(1000) };
    return delivery({ id: String(index), contents, broadcast });
  });
  const page = renderPage({ ...input(digest({ deliveries })), files: 'rows/', earlier: [] });
  expect(page.length).toBeLessThan(4_000_000);
});
