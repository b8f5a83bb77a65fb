import { expect, test } from 'vitest';
import type { DigestBroadcast, Digest, DigestDelivery } from '../../functions/domain/digest.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { accounts } from '../support/digests/corpus.ts';
import { visibleText } from '../support/visible-text.ts';

/** All numbers of a text. */
function numbersIn(text: string): number[] {
  return (text.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** The figures of each row of a page's tables: the content items of a broadcast, and its deliveries where there are several. */
function rowsOfDetails(broadcast: DigestBroadcast, digest: Digest): number[][] {
  const { seen, responded, contents, deliveries, asks } = broadcast;
  // Responses count only where something is asked.
  const ofAsking = (figures: number[]) => figures.filter((_, place) => asks !== false || place % 2 === 0);
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const items = seen === 0 && responded === 0 ? [] : (contents ?? []);
  return [
    ...items
      .filter((item) => item.seen !== null && item.responded !== null)
      .map(({ id }) => {
        const all = own.flatMap((delivery) => delivery.contents?.filter((item) => item.id === id) ?? []);
        const counts = new Map<string, number>();
        for (const [rating, count] of all.flatMap(({ ratings }) => Object.entries(ratings?.histogram ?? {}))) {
          counts.set(rating, (counts.get(rating) ?? 0) + count);
        }
        return ofAsking(figuresOfList(all)).concat([...counts.values()]);
      }),
    ...(own.length < 2 ? [] : own.filter((each) => each.seen !== null).map((each) => ofAsking(figuresOfList([each])))),
  ];
}

/** Views and responses of some lists together, to date and within the period, where they are known of all of them. */
function figuresOfList(lists: ReadonlyArray<Pick<DigestDelivery, 'seen' | 'responded' | 'inPeriod'>>): number[] {
  const all = lists.map(({ seen, responded, inPeriod }) => [seen, responded, inPeriod?.seen, inPeriod?.responded]);
  return [0, 1, 2, 3].flatMap((place) => {
    const counts = all.flatMap((figures) => figures[place] ?? []);
    return counts.length < lists.length ? [] : [counts.reduce((sum, count) => sum + count, 0)];
  });
}

/** The numbers in the html of each broadcast of a page, by its place in the digest. */
function blocksOfPage(html: string): Map<number, Set<number>> {
  const [, ...parts] = html.split('<div id="broadcast-');
  const blocks = parts.map((part) => {
    const [block] = part.split('</details>');
    return [Number.parseInt(part, 10) - 1, new Set(numbersIn(visibleText(`<body><div id="${block}`)))] as const;
  });
  return new Map(blocks);
}

// What a mail says is read beside what generated accounts have; only a page has these rows.
test('every broadcast is on its page, and in it every figure of its rows', async () => {
  const { renderPage } = createPageRenderer(await loadTemplates('templates'));
  const found = Object.entries(accounts).map(([account, input]) => {
    const blocks = blocksOfPage(renderPage({ ...input, files: 'files/', earlier: [] }));
    const faults = input.digest.broadcasts.flatMap((broadcast, place) => {
      const { seen, responded, asks } = broadcast;
      const ofBlock =
        seen === null || responded === null
          ? []
          : [...(asks === false ? [] : [responded]), ...(seen > 0 ? [seen] : [])];
      const rows = rowsOfDetails(broadcast, input.digest).slice(0, 200);
      const lacking = [...ofBlock, ...rows.flat()].filter((figure) => figure > 0 && !blocks.get(place)?.has(figure));
      return lacking.map((figure) => `broadcast ${place}: ${figure} is not there`);
    });
    const expected = input.digest.broadcasts.length;
    return [account, blocks.size === expected ? faults.slice(0, 5) : [`${blocks.size} blocks`]] as const;
  });
  expect(Object.fromEntries(found.filter(([, faults]) => faults.length > 0))).toEqual({});
});
