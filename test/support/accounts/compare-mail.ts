import messages from '../../../templates/locales/en.json' with { type: 'json' };
import type { Digest } from '../../../functions/domain/digest.ts';
import type { RenderedDigest } from '../../../functions/run/render/render.ts';
import type { Counted } from './oracle-lists.ts';
import type { Known, KnownDelivery } from './oracle.ts';
import { readHtml, readText, type ReadMail } from './read-mail.ts';

/** Things that are missing: the mail names so many of them, and says how many more there are. */
const namedGaps = 5;

/** In what the html and the text of a mail differ from what is known; deliveries are in the digest's order. */
export function faultsOfMail(known: Known, digest: Digest, mail: RenderedDigest): string[] {
  const deliveries = digest.deliveries.flatMap(({ id }) => known.deliveries.find((each) => each.id === id) ?? []);
  const names = deliveries.map(({ broadcast }) => broadcast.name ?? messages['name.none']);
  const parts = [
    ['html', readHtml(mail.html, names)],
    ['text', readText(mail.text, names)],
  ] as const;
  return parts.flatMap(([name, part]) =>
    [
      ...faultsOfTotals(known, part),
      ...faultsOfBanner(known, digest, part),
      ...deliveries.flatMap((delivery, index) => faultsOfBlock(delivery, part, index)),
    ].map((fault) => `${name}: ${fault}`),
  );
}

function faultsOfTotals({ totals, deliveries, missing }: Known, part: ReadMail): string[] {
  // A digest that has nothing to say has no figures.
  if (deliveries.length === 0 && missing.size === 0) return [];
  const names = ['deliveries', 'seen', 'responded'] as const;
  const wrong = names.filter((name) => part.headline(name) !== String(totals?.[name] ?? messages['figure.none']));
  const rate = totals?.responseRate ?? null;
  const shownRate = part.headline('responseRate') ?? '';
  const isRate = rate === null ? shownRate === messages['figure.none'] : isPercent(shownRate, rate);
  const silent = deliveries.filter(({ kind }) => kind === 'silent').length;
  return [
    ...wrong.map((name) => `totals.${name}: expected ${totals?.[name] ?? 'none'}, found ${part.headline(name)}`),
    ...(isRate ? [] : [`totals.responseRate: expected ${rate ?? 'none'}, found ${shownRate}`]),
    ...(part.silent === silent ? [] : [`silent: expected ${silent}, found ${part.silent}`]),
  ];
}

/** Whether a percentage is a ratio, rounded to what is shown of it. */
function isPercent(shown: string, ratio: number): boolean {
  const [, bound, figure] = /^([<>]?)([\d,.]+)%$/.exec(shown) ?? [];
  if (figure === undefined) return false;
  const percent = Number(figure.replaceAll(',', ''));
  if (bound === '<') return ratio * 100 < percent;
  if (bound === '>') return ratio * 100 > percent;
  return Math.abs(ratio * 100 - percent) <= (figure.includes('.') ? 0.0501 : 0.5001);
}

/** What is missing is named on top, with its reasons. */
function faultsOfBanner({ missing }: Known, digest: Digest, part: ReadMail): string[] {
  const words = Object.entries(messages);
  const reasons = new Set(digest.missing.slice(0, namedGaps).map(({ reason }) => reason));
  const unsaid = [...reasons].filter((reason) => {
    const said = words.find(([key]) => key === `reason.${reason}`)?.[1];
    return typeof said !== 'string' || !part.flat.includes(said);
  });
  return [
    ...(part.saysIncomplete === missing.size > 0 ? [] : [`incomplete: expected ${missing.size > 0}`]),
    ...unsaid.map((reason) => `missing: does not say "${reason}"`),
  ];
}

function faultsOfBlock(delivery: KnownDelivery, { blocks }: ReadMail, index: number): string[] {
  const { kind, counted, contents } = delivery;
  const block = blocks[index];
  if (block === undefined || block === null) return [`delivery ${index}: not shown`];
  const group = messages[`group.${kind ?? 'unavailable'}`];
  const at = `delivery ${index}`;
  const faults = block.heading === group ? [] : [`${at}: expected under "${group}", found under "${block.heading}"`];
  // Of a delivery that nobody has engaged with only the names of the content items are shown.
  const items = contents ?? [];
  const isUnopened = contents?.every((item) => item.counted?.seen === 0 && item.counted.responded === 0) ?? false;
  if (kind === 'silent' && isUnopened) {
    return block.toDate === null ? faults : [...faults, `${at}: figures of one that is silent`];
  }
  if (!matches(counted, block.toDate))
    faults.push(`${at}: expected ${shortly(counted)}, found ${block.toDate?.join(' ')}`);
  if (counted !== null && !isSame(counted.inPeriod, block.inPeriod, counted)) {
    faults.push(`${at} in the period: expected ${shortly(counted.inPeriod)}, found ${block.inPeriod?.join(' ')}`);
  }
  if (counted === null && !block.text.includes('not available')) faults.push(`${at}: not said to be unavailable`);
  for (const [place, item] of items.entries()) {
    const shown = block.contents[place];
    if (shown === undefined) faults.push(`${at}, item ${place + 1}: not shown`);
    else if (!matches(item.counted, shown)) {
      faults.push(`${at}, item ${place + 1}: expected ${shortly(item.counted)}, found ${shown?.join(' ')}`);
    }
  }
  return faults;
}

/** Seen and responded, and the rate where there is one. */
function matches(counted: Counted | null, shown: readonly string[] | null): boolean {
  if (counted === null || shown === null) return counted === null && shown === null;
  const [seen, responded, rate] = shown;
  if (Number(seen) !== counted.seen || Number(responded) !== counted.responded) return false;
  return counted.responseRate === null ? rate === undefined : isPercent(rate ?? '', counted.responseRate);
}

/** Seen and responded in the period; where they are those to date there may be one row for both. */
function isSame(inPeriod: Counted['inPeriod'], shown: readonly string[] | null, toDate: Counted): boolean {
  if (shown === null) return inPeriod.seen === toDate.seen && inPeriod.responded === toDate.responded;
  return Number(shown[0]) === inPeriod.seen && Number(shown[1]) === inPeriod.responded;
}

function shortly(counted: Counted['inPeriod'] | null): string {
  return counted === null ? 'nothing' : `${counted.seen}, ${counted.responded}`;
}
