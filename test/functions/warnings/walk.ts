import { countDelivery } from '../../../functions/collect/engagement.ts';
import { dueAt } from '../../../functions/domain/schedule.ts';
import { figuresOf, type History, type StoredFigures } from '../../../functions/ledger/runs/digests.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { composeDigest } from '../../../functions/run/compose/compose.ts';
import { collectedOf } from '../../../functions/run/collected.ts';
import { includeFor } from '../../../functions/run/reading.ts';
import { boundsFor } from '../../../functions/warnings/due.ts';
import { dating } from '../../support/dating.ts';
import { configured } from '../run/configured.ts';

/** A delivery: from when on it is listed, its rows by who saw it when, and how many did nothing. */
export interface Sent {
  id: string;
  /** Its broadcast's id, where that is not the delivery's own. */
  broadcast?: string;
  at: string;
  /** When so many people see it. */
  views?: Array<[instant: string, count: number]>;
  untouched?: number;
  /** From when on it is delivered: scheduled until then; from the beginning where it is not given. */
  deliveredAt?: string;
}

/** Runs of a warning over one account, one after the other, of a report that has not run; each knows what those before left. */
export function startWalk(
  sent: readonly Sent[],
  settings: { warning: object; lists?: 'audience' | 'engaged'; since?: string | null },
) {
  const { warning, lists = 'audience', since = null } = settings;
  const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'UTC' };
  const { reports, service } = configured({
    report: { schedule, warning: { at: '09:00', afterHours: 48, ...warning } },
    service: { deliveryRecipients: lists, contentRecipients: 'engaged' },
  });
  const report = reports.find(({ warningOf }) => warningOf !== undefined);
  if (report?.warningOf === undefined) throw new Error('There is no warning.');
  const { warningOf } = report;
  let history: History | null = null;
  const earlier: StoredFigures[] = [];

  /** The warning of 09:00 on a date, in few words: what it names, with the views to date, and what became of each limit. */
  const warningOn = async (date: string) => {
    const { period } = dueAt(report.schedule, `${date}T09:00:00Z`);
    const collectedAt = Date.parse(`${date}T09:00:03Z`);
    const bounds = boundsFor(report, period, collectedAt);
    const begins = since === null ? null : Date.parse(since);
    const judgedReport = {
      settings: warningOf,
      until: bounds.end,
      since: begins,
      history: null,
      digest: null,
      newest: null,
    };
    const context = { earlier: [...earlier], hasLater: false, judgedReport, report, collectedAt };
    const listed = sent.filter(({ at }) => Date.parse(at) <= collectedAt);
    const deliveries = listed.map((delivery) => listedAt(delivery, collectedAt));
    const broadcasts = listed.map(({ broadcast, id, at }) => ({
      id: broadcast ?? `b-${id}`,
      broadcast: { name: null, createdAt: Date.parse(at), createdBy: null, contents: [] },
    }));
    const answers = { list: { rows: listed.length, deliveries }, history, broadcasts, recipients: [], contents: [] };
    const { toRead } = includeFor(collectedOf(answers, report), period, context);
    const recipients = await Promise.all(
      toRead.map(async (delivery) => {
        const rows = listed.flatMap((other) => (other.id === delivery.id ? rowsAt(other, collectedAt) : []));
        const within = { bounds, createdAt: null, readAt: collectedAt };
        return Object.assign({ delivery }, await countDelivery([{ rows, mayBeCutOff: false }], within, createTally()));
      }),
    );
    const reading = includeFor(collectedOf({ ...answers, recipients }, report), period, context);
    const run = report.name;
    const composed = composeDigest({ run, period }, { report, service, reading, dating, coverages: [] });
    earlier.push(figuresOf(composed.kept, { run, digest: run }));
    history = composed.history;
    const { needs, warning: judged } = composed.kept.digest;
    return {
      names: needs.map(({ deliveries: ids, seen }) => `${ids.join('+')} ${seen}`),
      limits: Object.fromEntries(
        (judged?.judgements ?? []).map(({ delivery, limits }) => [delivery, Object.values(limits).join()]),
      ),
      waits: judged?.waits,
      needs,
    };
  };
  return { warningOn };
}

function listedAt({ id, broadcast = `b-${id}`, deliveredAt }: Sent, now: number) {
  const isDelivered = deliveredAt === undefined || Date.parse(deliveredAt) <= now;
  return { id, broadcast: { id: broadcast, name: null }, status: isDelivered ? 'delivered' : 'scheduled' };
}

function rowsAt({ views = [], untouched = 0 }: Sent, now: number) {
  const groups: Array<[instant: string | null, count: number]> = [...views, [null, untouched]];
  return groups.flatMap(([instant, count]) => {
    const seenAt = instant !== null && Date.parse(instant) <= now ? instant : null;
    return Array.from({ length: count }, () => ({ seenAt, respondedAt: null }));
  });
}
