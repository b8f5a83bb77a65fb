import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import type { Digest } from '../../../../functions/domain/digest.ts';
import type { RenderedDigest } from '../../../../functions/render/render.ts';
import { faultsOfBroadcast, faultsOfOlder, nameOfGroup } from './mail-broadcasts.ts';
import { expectedNeeds } from './mail-needs.ts';
import type { KnownGroup } from '../groups.ts';
import type { Known } from '../known.ts';
import type { Answered } from '../lists.ts';
import { faultsOfVerdict } from './mail-verdict.ts';
import { isPercent } from './percent.ts';
import { readHtml, readText, type ReadMail } from './read-mail.ts';

/** Reasons for which something is missing: the mail names so many of them. */
const namedReasons = 5;

/** In what the html and the text of a mail differ from what is known; broadcasts are in the digest's order. */
export function faultsOfMail(known: Known, digest: Digest, mail: Pick<RenderedDigest, 'html' | 'text'>): string[] {
  const parts = [
    ['html', readHtml(mail.html)],
    ['text', readText(mail.text)],
  ] as const;
  const groups = digest.broadcasts.flatMap(({ deliveries }) => groupInOrder(known, deliveries));
  return parts.flatMap(([name, part]) =>
    [
      ...faultsOfTotals(known, part),
      ...faultsOfVerdict(known, groups, part.verdict),
      ...faultsOfIncomplete(known, digest, part),
      ...faultsOfNeeds(known, groups, part),
      ...faultsOfBroadcasts(groups, part),
    ].map((fault) => `${name}: ${fault}`),
  );
}

/** What is known of the deliveries with these ids, in their order. */
function groupInOrder({ groups }: Known, ids: readonly string[]): KnownGroup[] {
  const group = groups.find(({ deliveries }) => deliveries.some(({ id }) => id === ids[0]));
  if (group === undefined) return [];
  const deliveries = group.deliveries.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return [{ ...group, deliveries }];
}

function isComplete({ missing, totals }: Known): boolean {
  return missing.size === 0 && totals !== null;
}

function faultsOfTotals({ totals, previous, deliveries }: Known, part: ReadMail): string[] {
  const expectsTiles = totals !== null && deliveries.length > 0;
  const seen = part.tile('seen');
  if (totals === null || !expectsTiles)
    return seen === null || totals !== null ? [] : ['totals.seen: they are not known'];
  const broadcasts = part.tile('broadcasts');
  const rate = part.tile('responseRate')?.value ?? '';
  const isRate = totals.responseRate === null ? rate === messages['figure.none'] : isPercent(rate, totals.responseRate);
  const change = previous === null ? '' : changeOf(totals.seen, previous.seen);
  return [
    ...(seen?.value === String(totals.seen) ? [] : [`totals.seen: expected ${totals.seen}, found ${seen?.value}`]),
    ...(seen?.notes.includes(change) ? [] : [`totals.seen: expected ${change}, found ${seen?.notes}`]),
    ...(isRate ? [] : [`totals.responseRate: expected ${totals.responseRate ?? 'none'}, found ${rate}`]),
    ...faultsOfAsked(totals.asked, part),
    ...(broadcasts?.value === String(totals.broadcasts)
      ? []
      : [`totals.broadcasts: expected ${totals.broadcasts}, found ${broadcasts?.value}`]),
    ...(new RegExp(`\\b${totals.deliveries} deliver(?:y|ies)\\b`).test(broadcasts?.notes ?? '')
      ? []
      : [`totals.deliveries: expected ${totals.deliveries}, found ${broadcasts?.notes}`]),
  ];
}

function changeOf(now: number, before: number): string {
  if (now === before) return `as before (${before})`;
  return `${now > before ? '+' : '\u2212'}${Math.abs(now - before)} (was ${before})`;
}

/** What the response rate is of. */
function faultsOfAsked(asked: Answered | null, part: ReadMail): string[] {
  const [, responses, views] = /: (\d+) of (\d+) viewers responded/.exec(part.tile('broadcasts')?.notes ?? '') ?? [];
  const expected = asked === null || asked.seen === 0 ? undefined : `${asked.answered} of ${asked.seen}`;
  const found = responses === undefined ? undefined : `${responses} of ${views}`;
  return expected === found ? [] : [`totals.responded: expected ${expected}, found ${found}`];
}

