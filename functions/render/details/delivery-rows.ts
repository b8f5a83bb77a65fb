import { showStatus } from '../texts/statuses.ts';
import { audienceOf } from '../../domain/broadcasts/audience.ts';
import type { Digest, DigestDelivery } from '../../domain/digest.ts';
import type { ReportToRender } from '../settings.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';
import { lacksViews } from '../texts/views.ts';
import { viewFigures, type DetailRowView } from './detail-row.ts';
import { viewEnds } from './item-rows.ts';

/** What delivery rows are made from, apart from the deliveries. */
interface Frame {
  period: Digest['period'];
  report: Pick<ReportToRender, 'statuses'>;
}

/** Deliveries of one broadcast, a row each. */
export function viewDeliveryRows(
  deliveries: readonly DigestDelivery[],
  frame: Frame,
  language: Language,
): DetailRowView[] {
  return deliveries.map((delivery) => viewDeliveryRow(delivery, frame, language));
}

function viewDeliveryRow(delivery: DigestDelivery, { period, report }: Frame, language: Language): DetailRowView {
  const { wording } = language;
  const { seen, responded } = delivery;
  const audience = audienceOf(delivery);
  const details = [
    sayFirstSeen(delivery, period.start, language),
    delivery.stillCounting ? wording.say('details.stillCounting') : null,
    report.statuses.length > 1 ? sayStatus(delivery, language) : null,
    ...sayMedian(delivery, language),
    seen === null || responded === null || delivery.unavailable !== undefined
      ? sayReason(delivery.unavailable, language)
      : null,
  ].filter((detail) => detail !== null);
  return {
    name: wording.say('delivery.name', { id: showForeignText(delivery.id, 40) ?? wording.say('name.none') }),
    details: details.length === 0 ? null : details.join(wording.say('separator.details')),
    bar: audience === null || seen === null || responded === null ? null : viewEnds(responded, seen, audience),
    ...viewFigures({ ...delivery, audience }, { kind: period.kind, namesAudience: true }, language),
    ratings: null,
  };
}

/** Median time from seen to responded; nothing where it is not known. */
export function sayMedian({ medianResponseSeconds }: DigestDelivery, { wording, figures }: Language): string[] {
  return medianResponseSeconds === null
    ? []
    : [wording.say('details.median', { duration: figures.duration(medianResponseSeconds) })];
}

function sayFirstSeen(delivery: DigestDelivery, near: string, { wording, figures }: Language): string | null {
  const { firstSign } = delivery;
  if (firstSign === null || lacksViews(delivery)) return null;
  return wording.say('details.firstSeen', { date: figures.day(firstSign, near) });
}

function sayStatus({ status }: DigestDelivery, language: Language): string | null {
  const shown = showStatus(status, language);
  return shown === null ? null : language.wording.say('details.status', { status: shown });
}
