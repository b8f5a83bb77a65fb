import type { Digest, Missing } from '../../../../functions/domain/digest.ts';
import type { RenderedDigest } from '../../../../functions/render/render.ts';
import { visibleText } from '../../visible-text.ts';
import { sum } from '../groups.ts';
import type { Known } from '../known.ts';
import { sayNew, sayStillRead } from './mail-broadcasts.ts';
import { countsOf, dayOf, lacksViews, lists, percentOf, periodOf, quote, reasonOf, say } from './mail-words.ts';
import type { Mail, Said, Shown } from './mail-words.ts';

/**
 * In what the html and the text of a mail differ from what is known: from the title to the notes, not a word may be another. The
 * verdict and what needs somebody are held against the digest itself, in every language (sentences.test.ts).
 */
export function faultsOfMail(known: Known, digest: Digest, mail: Pick<RenderedDigest, 'html' | 'text'>): string[] {
  const groups = digest.broadcasts.flatMap((entry): Shown[] => {
    const { deliveries: ids } = entry;
    const group = known.groups.find(({ deliveries }) => deliveries.some(({ id }) => id === ids[0]));
    if (group === undefined || group.counted === null) return [];
    const { counted } = group;
    const deliveries = group.deliveries.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    const [name, views] = [entry.name ?? say('name.none'), lacksViews(counted) ? null : counted.seen];
    return [{ ...group, entry, name, kind: entry.kind, deliveries, counted, views, audience: group.audience || null }];
  });
  const { calendar } = known.account;
  const parts = { html: visibleText(mail.html), text: mail.text };
  return Object.entries(parts).flatMap(([part, shown]) =>
    faultsOf(sayMail({ known, calendar, digest, groups, isHtml: part === 'html' }), shown).map(
      (fault) => `${part}: ${fault}`,
    ),
  );
}

/** Each piece stands right behind the one before it; before the first one of some is what is not held here. */
function faultsOf(parts: readonly Said[], shown: string): string[] {
  let rest = flatten(shown);
  const faults: string[] = [];
  for (const part of parts) {
    const said = part.filter(([, ...words]) => words.some((word) => word !== false && word !== null && word !== ''));
    for (const [place, [about, ...words]] of said.entries()) {
      const expected = flatten(words.filter((word) => word !== false && word !== null).join(' '));
      const at = rest.indexOf(expected);
      if (at === -1) faults.push(`${about}: expected${expected}, found${rest.slice(0, 200)}`);
      else if (at > 0 && place > 0) faults.push(`before ${about}: expected nothing, found${rest.slice(0, at)}`);
      if (at !== -1) rest = rest.slice(at + expected.length - 1);
    }
  }
  return faults;
}

/** The link to the page, where the settings have one. */
const link = new RegExp(String.raw`${say('report.link')}(?:\s+https?:\S+)?`, 'g');

