import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest, DigestBroadcast, DigestDelivery } from '../../../functions/domain/digest.ts';
import { periodKindNames } from '../../../functions/domain/period.ts';
import { memoize } from '../../../functions/domain/wording.ts';
import type { SectionInput } from '../../../functions/render/input.ts';
import { viewDigest } from '../../../functions/render/render.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { content, delivery, digest, engaged, unread } from '../../support/digests/pieces.ts';
import { isPercent } from '../../support/oracle/compare/percent.ts';
import { plain, sectionOf } from './sections.ts';
import english from '../../../templates/locales/en.json' with { type: 'json' };
import french from '../../../templates/locales/fr.json' with { type: 'json' };
import german from '../../../templates/locales/de.json' with { type: 'json' };

/** The messages that have to be met. */
const wanted =
  /^(subject\.(?!noTitle|noMatch)|empty\.(?!statuses|noMatch)|verdict|needs|tile|before|span|age|ordinal|count\.(vi|respons)|notes\.late)/;
/** The messages that may stand in the braces of others. */
const messagesIn: Record<string, string> = {
  said: '^(verdict.(fewer|more)|needs.(un)?seen(Of)?)$',
  figure: '^count',
  figures: '^count',
  engaged: '^count',
  before: '^before',
  span: '^span',
  age: '^age',
  nth: '^ordinal',
};

/**
 * Reads texts of one language in mails of one kind of period. Of each sentence it gives the messages that it is made of, and what
 * stands in their braces (`verdict.fewer/count`); nothing of a text that is made of anything else.
 */
function createReader(messages: typeof english, [thousands = '', percent = '']: string[], kind: string) {
  const number = String.raw`\d{1,3}(?:[${thousands}]\d{3})*`;
  const rate = `[<>]?${number}${percent}`;
  const name = `${messages['name.quoted'].replace('{name}', String.raw`[\w -]+`)}|[(][^)]+[)]`;
  const shapes = new Map(Object.entries({ name, rate, usual: `${rate}|${number}`, change: `[+−]${number}` }));
  const shapeOf = (name: string) => shapes.get(name) ?? (/^(creator|date|day)$/.test(name) ? '.+' : number);
  const isOther = new RegExp(`[.](?!${kind}$)(${periodKindNames.join('|')})$`);
  const forms = Object.entries(messages)
    .filter(([key]) => wanted.test(key) && !isOther.test(key))
    .flatMap(([key, all]) => Object.values(typeof all === 'string' ? [all] : all).map((form) => ({ key, form })));
  const patternOf = (keys: string, labels: string[]): string => {
    const patterns = forms.flatMap(({ key, form }) => {
      if (!new RegExp(keys).test(key)) return [];
      labels.push(key);
      return form.replaceAll(/\{(\w+)\}|[.*+?^$()|[\]\\]/g, (found, name?: string) => {
        if (name === undefined) return `\\${found}`;
        const within = messagesIn[name];
        if (within === undefined) labels.push(`${key}/${name}`);
        const pattern = within === undefined ? `(${shapeOf(name)})` : patternOf(within, labels);
        const isList = name === 'figures' || name === 'engaged';
        return isList ? `${pattern}(?:(?:, | and | und | et )${patternOf(within ?? '', labels)})?` : pattern;
      });
    });
    return `(?:(${patterns.join(')|(')}))`;
  };
  const compile = memoize((keys: string) => {
    const labels: string[] = [];
    return { pattern: new RegExp(`${patternOf(keys, labels)}(?:$|(?<=[.]) )`, 'gy'), labels };
  });
  const read = (text: string, keys: string) => {
    const { labels, pattern } = compile(keys);
    const found = [...text.matchAll(pattern)];
    const isWhole = found.map(([sentence]) => sentence).join('') === text;
    return (isWhole ? found : []).map(([, ...said]) => {
      return new Map(labels.flatMap((label, at) => (said[at] === undefined ? [] : [[label, said[at]] as const])));
    });
  };
  return { read, numberOf: (text = '') => Number(text.replaceAll(thousands, '').replace('−', '-') || NaN) };
}

