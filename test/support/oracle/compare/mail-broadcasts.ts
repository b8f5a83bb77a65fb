import type { BroadcastContent } from '../../../../functions/domain/digest.ts';
import { findNeeds } from '../../../../functions/render/sections/needs.ts';
import { sum } from '../groups.ts';
import type { Engaged } from '../lists.ts';
import { countOf, countsOf, dayOf, lists, percentOf, periodOf, reasonOf, say, usualOf } from './mail-words.ts';
import { lacksViews, wordOf, type Mail, type Said, type Shown } from './mail-words.ts';

/** So many new broadcasts have a block, and so many items of each a row; so many older broadcasts have one. */
const most = { blocks: 5, items: 8, older: 6 };
const none = say('figure.none');

/** What is said of new broadcasts: first what needs somebody, by the digest, then by views; what lacks figures last. */
export function sayNew(mail: Mail): Said {
  const { calendar, digest, groups, isHtml } = mail;
  const fresh = groups.filter(({ kind }) => kind === 'new');
  const needs = findNeeds(digest).flatMap(({ broadcast }) => fresh.filter(({ entry }) => entry === broadcast));
  const rest = fresh.filter((group) => !needs.includes(group));
  const whole = new Set(rest.filter(({ contents }) => contents?.every(({ counted }) => counted !== null)));
  rest.sort((one, other) => Number(whole.has(other)) - Number(whole.has(one)) || other.counted.seen - one.counted.seen);
  const all = [...needs, ...rest];
  if (all.length === 0) return [];
  const note = say(`new.note.${calendar.kind}`, { count: all.length, period: periodOf(calendar, 'short') });
  const columns = `${say('column.people.seen')} ${say('column.audience')} % ${say('column.people.responded')}`;
  const count = all.length - most.blocks;
  return [
    ['new broadcasts', `${say('new.heading')}${isHtml ? ' ·' : ','}`, note, isHtml && legendOf(all)],
    ...all.slice(0, most.blocks).flatMap((group, place) => sayBlock(group, `broadcast ${place}`, mail, count <= 0)),
    ['others', count > 0 && say('new.others', { count }), count > 0 && isHtml && columns],
    ...all.slice(most.blocks).map((group): Said[number] => ['others', sayRow(group, isHtml)]),
  ];
}

/** What colours and widths of bars mean: where any audience is known, a share of it, and else a count. */
function legendOf(all: readonly Shown[]): string {
  const colours = `${say('legend.responded')} ${say('legend.seen')}`;
  const count = Math.max(1, ...all.map(({ counted }) => counted.seen));
  if (all.every(({ audience }) => audience === null)) return `${colours} ${say('legend.scale', { count })}`;
  const { false: having, true: without } = Object.groupBy(
    all.slice(0, most.blocks),
    (each) => `${each.audience === null}`,
  );
  return having === undefined ? '' : `${colours} ${say('legend.rest')} ${without ? say('legend.noBar') : ''}`;
}

/** Responses count only where something is asked. */
function responsesOf({ asks }: Shown, counted: Engaged | null): number | null {
  return asks === false ? null : (counted?.responded ?? null);
}

function sayRow(group: Shown, isHtml: boolean): string {
  const { name, views } = group;
  const audience = views === null ? null : group.audience;
  const share = views === null || audience === null ? none : percentOf(views, audience);
  const count = responsesOf(group, group.counted);
  if (isHtml) return [name, views ?? none, audience ?? none, share, count ?? none].join(' ');
  const responded = count === null ? '' : say('count.responded', { count });
  return `${name} ${views === null ? none : countOf(views, audience)} ${share} ${responded}`;
}

function sayBlock(group: Shown, about: string, mail: Mail, hasItems: boolean): Said {
  const { name, audience, atAge } = group;
  const figures = figuresOf(group).join(mail.isHtml ? ' · ' : ', ');
  const isShare = atAge?.usual?.share != null && audience !== null;
  const now = isShare ? percentOf(atAge.seen, audience) : (atAge?.seen ?? none);
  const usual = atAge?.usual == null ? '' : say('usual.line', { now, ...usualOf(atAge) });
  const words = [name, detailsOf(group, mail), figures, usual, lowestOf(group)];
  return [[about, ...words], ...sayItems(group, about, mail, hasItems)];
}

function detailsOf({ views, firstSign, asks, deliveries }: Shown, { known, calendar }: Mail): string {
  const { statuses } = known.account;
  const { createdBy = null, createdAt = null } = deliveries[0]?.broadcast ?? {};
  const at = views === null ? createdAt : firstSign;
  const date = views === null ? 'details.created' : 'details.firstSeen';
  const words = new Set(deliveries.map(({ status }) => wordOf(status).toLowerCase()));
  const details = [
    createdBy,
    at !== null && say(date, { date: dayOf(at, calendar) }),
    asks === false && say('details.asksNothing'),
    deliveries.some(({ stillCounting }) => stillCounting) && say('details.stillCounting'),
    statuses.length > 1 && say('details.status', { status: lists.format(words) }),
  ];
  return details.filter((each) => typeof each === 'string').join(', ');
}

/** "36 of 93 saw it (39%)", "29 responded (81% of those who saw it)"; a rate is of the people beside it. */
function figuresOf(group: Shown): string[] {
  const { counted, views, audience, asks } = group;
  const { seen } = counted;
  const count = responsesOf(group, counted);
  if (views === null) return [count === null ? say('facts.none') : say('facts.noViews', { count })];
  const reach = { count: seen, audience: audience ?? 0, rate: percentOf(seen, audience ?? 0) };
  const saw = say(audience === null ? 'facts.seen' : 'facts.seenOf', reach);
  if (count === null) return [saw];
  const isOfThem = asks === true && seen > 0 && count <= seen;
  return [saw, say(isOfThem ? 'facts.respondedRate' : 'facts.responded', { count, rate: percentOf(count, seen) })];
}