/** In one line, without commas in numbers, isolates around names in other scripts, and capitals. */
function flatten(text: string): string {
  const plain = text.replaceAll(link, '').replaceAll(/[\u2066-\u2069]/g, '');
  const line = ` ${plain.toLowerCase()} `.replaceAll(/\s+/g, ' ');
  return line.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

const filters = ['createdBy', 'broadcastName', 'contentType'] as const;

/** What a mail says below its title, and then below its verdict and what needs somebody. */
function sayMail(mail: Mail): Said[] {
  const { known, calendar, digest } = mail;
  const { account, deliveries, missing, totals } = known;
  const parts = filters.flatMap((field) => {
    const text = account.only?.[field];
    return text === undefined ? [] : say(`filter.${field}`, { text });
  });
  const filter = parts.length === 0 ? '' : say('filter', { parts: parts.join(', ') });
  const period = periodOf(calendar, 'long');
  const hasNothing = missing.size > 0 && totals === null && deliveries.every(({ counted }) => counted === null);
  const reason = reasonOf(digest.missing.find(({ what }) => what === 'deliveries') ?? digest.missing[0]);
  const heading: Said = [['period', filter, period]];
  if (hasNothing) return [[...heading, ['incomplete', say('incomplete.nothing', { period, reason })]]];
  const below = [sayLate, sayTiles, sayNew, sayStillRead, sayTrend, sayNotes].flatMap((section) => section(mail));
  return [[...heading, ...sayIncomplete(mail)], below];
}

/** Each of five reasons with its things; of more the things are counted. */
function sayIncomplete({ known, digest }: Mail): Said {
  if (digest.missing.length === 0) return [];
  const reasons = [...Map.groupBy(digest.missing, reasonOf)];
  const count = reasons.slice(5).flatMap(([, things]) => things).length;
  const lines = reasons.slice(0, 5).flatMap(([reason, things]) => {
    const list = lists.format(thingsOf(things));
    return [say('incomplete.reason', { reason }), say('incomplete.things', { things: list })];
  });
  const more = count > 0 && say('incomplete.more', { count });
  return [['incomplete', say('incomplete.heading'), ...lines, more, known.totals === null && say('incomplete.totals')]];
}

function* thingsOf(things: readonly Missing[]): Generator<string> {
  for (const { what, reason } of things) {
    if (what === 'deliveries') yield say(reason === 'dates-unreadable' ? 'missing.datesOfAll' : 'missing.deliveries');
  }
  for (const kind of ['delivery', 'broadcast', 'content', 'ratings', ...filters] as const) {
    const all = things.filter(({ what }) => what === kind);
    const names = [...new Set(all.map(({ name = null }) => name))];
    const isNamed = names.length <= 3 && !names.includes(null);
    const named = say(`missing.named.${kind}`, { names: lists.format(names.map(quote)) });
    if (all.length > 0) yield isNamed ? named : say(`missing.${kind}`, { count: all.length });
  }
}

function sayLate({ known: { late }, calendar }: Mail): Said {
  const { seen = 0, responded = 0 } = late ?? {};
  const engaged = lists.format(countsOf(seen || null, responded || null));
  const date = dayOf(calendar.start, calendar);
  return [['late', engaged !== '' && say('notes.late', { count: seen + responded, engaged, date })]];
}

/** Responses, views, and the reach of what is new or is named as unseen for the first time; else how many are new. */
function sayTiles({ known: { totals, previous }, calendar, digest, groups, isHtml }: Mail): Said {
  if (totals === null || digest.deliveries.length === 0) return [];
  const tile = (label: string, now: number | null = null, was: number | null = null): string => {
    if (now === null || was === null) return `${label} ${now ?? '–'}`;
    const count = Math.abs(now - was);
    const words = say(now < was ? 'tile.fewer' : 'tile.more', { count, previous: was });
    const change = isHtml ? `${now < was ? '▼' : '▲'} ${count}` : words;
    return `${label} ${now} ${count === 0 ? say('tile.same') : change}`;
  };
  const fresh = groups.filter(({ kind, audience, timesNamed, deliveries }) => {
    const isNamed = kind === 'silent' && timesNamed === 0 && deliveries.some(({ isJudged }) => isJudged);
    return audience !== null && (kind === 'new' || isNamed);
  });
  const audience = sum(fresh.map((each) => each.audience)) ?? 0;
  const count = sum(fresh.map(({ inPeriod }) => inPeriod?.seen ?? null));
  const last = Date.parse(calendar.end) - 1;
  const weekday = new Date(last).toLocaleString('en', { timeZone: calendar.timeZone, weekday: 'long' });
  const values = { count: count ?? 0, audience, day: calendar.kind === 'week' ? weekday : dayOf(last, calendar) };
  const reach = [say('tile.reach'), percentOf(values.count, audience), say(`tile.reach.${calendar.kind}`, values)];
  const broadcasts = tile(say('tile.broadcasts'), totals.broadcasts, previous?.broadcasts);
  return [
    ['totals.responded', tile(say('tile.responses'), totals.asked?.responded, previous?.asked?.responded)],
    ['totals.seen', tile(say('tile.views'), totals.seen, previous?.seen)],
    ['totals.broadcasts', ...(count === null || fresh.length === 0 ? [broadcasts] : reach)],
  ];
}

/** Three periods or more that are known, each with its views and responses. */
function sayTrend({ known: { trend }, calendar, isHtml }: Mail): Said {
  if (trend.filter(({ figures }) => figures !== null).length < 3) return [];
  const columns = `${say(`column.${calendar.kind}`)} ${say('tile.views')} ${say('tile.responses')}`;
  const legend = `${say('legend.asks')} ${say('legend.informs')}`;
  return [
    ['trend', say(`trend.${calendar.kind}`, { count: trend.length }), isHtml && legend, columns],
    ...trend.map(({ start, figures }): Said[number] => {
      // A day in the last of its months.
      const end = start + (calendar.kind === 'quarter' ? 70 * 86_400_000 : 1);
      const label = periodOf({ ...calendar, start, end }, 'of a trend');
      if (figures === null) return ['trend', label, isHtml ? say('trend.missing') : '– –'];
      return ['trend', label, figures.seen, figures.asked?.responded ?? '–'];
    }),
  ];
}

/** How the notes begin: with why figures are compared with none, and with how they are counted. */
function sayNotes({ digest: { deliveries, totals }, calendar }: Mail): Said {
  if (deliveries.length === 0) return [];
  const { comparison } = totals;
  if (comparison.basis === 'kept') return [['notes', say('notes.counted')]];
  const period = periodOf({ ...calendar, ...comparison.lacking }, 'long');
  return [['notes', say(`comparison.${comparison.reason}`, { period }), say('notes.counted')]];
}
