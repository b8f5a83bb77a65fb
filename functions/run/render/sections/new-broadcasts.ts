import type { DigestBroadcast } from '../../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../../domain/digest.ts';
import { emphasize, type TextPart } from '../texts/emphasis.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { showName } from '../texts/names.ts';
import { sayReason } from '../texts/reason.ts';
import { sayOnly } from '../texts/content-types.ts';
import { showStatus } from '../texts/statuses.ts';
import { viewBar, type BarView } from './bars.ts';
import { viewItems, type ItemsView } from './items.ts';
import { sayDeliveries } from './deliveries.ts';
import { linkTo } from './links.ts';
import { sayMore } from './more.ts';
import type { SectionInput } from './section-input.ts';

/** One broadcast of the period. */
export interface BroadcastView {
  name: string;
  link: string | null;
  /** By whom, first seen when, text only, still counting. */
  details: string | null;
  /** Of those whom it is for; `null` where it is not known how many they are. */
  bar: BarView | null;
  /** How many saw it, responded and have not seen it. */
  figures: TextPart[];
  /** Its deliveries, where there are several. */
  deliveries: string | null;
  items: ItemsView | null;
  /** What is not available or not shown of it. */
  notes: string[];
}

/** The colours of the bars in words, where there is a bar. */
export interface LegendView {
  responded: string;
  seen: string;
  rest: string;
  /** Said where some broadcasts have no bar. */
  noBar: string | null;
}

/** The broadcasts whose first sign was in the period, the most seen first. */
export interface NewBroadcastsView {
  heading: string;
  legend: LegendView | null;
  broadcasts: BroadcastView[];
  /** Those that are not shown. */
  more: string | null;
}

/** The new broadcasts that there is room for; `null` where nothing is new. */
export function viewNewBroadcasts(input: SectionInput, language: Language): NewBroadcastsView | null {
  const { digest, room } = input;
  const { wording } = language;
  const all = digest.broadcasts.filter(({ kind }) => kind === 'new');
  if (all.length === 0) return null;
  const broadcasts = all
    .slice(0, room.broadcasts)
    .map((broadcast, index) => viewBroadcast(broadcast, input, language, index < room.withItems));
  const bars = broadcasts.filter(({ bar }) => bar !== null).length;
  return {
    heading: wording.count(`new.${digest.period.kind}`, all.length),
    legend: bars === 0 ? null : viewLegend(bars < broadcasts.length, language),
    broadcasts,
    more: sayMore(all.slice(room.broadcasts), 'more.broadcasts', input, language),
  };
}

function viewLegend(someWithout: boolean, { wording }: Language): LegendView {
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: wording.say('legend.rest'),
    noBar: someWithout ? wording.say('legend.noBar') : null,
  };
}

function viewBroadcast(
  broadcast: DigestBroadcast,
  input: SectionInput,
  language: Language,
  withItems: boolean,
): BroadcastView {
  const { audience, seen, responded } = broadcast;
  const { items, notes } = viewItems(broadcast, { ...input, withItems }, language);
  return {
    name: showName(broadcast, language),
    link: linkTo(input.mail.broadcastLink, broadcast),
    details: sayDetails(broadcast, input, language),
    bar: audience === null || seen === null || responded === null ? null : viewBar(responded, seen, audience),
    figures: sayFigures(broadcast, language),
    deliveries: sayDeliveries(broadcast, input.digest, language),
    items,
    notes,
  };
}

function sayDetails(broadcast: DigestBroadcast, { digest, report }: SectionInput, language: Language): string | null {
  const { wording } = language;
  const creator = showForeignText(broadcast.createdBy, 60);
  const types = broadcast.contents?.map(({ type }) => type) ?? [];
  const details = [
    creator && wording.say('details.by', { creator }),
    sayFirstSeen(broadcast, digest.period.start, language),
    broadcast.asks === false && types.length > 0 ? sayOnly(types, language) : null,
    broadcast.stillCounting ? wording.say('details.stillCounting') : null,
    report.statuses.length > 1 ? sayStatuses(broadcast, digest, language) : null,
  ].filter((detail) => detail !== null && detail !== '');
  return details.length === 0 ? null : details.join(wording.say('separator.details'));
}

/** Of several deliveries each has its own date. Without a date of engagement the first sign is that of its creation. */
function sayFirstSeen(broadcast: DigestBroadcast, near: string, { wording, figures }: Language): string | null {
  const { firstSign, createdAt, deliveries } = broadcast;
  if (firstSign === null || deliveries.length > 1) return null;
  if (createdAt !== null && Date.parse(createdAt) === Date.parse(firstSign)) return null;
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
  const { audience, seen, responded, asks, unavailable } = broadcast;
  const { wording, figures } = language;
  if (seen === null || responded === null) {
    return emphasize(wording.say('facts.unavailable', { reason: sayReason(unavailable, language) }));
  }
  const ofAudience = audience === null ? null : Math.max(0, audience - seen);
  const facts = [
    audience === null || audience === 0
      ? wording.count('facts.seen', seen)
      : wording.count('facts.seenOf', seen, {
          audience: figures.count(audience),
          rate: figures.rate(seen / audience),
        }),
    asks === true && seen > 0
      ? wording.count('facts.respondedRate', responded, { rate: figures.rate(responded / seen) })
      : wording.count('facts.responded', responded),
    ...(ofAudience === null || audience === 0 ? [] : [wording.count('facts.rest', ofAudience)]),
  ];
  return emphasize(facts.join(wording.say('separator.details')));
}