/** The delivery that is 20 points or more below the others together. */
function lowestOf({ deliveries }: Shown): string {
  const all = deliveries.map(({ counted, audience }) => ({ seen: counted?.seen ?? NaN, of: audience ?? NaN }));
  const [lowest, ...others] = all.toSorted((one, other) => one.seen * other.of - other.seen * one.of);
  if (lowest === undefined || others.length === 0) return '';
  const seen = others.reduce((total, each) => total + each.seen, 0);
  const of = others.reduce((total, each) => total + each.of, 0);
  const isFar = 5 * (seen * lowest.of - lowest.seen * of) >= of * lowest.of;
  return isFar ? say('deliveries.lowest', { count: all.length, seen: countOf(lowest.seen, lowest.of) }) : '';
}

/** A row for each of several items, and what is not available of them. */
function sayItems(group: Shown, about: string, { digest, isHtml }: Mail, hasItems: boolean): Said {
  const { contents, entry } = group;
  if (contents === null) {
    const gap = digest.missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === entry.id);
    return [[about, say('items.none', { reason: reasonOf(gap ?? entry.unavailable) })]];
  }
  const items = contents.map((item, place) => ({ item, number: place + 1, own: entry.contents?.[place] }));
  const shown = contents.length > 1 && hasItems ? items.filter(({ item }) => item.counted !== null) : [];
  const rows = shown.slice(0, most.items).map(({ item: { type, counted }, number, own }): Said[number] => {
    const name = say('item.name', { number, type: wordOf(type) });
    const seen = lacksViews(counted) ? null : (counted?.seen ?? null);
    const row = rowOf([name, meanOf(own), seen, responsesOf(group, counted)], 'people', isHtml);
    return [`${about}, item ${number}`, row];
  });
  const columns = `${say('column.item')} ${say('column.people.seen')} ${say('column.people.responded')}`;
  const mean = contents.length === 1 ? meanOf(entry.contents?.[0]) : '';
  const lacking = items.filter(({ item }) => item.counted === null);
  const reasons = [...Map.groupBy(lacking, ({ own }) => reasonOf(own?.unavailable))].map(([reason, those]) =>
    say('items.unavailable', { count: those.length, reason }),
  );
  const count = shown.length - rows.length;
  return [
    [about, isHtml && rows.length > 0 && columns],
    ...rows,
    [about, mean !== '' && say('ratings.line', { mean }), ...reasons, count > 0 && say('items.more', { count })],
  ];
}

/** 2.65 is shown as 2.7, although its nearest binary number is a little less. */
const oneDigit = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function meanOf(item: BroadcastContent | undefined): string {
  const { count = 0, mean = null } = item?.ratings ?? {};
  return mean === null ? '' : say('ratings.mean', { count, mean: oneDigit.format(mean) });
}

const nouns = { people: ['count.seen', 'count.responded'], counts: ['count.views', 'count.responses'] } as const;

/** A row of a name, a detail, views and responses; in the text part with the words for these. */
function rowOf(cells: [string, string, number | null, number | null], of: keyof typeof nouns, isHtml: boolean): string {
  if (isHtml) return cells.map((cell) => cell ?? none).join(' ');
  const [name, detail, views, responses] = cells;
  const seen = views === null ? none : say(nouns[of][0], { count: views });
  return `${name}${detail && `, ${detail}`} ${seen} ${responses === null ? '' : say(nouns[of][1], { count: responses })}`;
}

/** What is said of older broadcasts with anything in the period: those with two views have a row. */
export function sayStillRead({ calendar, groups, isHtml }: Mail): Said {
  const older = groups.filter(({ kind }) => kind === 'active');
  const all = older.filter(({ inPeriod }) => inPeriod === null || inPeriod.seen + inPeriod.responded > 0);
  if (all.length === 0) return [];
  // Where the service gives no views, responses are what is known.
  const counts = all.map(({ views, inPeriod }) => inPeriod?.[views === null ? 'responded' : 'seen'] ?? 0);
  const named = all.filter((_each, place) => Number(counts[place]) > 1).slice(0, most.older);
  const rows = named.map((group): Said[number] => {
    const { name, views, inPeriod, deliveries, entry } = group;
    const isNew = entry.name !== null && groups.some((other) => other.kind === 'new' && other.name === name);
    const earlier = isNew ? say('stillRead.earlier', { count: deliveries.length }) : '';
    const seen = views === null ? null : (inPeriod?.seen ?? null);
    return ['older in the period', rowOf([name, earlier, seen, responsesOf(group, inPeriod)], 'counts', isHtml)];
  });
  const columns = `${say('column.broadcast')} ${say('column.counts.seen')} ${say('column.counts.responded')}`;
  const rest = all.filter((group) => !named.includes(group));
  const asking = rest.filter(({ asks }) => asks !== false);
  const responded = asking.length === 0 ? null : sum(asking.map(({ inPeriod }) => inPeriod?.responded ?? null));
  const sums = countsOf(sum(rest.map(({ inPeriod }) => inPeriod?.seen ?? null)), responded).join(', ');
  const broadcasts = say(rows.length === 0 ? 'more.older' : 'more.broadcasts', { count: rest.length });
  const more = sums === '' ? broadcasts : say('more.sum', { broadcasts, sums });
  return [
    ['older', `${say('stillRead.heading')}${isHtml ? ' ·' : ','}`, periodOf(calendar, 'short')],
    ['older', isHtml && rows.length > 0 && columns],
    ...rows,
    ['older', rest.length > 0 && more],
  ];
}