/** Each language with its separator of thousands and its percent sign, and a reader for each kind of period. */
const languages = [
  { messages: plain(english), signs: [',', '%'], ...createLanguage('en', english, 'Europe/London') },
  { messages: plain(german), signs: ['.', ' %'], ...createLanguage('de', german, 'Europe/London') },
  { messages: plain(french), signs: [' ', ' %'], ...createLanguage('fr', french, 'Europe/London') },
].map(({ messages, signs, ...language }) => {
  return { language, readerOf: memoize((kind: string) => createReader(messages, signs, kind)) };
});

const isOf = (broadcast: DigestBroadcast) => (each: DigestDelivery) => broadcast.deliveries.includes(each.id);
const sum = (all: ReadonlyArray<number | null | undefined>) =>
  all.reduce<number>((sum, each) => sum + (each ?? NaN), 0);
const peopleOf = (all: readonly DigestDelivery[]) => sum(all.map((each) => (each.reach === null ? null : each.listed)));

/** What a digest says of a broadcast: what of its usual it had (`NaN` where that is under ten), and whether it needs somebody. */
function knownOf(broadcast: DigestBroadcast, { deliveries }: Digest) {
  const { kind, atAge, listedDeliveries } = broadcast;
  const all = deliveries.filter(isOf(broadcast));
  const own = all.filter(({ judged }) => judged);
  const usual = atAge?.usual ?? null;
  const expected = usual?.share == null ? (usual?.seen ?? NaN) : usual.share * peopleOf(kind === 'active' ? own : all);
  const ofUsual = expected >= 10 ? (atAge?.seen ?? NaN) / expected : NaN;
  const [people, seen] = [peopleOf(own), sum(own.map((each) => (each.seen || !each.responded ? each.seen : null)))];
  const isUnseen = kind === 'silent' && own.length > 0 && seen === 0;
  const isLow = usual === null ? seen / people < 0.5 : ofUsual <= (usual.share === null ? 0.5 : 0.75);
  const isNeed = isUnseen || (kind !== 'silent' && own.length > 0 && seen >= 0 && isLow && !(people - seen < 10));
  const part = [own.length, kind === 'silent' ? listedDeliveries : all.length] as const;
  return { broadcast, all, people, seen, rest: people - seen || -1, usual, ofUsual, part, isUnseen, isNeed };
}
type Known = ReturnType<typeof knownOf>;

/** Whether one broadcast, new and older deliveries of it, asks nothing. */
const informs = (all: DigestBroadcast[]) => all.some(({ asks }) => asks === false) && !all.some(({ asks }) => asks);

/** A figure of the period and of the one before; `NaN` where it is not known, or nothing is compared. */
type Pair = readonly [now: number, before: number];
const pairOf = (now?: number | null, before?: number | null): Pair => [now ?? NaN, before ?? NaN];
const isLarge = ([now, before]: Pair) => Math.abs(now - before) >= 10 && Math.abs(now - before) * 10 >= before;

