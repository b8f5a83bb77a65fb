import { describe, expect, test } from 'vitest';
import type { Engagement } from '../../../../functions/ledger/runs/collections.ts';
import { audienceIn } from '../../../../functions/run/compose/audience.ts';
import { configured } from '../configured.ts';
import { broadcast, collected, engagement, recipients } from './collected-samples.ts';

/** A list of so many people, some of whom did neither. */
type List = readonly [listed: number, untouched: number];
const listOf = ([listed, untouched]: List): Engagement => engagement({ seen: listed - untouched, untouched });

/** Who the lists of some deliveries are taken to hold, each with those of its content items by their type. */
function audienceOf(deliveries: ReadonlyArray<{ own: List | null } & Record<string, List | null>>, service = {}) {
  const entries = deliveries.map(({ own, ...items }, n) => ({ id: String(n), own, items: Object.entries(items) }));
  const found = {
    recipients: entries.map(({ id, own }) =>
      recipients(id, own === null ? { unavailable: { reason: 'failed' } } : { engagement: listOf(own) }),
    ),
    broadcasts: entries.map(({ id, items }) => {
      const contents = items.map(([type]) => ({ id: type, type }));
      return broadcast(id, null, contents);
    }),
    contents: entries.flatMap(({ id, items }) =>
      items.flatMap(([type, list]) =>
        list === null ? [] : [{ delivery: id, content: type, engagement: listOf(list) }],
      ),
    ),
  };
  const audience = audienceIn(collected(found), configured({ service }).service);
  return [audience.deliveries, [...audience.contents].toSorted()];
}

const longList = { own: [100, 0], poll: [100, 9] } as const;

describe('who is on the lists is decided once a run', () => {
  test.each<[what: string, lists: Parameters<typeof audienceOf>[0], audience: string[]]>([
    ['no list says anything', [], []],
    ['the lists hold those who engaged', [{ own: [100, 0], poll: [80, 0], text: [100, 0] }], []],
    ['the deliveries’ own lists are the audience', [{ own: [100, 5], poll: [100, 30] }], ['own']],
    ['less than a twentieth of the own lists did neither', [{ own: [100, 4] }], []],
    ['a twentieth over all of the own lists did neither', [{ own: [50, 5] }, { own: [50, 0] }], ['own']],
    ['the items’ lists are the audience', [{ own: [100, 0], poll: [103, 6] }], ['poll']],
    ['the items’ lists are hardly longer than the own', [{ own: [100, 0], poll: [102, 6] }], []],
    ['they are longer, and few did neither', [{ own: [100, 0], poll: [110, 5] }], []],
    ['they have a row for each answer', [{ own: [100, 0], poll: [150, 0] }], []],
    ['they hold all who engaged with the delivery', [{ own: [100, 0], poll: [100, 40], text: [100, 20] }], []],
    ['one has a person more, who engaged meanwhile', [{ own: [10, 0], poll: [11, 1] }, longList], []],
    ['those of one type are, and not of another', [{ own: [100, 0], poll: [130, 40], text: [90, 0] }], ['poll']],
    ['most are no audience', [{ own: [100, 0], poll: [130, 40], text: [60, 0] }], []],
    [
      'a delivery’s own list, or an item’s, could not be read',
      [
        { own: null, poll: [500, 0] },
        { own: [50, 0], poll: null },
        { own: [50, 0], poll: [900, 850] },
      ],
      ['poll'],
    ],
  ])('where %s', (_what, lists, audience) => {
    const isOwn = audience.includes('own');
    expect(audienceOf(lists)).toEqual([isOwn, isOwn ? [] : audience]);
  });

  test.each([
    { deliveryRecipients: 'audience', contentRecipients: 'engaged', audience: [true, []] },
    { deliveryRecipients: 'engaged', contentRecipients: 'audience', audience: [false, ['poll', 'text']] },
  ])('or by hand: $deliveryRecipients, $contentRecipients', ({ audience, ...service }) => {
    expect(audienceOf([{ own: [100, 50], poll: [130, 40], text: [90, 0] }], service)).toEqual(audience);
  });
});
