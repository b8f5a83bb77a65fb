import type { DeliveryView } from './rows/delivery-rows.ts';
import type { Language } from './texts/language.ts';
import type { DigestView, GroupView } from './view.ts';

/** The most bytes of html that the sentences about rows that are not shown take. */
const WORDS = 1_500;

/** The html of rows, in bytes of UTF-8. */
export interface RowSizes {
  /** A delivery without its content items. */
  delivery(delivery: DeliveryView): number;
  content(content: DeliveryView['contents'][number]): number;
}

/**
 * The view with as many of its first rows as fit into `room` bytes of html, and a sentence that says how many are left
 * out. A row is a delivery or a content item. Each row is measured once, and none after the first that does not fit.
 */
export function fitRows(view: DigestView, language: Language, sizes: RowSizes, room: number): DigestView {
  let bytes = 0;
  let rows = 0;
  let rowsWithWords = 0;
  for (const size of measureRows(view, sizes)) {
    bytes += size;
    if (bytes > room) return keepRows(view, rowsWithWords, language);
    rows += 1;
    if (bytes <= room - WORDS) rowsWithWords = rows;
  }
  return view;
}

function* measureRows({ groups }: DigestView, sizes: RowSizes): Generator<number> {
  for (const delivery of groups.flatMap(({ deliveries }) => deliveries)) {
    yield sizes.delivery(delivery);
    for (const content of delivery.contents) yield sizes.content(content);
  }
}

/** The view with its first `rows` rows, and a sentence that says how many are left out. */
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
  return { ...view, groups, leftOut: sayLeftOut(view, groups, language) };
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

function sayLeftOut(view: DigestView, kept: readonly GroupView[], { wording }: Language): string | null {
  const before = view.groups.flatMap(({ deliveries }) => deliveries);
  const after = kept.flatMap(({ deliveries }) => deliveries);
  const deliveries = before.length - after.length;
  const contents = countContents(before) - countContents(after);
  const items = [
    ...(deliveries > 0 ? [wording.count('leftOut.deliveries', deliveries)] : []),
    ...(contents > 0 ? [wording.count('leftOut.contents', contents)] : []),
  ];
  if (items.length === 0) return null;
  const sentence = wording.say('leftOut', { items: wording.list(items) });
  if (!view.fileTooLarge) return sentence;
  const nowhere = wording.count('leftOut.nowhere', deliveries + contents);
  return [sentence, nowhere].join(wording.say('separator.sentences'));
}

function countContents(deliveries: readonly DeliveryView[]): number {
  return deliveries.reduce((contents, delivery) => contents + delivery.contents.length, 0);
}
