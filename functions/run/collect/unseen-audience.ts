import { hasNoDateField, type Found } from '../../ledger/runs/collections.ts';

type ByContent = Map<string, Found<'contents'>>;

/**
 * The lists of one delivery's content items as they are to be read. Where no row of a list has one of the two documented
 * dates, its rows are an audience that has seen nothing, or they name the dates otherwise: the list alone does not say which. It is
 * an unseen audience where the delivery's own list was read, or where another of its lists has a row with such a date; else
 * the list is unreadable.
 */
export function judgeContentLists(ofDelivery: Found<'recipients'> | undefined, contents: ByContent): ByContent {
  const others = [...contents.values()];
  const datesAreKnown = ofDelivery?.engagement !== undefined || others.some(hasDates);
  return datesAreKnown ? contents : new Map([...contents].map(([id, found]) => [id, readAlone(found)]));
}

function hasDates({ engagement }: Found<'contents'>): boolean {
  return engagement !== undefined && engagement.listed > 0 && !hasNoDateField(engagement);
}

function readAlone(found: Found<'contents'>): Found<'contents'> {
  const { delivery, content, engagement } = found;
  if (engagement === undefined || !hasNoDateField(engagement)) return found;
  return { delivery, content, unavailable: { reason: 'unreadable' } };
}
