import type { DigestContent, DigestDelivery, Missing } from '../../../domain/digest.ts';
import { nameContent, viewBar, viewContent, viewRow, type ContentView } from './content-rows.ts';
import { showForeignText, showWord } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';

/** The figures of a delivery, to date or within the period. */
export interface DeliveryRowView {
  label: string;
  seen: string;
  responded: string;
  rate: string | null;
  /** The length of the rate's bar, such as "42%"; `null` where there is nothing to draw. */
  bar: string | null;
  /** Whether it is the delivery's first row. */
  strong: boolean;
}

/** One delivery with its content items. It has no rows where its figures are not available, or are all zero. */
export interface DeliveryView {
  name: string;
  link: string | null;
  details: string | null;
  stillCounting: string | null;
  rows: DeliveryRowView[];
  notes: string | null;
  contents: ContentView[];
  /** The words that say how many content items are not shown. */
  moreContents: string | null;
}

/** What is the same for all deliveries of a mail. */
export interface DeliveryFrame {
  /** The URL of a broadcast, with `{broadcastId}` in it. */
  broadcastLink: string | undefined;
  /** Whether each delivery shows its status: the report includes several. */
  showStatus: boolean;
  /** Says why a broadcast could not be read, once for all of its deliveries. */
  missing: readonly Missing[];
  /** The label of the period's figures. */
  inPeriod: string;
}

/** The rows of one delivery. Where nobody has engaged, it only names its content items. */
export function viewDelivery(delivery: DigestDelivery, frame: DeliveryFrame, language: Language): DeliveryView {
  const { wording } = language;
  const { broadcast, contents } = delivery;
  const unopened = isUnopened(delivery);
  return {
    name: showForeignText(broadcast.name) ?? wording.say('name.none'),
    link: frame.broadcastLink === undefined ? null : linkTo(frame.broadcastLink, broadcast.id),
    details: sayDetails(delivery, frame, language),
    stillCounting: delivery.stillCounting ? wording.say('delivery.stillCounting') : null,
    rows: unopened ? [] : viewRows(delivery, frame, language),
    notes: sayNotes(delivery, unopened, frame, language),
    contents: unopened
      ? []
      : (contents ?? []).map((content, index) => viewContent(content, index, frame.inPeriod, language)),
    moreContents: null,
  };
}

function isUnopened({ kind, contents }: DigestDelivery): boolean {
  return kind === 'silent' && contents !== null && contents.every(isSilent);
}

function isSilent({ seen, responded, unavailable }: DigestContent): boolean {
  return seen === 0 && responded === 0 && unavailable === undefined;
}

/** A row to date and one for the period, or a single one where all engagement was within the period. */
function viewRows(delivery: DigestDelivery, frame: DeliveryFrame, language: Language): DeliveryRowView[] {
  const { wording, figures } = language;
  const toDate = viewRow(delivery, language);
  const { inPeriod, seen, responded } = delivery;
  if (toDate === null) return [];
  const all = inPeriod !== null && inPeriod.seen === seen && inPeriod.responded === responded;
  const label = all ? frame.inPeriod : wording.say('delivery.toDate');
  const bar = delivery.responseRate === null ? null : viewBar(delivery.responseRate);
  const first = { label, seen: toDate.seen, responded: toDate.responded, rate: toDate.rate, bar, strong: true };
  if (all || inPeriod === null) return [first];
  const counts = { seen: figures.count(inPeriod.seen), responded: figures.count(inPeriod.responded) };
  return [first, { label: frame.inPeriod, ...counts, rate: null, bar: null, strong: false }];
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

/** Sentences about the delivery as a whole: median time, rows without a date, what is not available. */
function sayNotes(
  delivery: DigestDelivery,
  unopened: boolean,
  { missing }: DeliveryFrame,
  language: Language,
): string | null {
  const { wording, figures } = language;
  const hasFigures = delivery.seen !== null && delivery.responded !== null;
  const notes = [];
  if (unopened && delivery.contents !== null && delivery.contents.length > 0) {
    notes.push(wording.say('delivery.unopened', { items: wording.list(delivery.contents.map(nameContent(language))) }));
  }
  if (delivery.medianResponseSeconds !== null) {
    notes.push(wording.say('content.median', { duration: figures.duration(delivery.medianResponseSeconds) }));
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
  return notes.length === 0 ? null : notes.join(wording.say('separator.sentences'));
}
