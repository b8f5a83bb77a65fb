import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import type { KnownGroup } from '../groups.ts';
import type { Known } from '../known.ts';
import type { KnownTotals } from '../period.ts';
import { isPercent } from './percent.ts';

/** In what the head of the mail differs from what is known: of the verdict the first sentence, of its others the numbers. */
export function faultsOfVerdict(known: Known, groups: readonly KnownGroup[], head: string): string[] {
  const verdict = head.trimEnd();
  const { totals, missing, deliveries } = known;
  if (totals === null || missing.size > 0) {
    const said = messages[totals === null ? 'verdict.noTotals' : 'verdict.incomplete'];
    return verdict.endsWith(` ${said}`) ? [] : [`verdict: expected that figures are missing, found ${verdict}`];
  }
  if (deliveries.length === 0) return [];
  const first = firstSentence(known, totals);
  return [
    ...(verdict.includes(` ${first}`) ? [] : [`verdict: expected ${first}, found ${verdict}`]),
    ...faultsOfMostSeen(totals, groups, verdict),
    ...faultsOfUsual(groups, verdict),
  ];
}

const nouns = { views: ['view', 'views'], responses: ['response', 'responses'] } as const;

function sayCount(of: keyof typeof nouns, count: number): string {
  return `${count} ${nouns[of][count === 1 ? 0 : 1]}`;
}

function firstSentence({ account, previous, trend }: Known, totals: KnownTotals): string {
  const { kind } = account.calendar;
  const figures = {
    responses: (of: KnownTotals): number | null => of.asked?.responded ?? null,
    views: (of: KnownTotals): number | null => of.seen,
  };
  const moved = (['responses', 'views'] as const).flatMap((of) => {
    const now = figures[of](totals);
    const before = previous === null ? null : figures[of](previous);
    return now === null || before === null ? [] : [{ of, now, before, by: Math.abs(now - before) }];
  });
  if (moved.length === 0) {
    const { responses } = { responses: figures.responses(totals) };
    return `${[sayCount('views', totals.seen), ...(responses === null ? [] : [sayCount('responses', responses)])].join(', ')}.`;
  }
  const share = ({ by, before }: (typeof moved)[number]): number => (by === 0 ? 0 : by / before);
  const most = moved.reduce((one, other) => (share(other) > share(one) ? other : one));
  const { of, now, before, by } = most;
  const areFew = totals.seen < 10 && (figures.responses(totals) ?? 0) < 10;
  if (by > 0 && (areFew || now * before === 0)) return `${sayCount(of, now)}; ${before} the ${kind} before.`;
  if (by < 10 || 10 * by < before) return `Views and responses are about the same as the ${kind} before.`;
  const said = `${sayCount(of, now)}, ${by} ${now < before ? 'fewer' : 'more'} than the ${kind} before`;
  const values = trend.map((each) => (each.figures === null ? null : figures[of](each.figures)));
  const inARow = values.slice(values.lastIndexOf(null) + 1);
  const others = inARow.slice(0, -1).map(Number);
  const isExtreme = others.every((each) => (now < before ? now < each : now > each));
  if (inARow.length < 4 || !isExtreme) return `${said}.`;
  return `${said}, the ${now < before ? 'fewest' : 'most'} in ${inARow.length} ${kind}s.`;
}

/** The broadcast that at least half of the views were of, where three or more are in the digest. */
function faultsOfMostSeen(totals: KnownTotals, groups: readonly KnownGroup[], verdict: string): string[] {
  const ids = groups.map(({ deliveries: [first] }) => (first?.broadcast.id === '' ? first.id : first?.broadcast.id));
  const views = [...new Set(ids)].map((id) =>
    groups.reduce((sum, { inPeriod }, place) => sum + (ids[place] === id ? (inPeriod?.seen ?? 0) : 0), 0),
  );
  const most = Math.max(...views);
  const isExpected = views.length >= 3 && totals.seen > 0 && 2 * most >= totals.seen;
  const expected = isExpected ? `${most} of ${totals.seen}` : 'none';
  const [, count, all] = /\. (\d+) of the (\d+) views? w(?:as|ere) of /.exec(verdict) ?? [];
  const found = count === undefined ? 'none' : `${count} of ${all}`;
  return found === expected ? [] : [`most seen: expected ${expected}, found ${found}`];
}

/** The new broadcast that is a quarter or more below its usual, of 10 or more, else above: the farthest. */
function faultsOfUsual(groups: readonly KnownGroup[], verdict: string): string[] {
  const compared = groups.flatMap(({ deliveries, atAge, audience }) => {
    if (deliveries[0]?.kind !== 'new' || atAge?.usual == null) return [];
    const { share, seen } = atAge.usual;
    const usual = share === null ? seen : share * (audience ?? 0);
    const far = atAge.seen / usual;
    return usual < 10 || Math.abs(far - 1) < 0.25 ? [] : [{ far, atAge, audience, usual: atAge.usual }];
  });
  const lowest = compared.toSorted((one, other) => one.far - other.far);
  const expected = (lowest[0]?.far ?? 2) < 1 ? lowest[0] : lowest.at(-1);
  const [, seen, age, unit, usual = ''] =
    / (?:reached|had) (\d+)\D.*?within (\d+) (hour|day)s?; usually (\S+)\.$/.exec(verdict) ?? [];
  if (expected === undefined || seen === undefined) {
    return (expected === undefined) === (seen === undefined) ? [] : [`usual: expected ${expected?.far}, found ${seen}`];
  }
  const { atAge } = expected;
  const hours = Number(age) * (unit === 'day' ? 24 : 1);
  const isUsual =
    expected.usual.share === null
      ? Number(usual) === Math.round(expected.usual.seen)
      : isPercent(usual, expected.usual.share);
  const isRight = Number(seen) === atAge.seen && hours === atAge.hours && isUsual;
  return isRight ? [] : [`usual: expected ${atAge.seen} in ${atAge.hours} h, found ${verdict}`];
}
