import type { KnownContent } from './contents.ts';
import type { Known } from './known.ts';
import type { Counted, Row } from './rows.ts';

/** What the lists of a kind had in a run. */
export interface ListKind {
  rows: number;
  /** Rows of people who did nothing. */
  idle: number;
  /** Longer than the deliveries' own, where the kind is of items. */
  areLonger: boolean;
}

/** Which lists hold everybody that a delivery was for, and not only those who engaged: of items, those of some types may. */
export interface Audiences {
  deliveries: boolean;
  items: (type: string) => boolean;
  kinds: Map<string, ListKind>;
}

interface Listed {
  counted: Counted | null;
  contents: ReadonlyArray<Pick<KnownContent, 'counted' | 'type'>> | null;
}

/** Decides once for all lists of a kind that were read: those of all wanted deliveries, and of the included ones' items. */
export function audiencesOf(
  wanted: ReadonlyArray<Pick<Listed, 'counted'>>,
  included: readonly Listed[],
  earlier: readonly Known[],
): Audiences {
  const ofDeliveries = wanted.flatMap(({ counted }) => counted ?? []);
  const items = included.flatMap(({ counted, contents }) =>
    (contents ?? []).flatMap(({ type, counted: item }) => (item === null ? [] : [{ type, item, delivery: counted }])),
  );
  const isIdle = idleIn([...ofDeliveries, ...items.map(({ item }) => item)].flatMap(({ rows }) => rows));
  const kindOf = (lists: readonly Counted[], areLonger: boolean): ListKind => {
    const rows = lists.flatMap((list) => list.rows);
    return { rows: rows.length, idle: rows.filter(isIdle).length, areLonger };
  };
  const kindOfItems = (some: typeof items): ListKind => {
    const beside = some.filter(({ delivery }) => delivery !== null);
    const listed = listedOn(beside.map(({ item }) => item));
    const listedForDeliveries = listedOn(beside.flatMap(({ delivery }) => delivery ?? []));
    // Compared in whole numbers: more than 1.02 times.
    return kindOf(
      some.map(({ item }) => item),
      100 * listed > 102 * listedForDeliveries,
    );
  };
  const kinds = new Map([
    ['deliveries', kindOf(ofDeliveries, true)],
    ['items', kindOfItems(items)],
    ...items.map(({ type }) => [`of ${type}`, kindOfItems(items.filter((item) => item.type === type))] as const),
  ]);
  const isAudience = (kind: string): boolean =>
    isDecided([...earlier.map((run) => run.kinds.get(kind)), kinds.get(kind)]);
  return {
    deliveries: isAudience('deliveries'),
    items: (type) => isAudience('items') && isAudience(`of ${type}`),
    kinds,
  };
}

/** A field that a row lacks is null where any row has it; nothing is known of a row that lacks both. */
function idleIn(rows: readonly Row[]): (row: Row) => boolean {
  const seenOccurs = rows.some(({ saysSeen }) => saysSeen);
  const respondedOccurs = rows.some(({ saysResponded }) => saysResponded);
  return ({ hasSeen, hasResponded, saysSeen, saysResponded }) =>
    !hasSeen && !hasResponded && (saysSeen ? saysResponded || respondedOccurs : saysResponded && seenOccurs);
}

const fewestRows = 100;
const fewestIdle = 10;
const runsToChange = 3;

/** Whether a kind is the audience, by what its lists had in the runs so far: decided once, and kept until three in a row differ. */
function isDecided(runs: ReadonlyArray<ListKind | undefined>): boolean {
  let decided: boolean | null = null;
  let others = 0;
  for (const run of runs) {
    const word = run === undefined ? null : wordOf(run);
    if (decided === null) decided = run !== undefined && run.idle >= fewestIdle ? word : null;
    else others = word === !decided ? others + 1 : 0;
    if (others === runsToChange) [decided, others] = [!decided, 0];
  }
  return decided ?? false;
}

function wordOf({ rows, idle, areLonger }: ListKind): boolean | null {
  if (rows < fewestRows) return null;
  // One row in twenty.
  if (!areLonger || 20 * idle < rows) return false;
  return idle >= fewestIdle ? true : null;
}

function listedOn(lists: readonly Counted[]): number {
  return lists.reduce((sum, { listed }) => sum + listed, 0);
}

/** seen / listed of a list that is an audience. */
export function reachOf(counted: Counted | null, isAudience: boolean): number | null {
  if (!isAudience || counted === null || counted.seen === null || counted.listed === 0) return null;
  return counted.seen / counted.listed;
}

/** How many people a delivery was for, where its lists can be read, agree and hold everybody who engaged. */
export function audienceOf({ counted, contents }: Listed, { deliveries, items }: Audiences): number | null {
  if (counted === null) return null;
  if (deliveries) return counted.listed;
  const ofAudience = (contents ?? []).filter(({ type }) => items(type));
  const lengths = new Set(ofAudience.flatMap(({ counted: item }) => item?.listed ?? []));
  const [length] = lengths;
  if (length === undefined || lengths.size > 1) return null;
  return counted.engaged > length ? null : length;
}
