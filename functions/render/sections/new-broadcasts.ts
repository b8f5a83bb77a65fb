import type { DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { showName } from '../texts/names.ts';
import { sayLowest, viewBlock } from './block.ts';
import { scaleOf, viewLegend, viewTable } from './figures.ts';
import { viewItems } from './items.ts';
import { sayMore } from './more.ts';
import { findNeeds } from './needs.ts';

/** So many new broadcasts have a block each; the others have a row. */
const mostBlocks = 5;

/** The broadcasts whose first sign was in the period: a block each for the first, a row for the others; `null` for none. */
export function viewNewBroadcasts(input: SectionInput) {
  const { digest, limits, wording, figures } = input;
  const broadcasts = inOrder(input);
  if (broadcasts.length === 0) return null;
  const scale = scaleOf(broadcasts, digest);
  const shown = broadcasts.slice(0, limits.broadcasts);
  const blocks = shown.slice(0, mostBlocks);
  const others = shown.slice(mostBlocks);
  // Where there are so many that some have no block, none has its items.
  const withItems = broadcasts.length > mostBlocks ? 0 : limits.withItems;
  return {
    heading: wording.say('new.heading'),
    note: wording.count(`new.note.${digest.period.kind}`, broadcasts.length, {
      period: figures.period(digest.period, 'short'),
    }),
    legend: viewLegend(blocks, scale, input),
    blocks: blocks.map((broadcast, index) => {
      const items = viewItems(broadcast, { scale, isShown: index < withItems }, input);
      return Object.assign(viewBlock(broadcast, scale, input), { lowest: sayLowest(broadcast, input) }, items);
    }),
    others: others.length === 0 ? null : viewOthers(others, input),
    more: sayMore(broadcasts.slice(shown.length), 'more.broadcasts', input),
  };
}

/** First what needs somebody, then by views; what lacks figures last. */
function inOrder({ digest }: SectionInput): DigestBroadcast[] {
  const needs = findNeeds(digest).map(({ broadcast }) => broadcast);
  const rank = (broadcast: DigestBroadcast): number =>
    needs.includes(broadcast) ? needs.indexOf(broadcast) - needs.length : 0;
  return digest.broadcasts
    .filter(({ kind }) => kind === 'new')
    .toSorted(
      (one, other) => rank(one) - rank(other) || lacks(one) - lacks(other) || (other.seen ?? 0) - (one.seen ?? 0),
    );
}

/** 2 where its figures are missing, 1 where those of its content items are. */
function lacks({ seen, contents }: DigestBroadcast): number {
  return seen === null ? 2 : Number(contents === null || contents.some((item) => item.seen === null));
}

function viewOthers(others: readonly DigestBroadcast[], input: SectionInput) {
  const rows = others.map((broadcast) => ({
    name: showName(broadcast, input),
    detail: null,
    figures: figuresOf(broadcast, input.digest),
  }));
  return viewTable(input.wording.count('new.others', others.length), 'people', { rows, scale: 1, whole: null }, input);
}