/** The texts of a mail that its digest does not prove. The messages that are read are added to `met`. */
function unprovedOf(input: SectionInput, { read, numberOf }: ReturnType<typeof createReader>, met: Set<string>) {
  const { digest: of, report, figures: formats, locale } = input;
  const { totals, period, trend, missing, late } = of;
  const known = of.broadcasts.map((broadcast) => knownOf(broadcast, of));
  const needs = known.filter(({ isNeed }) => isNeed).toSorted((one, other) => other.rest - one.rest);
  const kept = totals.comparison.basis === 'kept' ? totals.previous : null;
  const views = pairOf(totals.seen, kept?.seen);
  const responses = pairOf(totals.asked?.responded, kept?.asked?.responded);
  const fresh = known.filter(({ broadcast: { kind, timesNamed }, all, isUnseen }) => {
    return peopleOf(all) > 0 && (kind === 'new' || (isUnseen && timesNamed === 0));
  });
  const reached = sum(fresh.map(({ broadcast }) => broadcast.inPeriod?.seen));
  const tiles = { responses, views, broadcasts: pairOf(totals.broadcasts, kept?.broadcasts) };
  const pairs = Object.entries({ ...tiles, reach: pairOf(reached, peopleOf(fresh.flatMap(({ all }) => all))) });
  const byId = [...Map.groupBy(of.broadcasts, ({ id, deliveries }) => id || deliveries.join()).values()];
  const ofNeeds = byId.filter((all) => needs.some(({ broadcast }) => all.includes(broadcast)));
  const lastDay = plain(formats[period.kind === 'week' ? 'weekdayBefore' : 'dayBefore'](period.end));

  /** Whether the digest proves a sentence: of itself, of what needs somebody, or of other figures than its totals. */
  const isProved = (said: ReadonlyMap<string, string>, need?: Known, both: readonly Pair[] = [views, responses]) => {
    const isViews = said.has('count.views');
    const [now = NaN, before = NaN] = both[isViews ? 0 : 1] ?? [];
    const span = numberOf(said.get(`span.${period.kind}/count`));
    const row = trend.slice(-span, -1).map(({ seen, asked }) => (isViews ? seen : asked?.responded) ?? NaN);
    const isRow = span >= 4 && row.length === span - 1;
    const hours = numberOf(said.get('age.hours/count')) || numberOf(said.get('age.days/count')) * 24;
    const { broadcast, people = NaN, seen = NaN, isUnseen = false, part } = need ?? {};
    return [...said.keys()].every((key) => {
      const valueOf = (name: string) => said.get(`${key}/${name}`);
      const n = (name = 'count') => numberOf(valueOf(name) ?? '1');
      const isRate = (name: string, ratio: number) => isPercent(valueOf(name)?.replace(' ', '') ?? '', ratio);
      const isUsual = ({ usual, broadcast }: Known) => {
        const isIt =
          usual?.share == null ? n('usual') === Math.round(usual?.seen ?? NaN) : isRate('usual', usual.share);
        return isIt && hours === broadcast.atAge?.hours;
      };
      const isNamed = (each?: DigestBroadcast) => valueOf('name')?.includes(each?.name ?? '(') === true;
      const warnings = need?.all.filter(({ judged, lastWarning }) => judged && lastWarning !== undefined) ?? [];
      const since = sum(warnings.map(({ seen, lastWarning }) => (seen ?? 0) - (lastWarning?.seen ?? 0)));
      const isDated = warnings.length > 0 && valueOf('date') === plain(formats.day(periods.week.start, period.start));
      const isAsked = (valueOf('creator') ?? null) === broadcast?.createdBy;
      const halves = byId.filter((all) => {
        const isAll = n() === sum(all.map(({ inPeriod }) => inPeriod?.seen ?? 0)) && n('all') === totals.seen;
        return byId.length >= 3 && isNamed(all[0]) && isAll && n() * 2 >= n('all');
      });
      const isFar = (each: Known) => {
        const { kind, audience, atAge } = each.broadcast;
        const isShare = !key.endsWith('d') || (n('audience') === audience && isRate('rate', n() / n('audience')));
        const isAway = kind === 'new' && Math.abs(each.ofUsual - 1) >= 0.25;
        return isNamed(each.broadcast) && isAway && isShare && n() === atAge?.seen && isUsual(each);
      };
      const proofs: ReadonlyArray<readonly [RegExp, () => boolean]> = [
        [/\/|^(before|span|age|ordinal|verdict.sentence|tile.(views|responses|broadcasts|reach)$)/, () => true],
        [/^subject.needs$/, () => n() === ofNeeds.length],
        [/^subject.change$/, () => n('change') === now - before],
        [/^subject.(incomplete|nothing)$/, () => missing.length > 0],
        [/^(subject.)?empty/, () => of.deliveries.length + missing.length === 0],
        [/^count/, () => n() === both[key === 'count.views' ? 0 : 1]?.[0]],
        [/^verdict.now$/, () => both.every(([, before]) => Number.isNaN(before))],
        [/^verdict.counts$/, () => n() === before],
        [/^verdict.same$/, () => both.every((each) => !isLarge(each) && !Number.isNaN(each[0] - each[1]))],
        [/^verdict.fewer$/, () => n() === before - now && isLarge([now, before])],
        [/^verdict.more$/, () => n() === now - before && isLarge([now, before])],
        [/^verdict.fewest$/, () => isRow && row.every((each) => now < each)],
        [/^verdict.most$/, () => isRow && row.every((each) => now > each)],
        [/^verdict.mostSeen$/, () => halves.length > 0],
        [/^verdict.informing$/, () => halves.some((all) => informs(all))],
        [/^verdict.reached/, () => known.some(isFar)],
        [/^needs.heading$/, () => needs.length > 0],
        [/^needs.nothing$/, () => needs.length + missing.length + of.unknownDate === 0],
        [/^needs.more/, () => n() === needs.length - 5],
        [/^needs.sentence$/, () => isNamed(broadcast)],
        [/^needs.unseen$/, () => isUnseen && Number.isNaN(people)],
        [/^needs.unseenOf$/, () => isUnseen && n() === people],
        [/^needs.seen$/, () => Number.isNaN(people) && n() === seen],
        [/^needs.seenOf$/, () => n() === seen && n('audience') === people],
        [/^needs.part$/, () => n('part') === part?.[0] && n() === part[1] && n('part') < n()],
        [/^needs.(askSent|findOut)$/, () => isUnseen && isAsked],
        [/^needs.again/, () => isUnseen && said.has(`ordinal.${(broadcast?.timesNamed ?? 0) + 1}`)],
        [/^needs.(ask|send)Reminder$/, () => !isUnseen && Number.isNaN(people) && isAsked],
        [/^needs.remind$/, () => !isUnseen && n() === people - seen && n() >= 10],
        [/^needs.warning/, () => n() === (key.endsWith('g') ? since : 1) && since > 0 === key.endsWith('g') && isDated],
        [/^needs.usual$/, () => need !== undefined && isUsual(need)],
        [/^tile.fewer$/, () => n() === before - now && n() > 0 && n('previous') === before],
        [/^tile.more$/, () => n() === now - before && n() > 0 && n('previous') === before],
        [/^tile.fewer.word$/, () => now < before],
        [/^tile.more.word$/, () => now > before],
        [/^tile.same$/, () => now === before],
        [/^tile.reach/, () => n() === now && n('audience') === before && (valueOf('day') ?? lastDay) === lastDay],
        [/^notes.late$/, () => valueOf('date') === plain(formats.day(period.start, period.start))],
      ];
      return proofs.find(([keys]) => keys.test(key))?.[1]() === true;
    });
  };
  const check = (text: string | null | undefined, keys: string, need?: Known, figures?: readonly Pair[]): string[] => {
    if (text == null || text === '') return [];
    const all = read(text, keys);
    for (const key of all.flatMap((said) => [...said.keys()])) met.add(`${locale} ${key}`);
    return all.length > 0 && all.every((said) => isProved(said, need, figures)) ? [] : [text];
  };
  /** Where not all of its deliveries are meant, it is said how many: "1 of 2 deliveries, first seen Nov 10". */
  const checkPart = (text: string | null | undefined, need?: Known) =>
    need && need.part[0] < need.part[1] && !text ? ['part'] : check(text?.split(',')[0], '^needs.part', need);

  const view = plain(viewDigest(input, { logo: null, canUnsubscribe: false, test: false }));
  const { subject, preheader, verdict, needs: told, tiles: shown } = view;
  const [said = '', title = report.title] = subject
    .replace(`, ${plain(formats.period(period, 'short'))}`, '')
    .split(' – ');
  const isWhole = (told?.needs.length ?? 0) === Math.min(5, needs.length) && (missing.length === 0 || verdict === null);
  const isShort = subject.length <= 78 && preheader.length <= 130 && !preheader.startsWith(`${said}.`);
  const [, first = preheader, part, dot = ''] = /^(.*) \((\d.*)\)(\.)$/.exec(preheader) ?? [];
  const isRead = needs.length > 0 || (missing.length === 0 && kept !== null);
  return [
    ...(isWhole && isShort && title === report.title ? [] : [`${subject}: ${preheader}`]),
    ...said.split(', ').flatMap((each) => check(each, '^(count|subject)')),
    ...(isRead
      ? [...check(first + dot, '^(needs.sentence|verdict|empty)', needs[0]), ...checkPart(part, needs[0])]
      : []),
    ...check([verdict?.first, verdict?.others].filter(Boolean).join(' '), '^(verdict.(?!(fewer|more)$)|empty)'),
    ...check(told?.heading, '^needs.(heading|nothing)$'),
    ...check(told?.more, '^needs.more'),
    ...(told?.needs ?? []).flatMap(({ count, seen, part: own, advice }, at) => {
      const [need, first] = [needs[at], numberOf(/^[\d., ]*\d/.exec(count)?.[0])];
      const inWords = check(seen.slice(0, 1).toLowerCase() + seen.slice(1), '^needs.(un)?seen', need);
      return [inWords, first === need?.seen ? [] : count, checkPart(own, need), check(advice, '^needs', need)].flat();
    }),
    ...(shown?.tiles ?? []).flatMap(({ label, value, change, note, said }) => {
      const [name, pair = views] = pairs.find(([name]) => check(label, `^tile.${name}$`).length === 0) ?? [];
      const figure =
        name === 'reach' ? isPercent(value.replace(' ', ''), pair[0] / pair[1]) : numberOf(value) === pair[0];
      const by = pair[0] - pair[1];
      const isBy = change === null || (numberOf(change.count) === Math.abs(by) && change.isLess === by < 0);
      const isRight = (figure || Number.isNaN(pair[0])) && isBy;
      const of: Pair[] = [pair, pair];
      return [change?.word, note, said]
        .flatMap((text) => check(text, '^tile', undefined, of))
        .concat(isRight ? [] : value);
    }),
    ...check(view.late, '^notes.late', undefined, [pairOf(late?.seen), pairOf(late?.responded)]),
  ];
}

