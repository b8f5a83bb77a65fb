import type { KnownGroup } from '../groups.ts';
import type { Engaged } from '../lists.ts';
import { isPercent } from './percent.ts';
import type { ReadMail } from './read-mail.ts';

/** The name that the first of some deliveries of a broadcast gives it; `null` where none does. */
export function nameOfGroup(deliveries: KnownGroup['deliveries']): string | null {
  return deliveries.find(({ broadcast }) => broadcast.name !== null)?.broadcast.name ?? null;
}

const percent = String.raw`([<>]?[\d.,]+%)`;

/** In what the part of a mail about a new broadcast differs from what is known of it. */
export function faultsOfBroadcast(group: KnownGroup, block: string | null, words: ReadMail['words']): string[] {
  if (block === null) return [': not shown'];
  const { counted } = group;
  if (counted === null) {
    return block.includes('Figures not available: ') ? [] : [': not said to be unavailable'];
  }
  return [...faultsOfFigures(group, block), ...faultsOfDeliveries(group, block), ...faultsOfItems(group, block, words)];
}

/** Whether there are responses without a single view: those are not said to be 0. */
function lacksViews({ seen, responded }: Engaged): boolean {
  return seen === 0 && responded > 0;
}

/** "36 of 93 saw it (39%) · 29 responded (81%) · 57 not yet" */
function faultsOfFigures({ counted, audience, asks }: KnownGroup, block: string): string[] {
  if (counted === null) return [];
  const { seen, responded, answered } = counted;
  if (lacksViews(counted)) {
    const said = new RegExp(`(?<!\\d)${responded} responded; the service gave no views`).test(block);
    return said ? [] : [`: expected ${responded} and no views, found ${block}`];
  }
  const isKnown = audience !== null && audience > 0;
  const hasRate = asks === true && seen > 0;
  const pattern = [
    isKnown ? `${seen} of ${audience} saw it \\(${percent}\\)` : `${seen} saw it( )?`,
    hasRate ? ` ${responded} responded \\(${percent}\\)` : ` ${responded} responded( )?`,
    ...(isKnown ? [` ${audience - seen} not yet`] : []),
  ].join(' ?·');
  const found = new RegExp(`(?<!\\d)${pattern}(?! ?·)`).exec(block);
  const rates = [isKnown ? seen / audience : null, hasRate ? answered / seen : null];
  const isRight =
    found !== null && rates.every((rate, index) => rate === null || isPercent(found[index + 1] ?? '', rate));
  return isRight ? [] : [`: expected ${seen} of ${audience}, ${responded}, found ${block}`];
}

/** Six deliveries of several, each with how many saw it, and how many more there are. */
function faultsOfDeliveries({ deliveries }: KnownGroup, block: string): string[] {
  const [, count] = /(\d+) deliveries: /.exec(block) ?? [];
  const expected = deliveries.length > 1 ? String(deliveries.length) : undefined;
  if (count !== expected) return [`: expected ${expected} deliveries, found ${count}`];
  if (expected === undefined) return [];
  const [line = ''] = /deliveries: .*?\.(?= |$)/.exec(block) ?? [];
  const shown = deliveries.slice(0, 6).filter(({ counted }) => counted !== null && !lacksViews(counted));
  const unsaid = shown.filter(({ counted }) => !new RegExp(`(?<!\\d)${counted?.seen}(?!\\d)`).test(line));
  const more = deliveries.length > 6 ? `, ${deliveries.length - 6} more.` : '.';
  return [
    ...unsaid.map(({ id, counted }) => ` delivery ${id}: expected ${counted?.seen}, found ${line}`),
    ...(line.endsWith(more) ? [] : [`: expected ${more}, found ${line}`]),
  ];
}

/** A row for each content item with figures where there are several, and those that are not available in numbers. */
function faultsOfItems({ contents }: KnownGroup, block: string, words: ReadMail['words']): string[] {
  if (contents === null) return block.includes('Items not available: ') ? [] : [', items: not said to be unavailable'];
  const lacking = contents.filter(({ counted }) => counted === null).length;
  const said = [...block.matchAll(/(\d+) items? not available: /g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const rows = contents.length < 2 ? [] : [...contents.entries()];
  return [
    ...(said === lacking ? [] : [`, items: expected ${lacking} unavailable, found ${said}`]),
    ...rows.flatMap(([place, { counted, ratings }]) => {
      if (counted === null) return [];
      const rated = ratings === null || ratings === 'none' ? null : ratings;
      const mean = rated === null ? '' : `,? mean (-?[\\d.]+) \\(${rated.count} ratings?\\)`;
      const views = lacksViews(counted) ? '–' : `${counted.seen}${words.seen}`;
      const row = `(?<!\\d)${place + 1} [^\\d]*?${mean} ${views} ${counted.responded}${words.responded}(?!\\d)`;
      const found = new RegExp(row).exec(block);
      const isMean = rated === null || Math.abs(Number(found?.[1]) - rated.mean) <= 0.0501;
      return found !== null && isMean
        ? []
        : [`, item ${place + 1}: expected ${counted.seen}, ${counted.responded}, found ${block}`];
    }),
  ];
}

/** The figure that decides whether an older broadcast has a row of its own. */
function shownOf({ counted, inPeriod }: KnownGroup): number | undefined {
  return counted !== null && lacksViews(counted) ? inPeriod?.responded : inPeriod?.seen;
}

/** In what the part of a mail about older broadcasts differs from what is known of them. */
export function faultsOfOlder(all: readonly KnownGroup[], { stillRead, words }: ReadMail): string[] {
  const groups = all.filter(({ inPeriod }) => inPeriod === null || inPeriod.seen + inPeriod.responded > 0);
  if (groups.length === 0) return stillRead === null ? [] : [`older: expected none, found ${stillRead}`];
  if (stillRead === null) return ['older: not shown'];
  const named = groups.filter((group) => (shownOf(group) ?? 0) > 1).slice(0, 6);
  const unsaid = named.filter(({ deliveries, counted, inPeriod }) => {
    const views = counted !== null && lacksViews(counted) ? '–' : `${inPeriod?.seen}${words.seen}`;
    const name = nameOfGroup(deliveries) ?? '(no name)';
    const several = deliveries.length > 1 ? `,? ${deliveries.length} deliveries` : '';
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const row = ` ${escaped}${several} ${views} ${inPeriod?.responded}${words.responded}(?= |$)`;
    return !new RegExp(row).test(stillRead);
  });
  const rest = groups.filter((group) => !named.includes(group));
  const [, more = '0'] = /(\d+) (?:more|older) broadcasts?[:.]/.exec(stillRead) ?? [];
  const sum = (name: 'seen' | 'responded') => rest.reduce((all, { inPeriod }) => all + (inPeriod?.[name] ?? 0), 0);
  const sums = new RegExp(`: ${sum('seen')} views? and ${sum('responded')} responses? together`);
  return [
    ...unsaid.map(({ inPeriod }) => `older in the period: expected ${inPeriod?.seen}, found ${stillRead}`),
    ...(Number(more) === rest.length ? [] : [`older: expected ${rest.length} more, found ${more}`]),
    ...(rest.length === 0 || sums.test(stillRead) ? [] : [`older: expected sums of the rest, found ${stillRead}`]),
  ];
}
