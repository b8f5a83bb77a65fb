import type { Digest, DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { showName } from '../texts/names.ts';
import { viewTable } from './figures.ts';
import { sayMore } from './more.ts';

/** The most older broadcasts that are named, and the fewest views in the period with which one is. */
const olderNamed = { most: 6, fewestViews: 2 };

/** Older broadcasts with what came of them in the period; `null` where there are none. */
export function viewStillRead(input: SectionInput) {
  const { digest, wording, figures } = input;
  // What is judged for the first time may have had nothing more in the period.
  const older = digest.broadcasts.filter(
    ({ kind, inPeriod }) => kind === 'active' && (inPeriod === null || inPeriod.seen + inPeriod.responded > 0),
  );
  if (older.length === 0) return null;
  const named = older
    .filter((broadcast) => shownOf(broadcast, digest) >= olderNamed.fewestViews)
    .slice(0, olderNamed.most);
  const isAlsoNew = ({ name }: DigestBroadcast): boolean =>
    name !== null && digest.broadcasts.some((other) => other.kind === 'new' && other.name === name);
  const rows = named.map((broadcast) => ({
    name: showName(broadcast, input),
    detail: isAlsoNew(broadcast) ? wording.count('stillRead.earlier', broadcast.deliveries.length) : null,
    figures: figuresOf(broadcast, digest).inPeriod ?? { seen: null, responded: null },
  }));
  const rest = older.filter((broadcast) => !named.includes(broadcast));
  return {
    heading: wording.say('stillRead.heading'),
    note: figures.period(digest.period, 'short'),
    ...viewTable(wording.say('column.broadcast'), 'counts', { rows, scale: 1, whole: null }, input),
    /** Those that are not named. */
    more: sayMore(rest, rows.length === 0 ? 'more.older' : 'more.broadcasts', input),
  };
}

/** The figure that decides whether one is named. */
function shownOf(broadcast: DigestBroadcast, digest: Digest): number {
  const { inPeriod } = figuresOf(broadcast, digest);
  return inPeriod?.seen ?? inPeriod?.responded ?? -1;
}