/** What is missing is said, with its reasons. */
function faultsOfIncomplete({ missing, totals }: Known, digest: Digest, { incomplete }: ReadMail): string[] {
  const words = Object.entries(messages);
  const shown = [...new Set(digest.missing.map(({ reason, status }) => `${reason} ${status}`))].slice(0, namedReasons);
  const reasons = shown.map((each) => each.split(' ')[0] ?? '');
  const unsaid = reasons.filter((reason) => {
    const said = words.find(([key]) => key === `reason.${reason}`)?.[1];
    return typeof said !== 'string' || incomplete?.includes(said) !== true;
  });
  const deliveries = digest.missing.filter(({ what }) => what === 'delivery').length;
  const counted = [...(incomplete?.matchAll(/(\d+) deliver(?:y|ies)\b/g) ?? [])].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  const distinct = new Set(digest.missing.map(({ reason, status }) => `${reason} ${status}`)).size;
  return [
    ...((incomplete !== null) === (missing.size > 0 || totals === null)
      ? []
      : [`incomplete: expected ${missing.size > 0}`]),
    ...(distinct > namedReasons || counted === deliveries
      ? []
      : [`incomplete: expected ${deliveries} deliveries, found ${counted}`]),
    ...unsaid.map((reason) => `missing: does not say "${reason}"`),
  ];
}

/** What needs the reader is said of at most five, and how many more there are. */
function faultsOfNeeds(known: Known, groups: readonly KnownGroup[], { needs }: ReadMail): string[] {
  const expected = expectedNeeds(groups);
  const saysNothing = needs?.includes(messages['needs.none']) ?? false;
  if (expected.length === 0) {
    const expectsNothing = isComplete(known) && known.deliveries.length > 0;
    return saysNothing === expectsNothing && (saysNothing || needs === null)
      ? []
      : [`needs: expected ${expectsNothing ? 'that nothing does' : 'no word'}, found ${needs}`];
  }
  const shown = needs ?? '';
  const more = Number(/(\d+) more needs? you/.exec(shown)?.[1] ?? 0);
  const named = Math.min(5, expected.length);
  const facts = shown.match(/ha(?:s|ve) (?:not )?seen (?:it|deliver)/g)?.length ?? 0;
  const found = expected.filter((fact) => shown.includes(` ${fact} `));
  return [
    ...(facts === named && more === expected.length - named
      ? []
      : [`needs: expected ${named} and ${expected.length - named} more, found ${facts} and ${more}`]),
    ...(found.length >= named ? [] : [`needs: expected ${expected.join(' | ')}, found ${shown}`]),
  ];
}

function hasUntyped(contents: KnownGroup['contents']): boolean {
  return contents?.some(({ type }) => type === '') ?? false;
}

function faultsOfBroadcasts(groups: readonly KnownGroup[], part: ReadMail): string[] {
  const fresh = groups.filter(({ deliveries }) => deliveries[0]?.kind === 'new');
  const names = fresh.map(({ deliveries }) => nameOfGroup(deliveries) ?? messages['name.none']);
  const { count, blocks } = part.fresh(names.slice(0, 10));
  return [
    ...(count === fresh.length ? [] : [`new broadcasts: expected ${fresh.length}, found ${count}`]),
    ...blocks.flatMap((block, index) => {
      const group = fresh[index];
      // An item without a type is called as a broadcast without a name: where both are, blocks cannot be told apart.
      const isTellable = !names.includes(messages['name.none']) || fresh.every(({ contents }) => !hasUntyped(contents));
      return group === undefined || !isTellable
        ? []
        : faultsOfBroadcast(group, block, part.words).map((fault) => `broadcast ${index}${fault}`);
    }),
    ...faultsOfOlder(
      groups.filter(({ deliveries }) => deliveries[0]?.kind === 'active'),
      part,
    ),
  ];
}
