import type { DigestDelivery, Missing } from '../../digest.ts';
import { viewContent, viewRow, type ContentView, type RowView } from './content-rows.ts';
import { showForeignText, showWord } from './foreign-text.ts';
import type { Language } from './language.ts';
import { sayReason } from './reason.ts';

/** One delivery with its content items; `figures` is `null` beside `unavailable`. */
export interface DeliveryView {
  name: string;
  link: string | null;
  details: string | null;
  stillCounting: string | null;
  figures: RowView | null;
  inPeriod: { seen: string; responded: string } | null;
  notes: string[];
  contents: ContentView[];
  /** How many content items are not shown. */
  moreContents: string | null;
}

/** What all deliveries of a mail share. */
export interface DeliveryFrame {
  /** Pattern with `{broadcastId}`. */
  broadcastLink: string | undefined;
  /** Where a report wants several statuses, each delivery says its own. */
  showStatus: boolean;
  /** Why a broadcast could not be read stands here, once for all of its deliveries. */
  missing: readonly Missing[];
  /** What the period is called beside its figures. */
  inPeriod: string;
}

/** The rows of one delivery. */
export function viewDelivery(delivery: DigestDelivery, frame: DeliveryFrame, language: Language): DeliveryView {
  const { wording, figures } = language;
  const { broadcast, inPeriod } = delivery;
  const row = viewRow(delivery, language);
  return {
    name: showForeignText(broadcast.name) ?? wording.say('name.none'),
    link: frame.broadcastLink === undefined ? null : linkTo(frame.broadcastLink, broadcast.id),
    details: sayDetails(delivery, frame, language),
    stillCounting: delivery.stillCounting ? wording.say('delivery.stillCounting') : null,
    figures: row,
    inPeriod: row && inPeriod && { seen: figures.count(inPeriod.seen), responded: figures.count(inPeriod.responded) },
    notes: sayNotes(delivery, frame, language),
    contents: (delivery.contents ?? []).map((content, index) => viewContent(content, index, frame.inPeriod, language)),
    moreContents: null,
  };
}

function linkTo(pattern: string, broadcastId: string): string {
  return pattern.replaceAll('{broadcastId}', () => encodeURIComponent(broadcastId.toWellFormed()));
}

function sayDetails(delivery: DigestDelivery, { showStatus }: DeliveryFrame, language: Language): string | null {
  const { wording, figures } = language;
  const { createdAt, createdBy } = delivery.broadcast;
  const creator = showForeignText(createdBy, 60);
  const status = showStatus ? showWord(delivery.status) : null;
  const details = [
    ...(creator === null ? [] : [wording.say('delivery.createdBy', { creator })]),
    ...(createdAt === null ? [] : [wording.say('delivery.createdAt', { date: figures.date(createdAt) })]),
    ...(status === null ? [] : [wording.say('delivery.status', { status })]),
  ];
  return details.length === 0 ? null : details.join(wording.say('separator.details'));
}

/** What belongs to the delivery as a whole: how fast, how many rows cannot be placed in time, what is not there. */
function sayNotes(delivery: DigestDelivery, { missing }: DeliveryFrame, language: Language): string[] {
  const { wording, figures } = language;
  const hasFigures = delivery.seen !== null && delivery.responded !== null;
  const notes = [];
  if (delivery.medianResponseSeconds !== null) {
    const duration = figures.duration(delivery.medianResponseSeconds);
    notes.push(wording.say('delivery.median', { duration }));
  }
  if (delivery.undated > 0) {
    notes.push(wording.count('delivery.undated', delivery.undated));
  }
  if (!hasFigures) {
    notes.push(wording.say('delivery.unavailable', { reason: sayReason(delivery.unavailable, language) }));
  }
  if (delivery.contents === null && hasFigures) {
    const why = missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === delivery.broadcast.id);
    notes.push(wording.say('delivery.noContents', { reason: sayReason(delivery.unavailable ?? why, language) }));
  }
  return notes;
}
