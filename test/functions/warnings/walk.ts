import { countDelivery } from '../../../functions/collect/engagement.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
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
  /** Its broadcast's name, and id, where that is not the delivery's own. */
  name?: string;
  broadcast?: string;
  at: string;
  /** When so many people see it. */
  views?: Array<[instant: string, count: number]>;
  untouched?: number;
  /** From when on it is delivered: scheduled until then; from the beginning where it is not given. */
  deliveredAt?: string;
}

/** Runs of a weekly report in UTC and its warning over one account, one after the other; each knows what those before left. */
export function startWalk(
  sent: readonly Sent[],
  {
    warning,
    lists = 'audience',
    since = null,
  }: { warning: object; lists?: 'audience' | 'engaged'; since?: string | null },
) {
  const { reports, service } = configured({
    report: {
      schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'UTC' },
      warning: { at: '09:00', afterHours: 48, ...warning },
    },
    service: { deliveryRecipients: lists, contentRecipients: 'engaged' },
  });
  const left = new Map<string, { history: History; digest: Digest; earlier: StoredFigures[] }>();

  const runAt = async (name: string, scheduledTime: string): Promise<Digest> => {
    const report = reports.find((configuredReport) => configuredReport.name === name);
    if (report === undefined) throw new Error(`There is no report "${name}".`);
    const { period } = dueAt(report.schedule, scheduledTime);
    const collectedAt = Date.parse(scheduledTime) + 3_000;
    const bounds = boundsFor(report, period, collectedAt);
    const { history = null, earlier = [] } = left.get(name) ?? {};
    const context = { earlier, hasLater: false, ...besideOf(report, bounds.end), report, collectedAt };
    const listed = sent.filter(({ at }) => Date.parse(at) <= collectedAt);
    const answers = {
      list: { rows: listed.length, deliveries: listed.map((delivery) => listedAt(delivery, collectedAt)) },
      history,
    };
    const broadcasts = listed.map(({ broadcast, id, at, name = null }) => ({
      id: broadcast ?? `b-${id}`,
      broadcast: { name, createdAt: Date.parse(at), createdBy: null, contents: [] },
    }));
    const before = collectedOf({ ...answers, broadcasts, recipients: [], contents: [] }, report);
    const { toRead } = includeFor(before, period, context);
    const recipients = await Promise.all(
      toRead.map(async (delivery) => {
        const rows = listed.flatMap((other) => (other.id === delivery.id ? rowsAt(other, collectedAt) : []));
        const page = { rows, mayBeCutOff: false };
        const within = { bounds, createdAt: null, readAt: collectedAt };
        return Object.assign({ delivery }, await countDelivery([page], within, createTally()));
      }),
    );
    const reading = includeFor(
      collectedOf({ ...answers, broadcasts, recipients, contents: [] }, report),
      period,
      context,
    );
    const composed = composeDigest({ run: name, period }, { report, service, reading, dating, coverages: [] });
    const { digest } = composed.kept;
    const figures = figuresOf(composed.kept, { run: name, digest: name });
    left.set(name, { history: composed.history, digest, earlier: [...earlier, figures] });
    return digest;
  };

  const besideOf = ({ warningOf, warningReport = '' }: ReportConfiguration, until: number) => {
    if (warningOf === undefined) return { warningHistory: left.get(warningReport)?.history ?? null };
    const { history = null, digest = null } = left.get(warningOf.report) ?? {};
    const begins = since === null ? null : Date.parse(since);
    return { judgedReport: { settings: warningOf, until, since: begins, history, digest, newest: null } };
  };

  return {
    /** The digest of the report's run that is scheduled for 08:00 of a Monday. */
    digestOn: async (date: string): Promise<Digest> => await runAt('weekly', `${date}T08:00:00Z`),
    /** The warning of 09:00 on a date, in few words: what it names, with the views to date, and what became of each limit. */
    warningOn: async (date: string) => {
      const { needs, judged, warning } = await runAt('weekly_warning', `${date}T09:00:00Z`);
      return {
        names: needs.map(({ deliveries, seen }) => `${deliveries.join('+')} ${seen}`),
        limits: Object.fromEntries(
          (warning?.judgements ?? []).map(({ delivery, limits }) => [delivery, Object.values(limits).join()]),
        ),
        waits: warning?.waits,
        needs,
        judged,
      };
    },
  };
}

function listedAt({ id, broadcast = `b-${id}`, name, deliveredAt }: Sent, now: number) {
  const isDelivered = deliveredAt === undefined || Date.parse(deliveredAt) <= now;
  return { id, broadcast: { id: broadcast, name: name ?? null }, status: isDelivered ? 'delivered' : 'scheduled' };
}

function rowsAt({ views = [], untouched = 0 }: Sent, now: number) {
  const groups: Array<[instant: string | null, count: number]> = [...views, [null, untouched]];
  return groups.flatMap(([instant, count]) => {
    const seenAt = instant !== null && Date.parse(instant) <= now ? instant : null;
    return Array.from({ length: count }, () => ({ seenAt, respondedAt: null }));
  });
}