const periods = {
  day: { start: '2026-11-11T00:00:00+00:00', end: '2026-11-12T00:00:00+00:00' },
  week: { start: '2026-11-09T00:00:00+00:00', end: '2026-11-16T00:00:00+00:00' },
  month: { start: '2026-11-01T00:00:00+00:00', end: '2026-12-01T00:00:00+00:00' },
  quarter: { start: '2026-10-01T00:00:00+01:00', end: '2027-01-01T00:00:00+00:00' },
};
const nothing = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };

/** Some digest with everything that sentences are about; its totals are those of its deliveries. */
function toDigest(numbers: readonly number[]): Digest {
  const drawn = numbers.values();
  const upTo = (most: number) => (drawn.next().value ?? 0) % (most + 1);
  const one = <Value>(...values: Value[]) => values[upTo(values.length - 1)] as Value;
  const near = (figure: number) =>
    Math.max(0, Math.round(figure * one(0, 0.5, 0.9, 1, 1, 1.1, 2)) + one(0, 0, -1, 1, -9, 9, -10, 10));
  const deliveries = Array.from({ length: one(upTo(5), upTo(12), 24) }, (_, at) => {
    const kind = one('new' as const, 'new' as const, 'active' as const, 'silent' as const, 'silent' as const, null);
    const [id, key] = [String(at + 10), one('', 'a', 'b', 'c', 'd', 'e', 'f', 'h')];
    if (kind === null) return unread(id);
    const people = one(1 + upTo(19), 20 + upTo(120), 1000 + upTo(3000));
    const seen = kind === 'silent' ? 0 : one(upTo(people), Math.max(0, people - one(9, 10)));
    const responded = kind === 'silent' ? 0 : Math.ceil((seen + 1) / one(2, 4));
    // Responses without a view: the service does not say who saw it.
    const listed = seen < responded ? null : one(people, people, null);
    const [createdBy, name] = [key < 'c' ? null : 'Tom Baker', key === 'h' ? null : `Plan ${key || id}`];
    const reach = listed && seen / listed;
    const warning = one({}, {}, { lastWarning: { at: periods.week.start, seen: one(seen, upTo(seen)) } });
    const figures = { seen, responded, listed, reach, judged: one(true, false), ...warning };
    return delivery({
      id,
      kind,
      ...figures,
      firstSign: kind === 'silent' ? null : delivery().firstSign,
      broadcast: { id: key, name, createdAt: null, createdBy },
      inPeriod: one(engaged(seen, responded), engaged(seen >> 1, 0)),
      contents: upTo(9) === 9 ? null : [content({ type: key < 'd' ? 'poll' : 'text', reach: null })],
    });
  });
  const of = digest({ deliveries });
  const broadcasts = of.broadcasts.map((broadcast) => {
    const isSilent = broadcast.kind === 'silent';
    const own = deliveries.filter((each) => each.judged || each.kind === 'new').filter(isOf(broadcast));
    const share = Number.isNaN(peopleOf(own)) ? null : one(0.05, 0.3, 0.6, 0.9);
    const usual = one(null, { of: 3, editions: [], seen: upTo(200) / 2, responded: 1, share });
    const atAge = { hours: one(6, 12, 24, 48, 672), seen: sum(own.map(({ seen }) => seen)), responded: 0, usual };
    const over = { atAge: isSilent || !(atAge.seen > 0) ? null : atAge, timesNamed: isSilent ? upTo(3) : 0 };
    return Object.assign({}, broadcast, over, { listedDeliveries: broadcast.listedDeliveries + one(0, 0, 1) });
  });
  const read = broadcasts.filter(({ inPeriod }) => inPeriod !== null && inPeriod.seen + inPeriod.responded > 0);
  const asking = read.filter(({ asks }) => asks !== false);
  const figuresOf = (broadcasts: number, seen: number, responded: number | null) => {
    const asked = responded === null ? null : engaged(seen, responded);
    return { ...nothing, broadcasts, seen, asked };
  };
  const seen = sum(read.map(({ inPeriod }) => inPeriod?.seen));
  const responded = asking.every(({ asks }) => asks) ? sum(asking.map(({ inPeriod }) => inPeriod?.responded)) : null;
  const [kind, missing, tilt] = [one(...periodKindNames), one(0, 0, 0, 0, 0, 1, 2), one(0.5, 1, 2)];
  const previous = figuresOf(near(3), near(seen), upTo(9) === 9 ? null : near(responded ?? 20));
  const tilted = (figure: number | null) => figure && Math.round(figure * tilt) + one(0, 1, 10);
  const earlier = () => figuresOf(1, tilted(seen) ?? 0, tilted(responded));
  const fresh = broadcasts.filter(({ kind }) => kind === 'new').length;
  const now = missing > 1 ? nothing : figuresOf(fresh, seen, responded);
  const isKept = missing < 2 && one(true, true, true, false);
  const none = { basis: 'none', reason: 'first', lacking: periods[kind] } as const;
  const before = Array.from({ length: upTo(6) }, () => (upTo(9) === 9 ? nothing : earlier()));
  const { start } = periods[kind];
  return {
    ...of,
    broadcasts,
    unknownDate: one(0, 0, 0, 2),
    late: one(null, { seen: one(0, 1, 200), responded: one(0, 1, 1200) }),
    period: { kind, ...periods[kind], timeZone: 'Europe/London' },
    totals: { ...now, undated: 0, previous, comparison: isKept ? { basis: 'kept' } : none },
    trend: [...before, isKept ? previous : nothing, now].map((each) => Object.assign({ start, complete: true }, each)),
    missing: missing === 0 ? [] : [{ what: 'ratings', reason: 'failed' }],
  };
}

test('no sentence of a mail says what its digest does not prove, in any language', () => {
  const met = new Set<string>();
  const title = fc.constantFrom('', 'Weekly digest', 'A title that is much too long for '.repeat(3));
  const page = fc.constantFrom(null, 'https://example.com');
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 600, maxLength: 600 }), title, page, (numbers, title, page) => {
      const section = sectionOf(toDigest(numbers), { page });
      const report = { ...section.report, title };
      const unproved = languages.flatMap(({ language, readerOf }) =>
        unprovedOf({ ...section, ...language, report }, readerOf(section.digest.period.kind), met),
      );
      expect(unproved).toEqual([]);
    }),
    { numRuns: 1500 },
  );
  const keys = Object.keys(english).filter((key) => wanted.test(key));
  expect(languages.flatMap(({ language }) => keys.filter((key) => !met.has(`${language.locale} ${key}`)))).toEqual([]);
});
