import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import { sayOnly } from '../texts/content-types.ts';
import { emphasize, type TextPart } from '../texts/emphasis.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { showName } from '../texts/names.ts';
import { sayReason } from '../texts/reason.ts';
import { showStatus } from '../texts/statuses.ts';
import { lacksViews } from '../texts/views.ts';
import { viewBar, type BarView } from './bars.ts';
import { sayDeliveries } from './deliveries.ts';
import { viewItems, type ItemsView } from './items.ts';
import { linkTo } from './links.ts';
import type { BroadcastDetails } from '../details/details-view.ts';
import type { SectionInput } from './section-input.ts';

/** One broadcast, whatever its kind. */
export interface BroadcastView {
  name: string;
  link: string | null;
  /** By whom, first seen when, text only, still counting. */
  details: string | null;
  /** Of those whom it is for; `null` where it is not known how many they are. */
  bar: BarView | null;
  /** How many saw it, responded and have not seen it. */
  figures: TextPart[];
  /** Its deliveries, where there are several and they have no table. */
  deliveries: string | null;
  /** Its content items, where they have no table of details. */
  items: ItemsView | null;
  /** What is not available or not shown of it. */
  notes: string[];
  whole: BroadcastDetails | null;
}

/** A broadcast as a block: with its content items in a few figures, or with its tables of details where there is room for them. */
export function viewBroadcast(
  broadcast: DigestBroadcast,
  input: SectionInput,
  language: Language,
  withItems: boolean,
): BroadcastView {
  const { seen, responded } = broadcast;
  const audience = lacksViews(broadcast) ? null : broadcast.audience;
  const whole = input.detailsOf?.(broadcast) ?? null;
  const { items, notes } = viewItems(broadcast, { ...input, withItems }, language);
  return {
    name: showName(broadcast, language),
    link: linkTo(input.mail.broadcastLink, broadcast),
    details: sayDetails(broadcast, input, whole, language),
    bar: audience === null || seen === null || responded === null ? null : viewBar(responded, seen, audience),
    figures: sayFigures(broadcast, language),
    deliveries: whole === null ? sayDeliveries(broadcast, input, language) : null,
    items: whole === null ? items : null,
    notes: [...sayNoPeriod(broadcast, language), ...(whole === null ? notes : whole.notes)],
    whole,
  };
}

function sayDetails(
  broadcast: DigestBroadcast,
  { digest, report }: SectionInput,
  whole: BroadcastDetails | null,
  language: Language,
): string | null {
  const { wording } = language;
  const creator = showForeignText(broadcast.createdBy, 60);
  const types = broadcast.contents?.map(({ type }) => type) ?? [];
  const details = [
    creator && wording.say('details.by', { creator }),
    whole?.created ?? null,
    sayFirstSeen(broadcast, digest.period.start, language),
    broadcast.asks === false && types.length > 0 ? sayOnly(types, language) : null,
    broadcast.stillCounting ? wording.say('details.stillCounting') : null,
    report.statuses.length > 1 ? sayStatuses(broadcast, digest, language) : null,
    whole?.delivery ?? null,
  ].filter((detail) => detail !== null && detail !== '');
  return details.length === 0 ? null : details.join(wording.say('separator.details'));
}

/** That what came in the period is not known, where figures to date are. */
function sayNoPeriod({ seen, inPeriod, unavailable }: DigestBroadcast, language: Language): string[] {
  if (seen === null || inPeriod !== null) return [];
  return [language.wording.say('inPeriod.unavailable', { reason: sayReason(unavailable, language) })];
}

/** Of several deliveries each has its own date. */
function sayFirstSeen(broadcast: DigestBroadcast, near: string, { wording, figures }: Language): string | null {
  const { firstSign, deliveries } = broadcast;
  if (firstSign === null || deliveries.length > 1 || lacksViews(broadcast)) return null;
  return wording.say('details.firstSeen', { date: figures.day(firstSign, near) });
}

function sayStatuses({ deliveries }: DigestBroadcast, digest: Digest, language: Language): string | null {
  const { wording } = language;
  const own = digest.deliveries.filter(({ id }) => deliveries.includes(id));
  const statuses = [...new Set(own.flatMap(({ status }) => showStatus(status, language) ?? []))];
  return statuses.length === 0 ? null : wording.say('details.status', { status: wording.list(statuses) });
}

/** How many saw it, responded and have not seen it. There is no rate where nothing is asked. */
function sayFigures(broadcast: DigestBroadcast, language: Language): TextPart[] {
  const { audience, seen, responded, answered, asks, unavailable } = broadcast;
  const { wording, figures } = language;
  if (seen === null || responded === null) {
    return emphasize(wording.say('facts.unavailable', { reason: sayReason(unavailable, language) }));
  }
  if (lacksViews(broadcast)) return emphasize(wording.count('facts.noViews', responded));
  const ofAudience = audience === null ? null : Math.max(0, audience - seen);
  const facts = [
    audience === null || audience === 0
      ? wording.count('facts.seen', seen)
      : wording.count('facts.seenOf', seen, {
          audience: figures.count(audience),
          rate: figures.rate(seen / audience),
        }),
    asks === true && seen > 0 && answered !== null
      ? wording.count('facts.respondedRate', responded, { rate: figures.rate(answered / seen) })
      : wording.count('facts.responded', responded),
    ...(ofAudience === null || audience === 0 ? [] : [wording.count('facts.rest', ofAudience)]),
  ];
  return emphasize(facts.join(wording.say('separator.details')));
}
