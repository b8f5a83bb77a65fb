import type { DeliveryView } from './delivery-rows.ts';
import type { Language } from './language.ts';
import type { DigestView, GroupView } from './view.ts';

/** More rows than these are not tried: each costs the html well over 200 bytes, so they cannot fit. */
const MOST_ROWS = 500;

/**
 * The most rows of a view, in its order, with which `fits` holds; a row is a delivery or a content item, and what is
 * not shown is said in numbers. `fits` must hold for every smaller number of rows, too; without any it is not asked.
 */
export function fitRows(view: DigestView, language: Language, fits: (view: DigestView) => boolean): DigestView {
  const all = countRows(view.groups.flatMap(({ deliveries }) => deliveries));
  if (all <= MOST_ROWS && fits(view)) {
    return view;
  }
  let fitting = 0;
  let tooMany = Math.min(all, MOST_ROWS + 1);
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(keepRows(view, middle, language))) {
      fitting = middle;
    } else {
      tooMany = middle;
    }
  }
  return keepRows(view, fitting, language);
}

/** The view with its first rows, and with words for the rest. */
export function keepRows(view: DigestView, rows: number, language: Language): DigestView {
  let left = rows;
  const groups: GroupView[] = [];
  for (const group of view.groups) {
    const deliveries: DeliveryView[] = [];
    for (const delivery of group.deliveries) {
      if (left === 0) {
        break;
      }
      const kept = keepContents(delivery, left - 1, language);
      left -= 1 + kept.contents.length;
      deliveries.push(kept);
    }
    if (deliveries.length > 0) {
      groups.push({ ...group, deliveries });
    }
  }
  return { ...view, groups, leftOut: sayLeftOut(view.groups, groups, language) };
}

function keepContents(delivery: DeliveryView, contents: number, { wording }: Language): DeliveryView {
  const more = delivery.contents.length - contents;
  return more <= 0
    ? delivery
    : {
        ...delivery,
        contents: delivery.contents.slice(0, contents),
        moreContents: wording.count('delivery.moreContents', more),
      };
}

function sayLeftOut(all: readonly GroupView[], kept: readonly GroupView[], { wording }: Language): string | null {
  const before = all.flatMap(({ deliveries }) => deliveries);
  const after = kept.flatMap(({ deliveries }) => deliveries);
  const deliveries = before.length - after.length;
  const contents = countRows(before) - before.length - (countRows(after) - after.length);
  const items = [
    ...(deliveries > 0 ? [wording.count('leftOut.deliveries', deliveries)] : []),
    ...(contents > 0 ? [wording.count('leftOut.contents', contents)] : []),
  ];
  return items.length === 0 ? null : wording.say('leftOut', { items: wording.list(items) });
}

function countRows(deliveries: readonly DeliveryView[]): number {
  return deliveries.reduce((rows, { contents }) => rows + 1 + contents.length, 0);
}
