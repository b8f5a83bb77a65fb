import { sum } from '../groups.ts';
import type { Known } from '../known.ts';
import type { KnownTotals } from '../period.ts';
import { countOf, countsOf, dayOf, lacksViews, lists, percentOf, quote, say, usualOf, wordOf } from './mail-words.ts';
import type { Mail, Said, Shown } from './mail-words.ts';

/** The sentences about the period: none while something is missing. */
export function sayVerdict({ known, digest, groups }: Mail): Said {
  const { totals, missing, deliveries, account } = known;
  if (totals === null || missing.size > 0) return [];
  const said = [sayChange(known, totals), sayMostSeen(totals, groups), sayUnusual(groups)];
  if (deliveries.length > 0) return [['verdict', ...said]];
  const others = Object.entries(digest.otherStatuses).toSorted(([, one], [, other]) => other - one);
  const items = others.map(([word, count]) => say('notes.status', { status: wordOf(word), count })).join(', ');
  const statuses = lists.format(account.statuses.map((status) => say('name.quoted', { name: wordOf(status) })));
  const why = `${say('empty.statuses', { statuses })} ${say('notes.otherStatuses', { items })}`;
  return [['verdict', say('empty.heading'), items === '' ? say('empty.sentence') : why]];
}

function figureOf(of: 'responses' | 'views', totals: KnownTotals | null): number | null {
  return (of === 'views' ? totals?.seen : totals?.asked?.responded) ?? null;
}

/** What moved by more of its former value; what moved by ten and by a tenth goes before what did not. */
function sayChange({ account, previous, trend }: Known, totals: KnownTotals): string {
  const { kind } = account.calendar;
  const before = say(`before.${kind}`);
  const responses = figureOf('responses', totals);
  const moved = (['responses', 'views'] as const).flatMap((of) => {
    const [now, was] = [figureOf(of, totals), figureOf(of, previous)];
    if (now === null || was === null) return [];
    const by = Math.abs(now - was);
    return [{ of, now, was, by, share: by === 0 ? 0 : by / was, isLarge: by >= 10 && 10 * by >= was }];
  });
  const [first, second] = moved;
  if (first === undefined) return say('verdict.now', { figures: countsOf(totals.seen, responses).join(', ') });
  const isSecond = second && (second.isLarge === first.isLarge ? second.share > first.share : second.isLarge);
  const { of, now, was, by, isLarge } = isSecond ? second : first;
  const figure = say(`count.${of}`, { count: now });
  const areFew = totals.seen < 10 && (responses ?? 0) < 10;
  const isAlone = second === undefined && !isLarge;
  if (isAlone || (by > 0 && (areFew || now * was === 0))) return say('verdict.counts', { figure, count: was, before });
  if (!isLarge) return say('verdict.same', { before });
  const said = say(now < was ? 'verdict.fewer' : 'verdict.more', { figure, count: by, before });
  const values = trend.map((period) => figureOf(of, period.figures));
  const inARow = values.slice(values.lastIndexOf(null) + 1).map(Number);
  const isExtreme = inARow.slice(0, -1).every((each) => (now < was ? now < each : now > each));
  if (inARow.length < 4 || !isExtreme) return say('verdict.sentence', { said });
  const span = say(`span.${kind}`, { count: inARow.length });
  return say(now < was ? 'verdict.fewest' : 'verdict.most', { said, span });
}

/** The broadcast that at least half of the views were of, where three or more are in the digest. */
function sayMostSeen(totals: KnownTotals, groups: readonly Shown[]): string {
  const all = Map.groupBy(groups, ({ entry }) => entry.id || entry.deliveries.join());
  const views = [...all.values()].map((those) => sum(those.map(({ inPeriod }) => inPeriod?.seen ?? 0)) ?? 0);
  const count = Math.max(...views);
  const [first] = [...all.values()][views.indexOf(count)] ?? [];
  if (first === undefined || views.length < 3 || totals.seen === 0 || 2 * count < totals.seen) return '';
  const values = { name: quote(first.entry.name), count, all: totals.seen };
  return say(first.asks === false ? 'verdict.informing' : 'verdict.mostSeen', values);
}

/** What of its usual deliveries for so many people had when they were as old; `null` where usual are fewer than 10. */
function shareOfUsual(atAge: Shown['atAge'], audience: number | null): number | null {
  if (atAge?.usual == null) return null;
  const { share, seen } = atAge.usual;
  const usual = share === null ? seen : share * (audience ?? 0);
  return usual < 10 ? null : atAge.seen / usual;
}

