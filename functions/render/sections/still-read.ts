import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import { alignRows } from '../texts/columns.ts';
import type { Language } from '../texts/language.ts';
import { showName } from '../texts/names.ts';
import { lacksViews } from '../texts/views.ts';
import { linkTo } from './links.ts';
import { sayMore } from './more.ts';
import type { SectionInput } from './section-input.ts';

/** An older broadcast with what came in the period. */
export interface StillReadRowView {
  name: string;
  link: string | null;
  /** How many deliveries of it were seen, where that is more than one. */
  detail: string | null;
  seen: string;
  responded: string;
}

/** Older broadcasts that were seen in the period. */
export interface StillReadView {
  heading: string;
  note: string;
  columns: { broadcast: string; seen: string; responded: string };
  rows: StillReadRowView[];
  /** The rows for the text part. */
  lines: string[];
  /** Those that are not named. */
  more: string | null;
}

/** Older broadcasts with engagement in the period; `null` where there are none. */
export function viewStillRead(input: SectionInput, language: Language): StillReadView | null {
  const { digest, mail, limits } = input;
  const { wording, figures } = language;
  // What is judged at last may have had nothing more in the period.
  const all = digest.broadcasts.filter(
    ({ kind, inPeriod }) => kind === 'active' && (inPeriod === null || inPeriod.seen + inPeriod.responded > 0),
  );
  if (all.length === 0) return null;
  const named = all
    .filter((each) => ((lacksViews(each) ? each.inPeriod?.responded : each.inPeriod?.seen) ?? -1) >= limits.olderViews)
    .slice(0, limits.older);
  const rows = named.map((broadcast) => ({
    name: showName(broadcast, language),
    link: linkTo(mail.broadcastLink, broadcast),
    detail: sayDeliveries(broadcast, language),
    seen: lacksViews(broadcast) ? wording.say('figure.none') : figures.count(broadcast.inPeriod?.seen ?? 0),
    responded: figures.count(broadcast.inPeriod?.responded ?? 0),
  }));
  const rest = all.filter((broadcast) => !named.includes(broadcast));
  return {
    heading: wording.say('stillRead.heading'),
    note: wording.say(`stillRead.${digest.period.kind}`),
    columns: {
      broadcast: wording.say('column.broadcast'),
      seen: wording.say('column.seen'),
      responded: wording.say('column.responded'),
    },
    rows,
    lines: alignRows(named.map((broadcast, index) => textRow(broadcast, rows[index], language))),
    more: sayMore(rest, rows.length === 0 ? 'more.older' : 'more.broadcasts', input, language),
  };
}

function textRow(broadcast: DigestBroadcast, row: StillReadRowView | undefined, { wording }: Language): string[] {
  const { name = '', detail = null } = row ?? {};
  return [
    detail === null ? name : [name, detail].join(wording.say('separator.list')),
    lacksViews(broadcast) ? wording.say('figure.none') : wording.count('count.seen', broadcast.inPeriod?.seen ?? 0),
    wording.count('count.responded', broadcast.inPeriod?.responded ?? 0),
  ];
}

function sayDeliveries({ deliveries }: DigestBroadcast, { wording }: Language): string | null {
  return deliveries.length > 1 ? wording.count('count.deliveries', deliveries.length) : null;
}