/** The new broadcast that is a quarter or more below its usual, else above: the farthest. */
function sayUnusual(groups: readonly Shown[]): string {
  const far = groups.flatMap(({ kind, entry, atAge, audience }) => {
    const share = kind === 'new' ? shareOfUsual(atAge, audience) : null;
    return atAge === null || share === null || Math.abs(share - 1) < 0.25 ? [] : [{ share, entry, atAge, audience }];
  });
  const sorted = far.toSorted((one, other) => one.share - other.share);
  const found = sorted.find(({ share }) => share < 1) ?? sorted.at(-1);
  if (found === undefined) return '';
  const { entry, atAge, audience } = found;
  const values = { name: quote(entry.name), count: atAge.seen, ...usualOf(atAge) };
  if (atAge.usual?.share == null || audience === null) return say('verdict.reachedCount', values);
  return say('verdict.reached', { ...values, audience, rate: percentOf(atAge.seen, audience) });
}

/** A broadcast that needs somebody, as its deliveries say of which that may be said. */
type Need = Pick<Shown, 'audience'> & { group: Shown; judged: Shown['deliveries']; seen: number };

/** What needs somebody; first what most people have not seen, last what is for nobody knows how many. */
export function needsOf(groups: readonly Shown[]): Need[] {
  const missed = ({ seen, audience }: Need): number => (audience === null ? -1 : audience - seen);
  const needs = groups.flatMap((group) => {
    const judged = group.deliveries.filter(({ isJudged }) => isJudged);
    const seen = sum(judged.map(({ counted }) => counted?.seen ?? null));
    if (judged.length === 0 || seen === null || judged.some(({ counted }) => lacksViews(counted))) return [];
    return { group, judged, seen, audience: sum(judged.map((each) => each.audience)) || null };
  });
  return needs.filter(needsSomebody).toSorted((one, other) => missed(other) - missed(one));
}

function needsSomebody({ group, seen, audience }: Need): boolean {
  const { kind, atAge } = group;
  if (kind === 'silent') return true;
  if (audience !== null && audience - seen < 10) return false;
  if (atAge?.usual == null) return audience !== null && 2 * seen < audience;
  // Of an older broadcast only those are compared that are judged.
  const share = shareOfUsual(atAge, kind === 'active' ? audience : group.audience);
  return share !== null && share <= (atAge.usual.share === null ? 0.5 : 0.75);
}

/** What needs somebody: five lines and how many more; or, where everything is known, that nothing does. */
export function sayNeeds({ known, calendar, groups, isHtml }: Mail): Said {
  const needs = needsOf(groups);
  const { missing, deliveries, unknownDate } = known;
  if (needs.length === 0) {
    const isKnown = missing.size === 0 && unknownDate.length === 0 && deliveries.length > 0;
    return [['needs', isKnown && say('needs.nothing')]];
  }
  const rows = needs.slice(0, 5).map((need): Said[number] => {
    const { group, judged, seen, audience } = need;
    const count = group.kind === 'silent' ? group.listedDeliveries : group.deliveries.length;
    const first = Math.min(...judged.map(({ firstSign }) => firstSign ?? Infinity));
    const date = Number.isFinite(first) && say('details.firstSeen', { date: dayOf(first, calendar) });
    const of = `${say('needs.part', { part: judged.length, count })}${date === false ? '' : `, ${date}`}`;
    const part = judged.length === count ? '' : of;
    const said = isHtml ? `${countOf(seen, audience)} ${part}` : `${sayCount(need)}${part && ` (${part})`}.`;
    return ['needs', group.name, said, sayAdvice(need, calendar.kind)];
  });
  return [
    ['needs', say('needs.heading'), isHtml && say('column.people.seen')],
    ...rows,
    ['needs', needs.length > 5 && say('needs.more', { count: needs.length - 5 })],
  ];
}

function sayCount({ seen, audience }: Need): string {
  if (audience === null) return seen === 0 ? say('needs.unseen') : say('needs.seen', { count: seen });
  return seen === 0 ? say('needs.unseenOf', { count: audience }) : say('needs.seenOf', { count: seen, audience });
}

function sayAdvice({ group, seen, audience }: Need, kind: Mail['calendar']['kind']): string {
  const { timesNamed, atAge, entry } = group;
  const creator = entry.createdBy ?? '';
  if (group.kind === 'silent') {
    const again = say(`needs.again.${kind}`, { nth: ['', '2nd', '3rd', '4th'][timesNamed] ?? '' });
    return `${say(creator === '' ? 'needs.findOut' : 'needs.askSent', { creator })} ${timesNamed > 0 ? again : ''}`;
  }
  const remind = say(creator === '' ? 'needs.sendReminder' : 'needs.askReminder', { creator });
  const advice = audience === null ? remind : say('needs.remind', { count: audience - seen });
  return `${advice} ${atAge?.usual == null ? '' : say('needs.usual', usualOf(atAge))}`;
}
