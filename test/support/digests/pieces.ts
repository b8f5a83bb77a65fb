import { broadcastAsks, defaultInformingTypes, groupBroadcasts } from '../../../functions/domain/broadcasts.ts';
import type { Digest, DigestContent, DigestDelivery, Need } from '../../../functions/domain/digest.ts';
import { ratioOf, type Engaged, type EngagedInPeriod } from '../../../functions/domain/figures.ts';
import type { RenderInput } from '../../../functions/render/render.ts';

/** Figures in which it need not be said how many of those who saw it responded. */
type Sketch<Figures> = Partial<Omit<Figures, 'inPeriod'>> & { inPeriod?: Engaged | null };

/** Views and responses, and of those who saw it, as many who responded as there can have been. */
export function engaged(seen: number, responded: number): EngagedInPeriod {
  return { seen, responded, answered: Math.min(seen, responded) };
}

/** The figures that follow from others. */
function answersOf(
  { seen, responded }: Pick<DigestContent, 'seen' | 'responded'>,
  inPeriod: Engaged | null,
): Pick<DigestContent, 'answered' | 'responseRate' | 'inPeriod'> {
  const toDate = seen === null || responded === null ? null : engaged(seen, responded);
  return {
    answered: toDate?.answered ?? null,
    responseRate: toDate && ratioOf(toDate.answered, toDate.seen),
    inPeriod: inPeriod && { ...engaged(inPeriod.seen, inPeriod.responded), ...inPeriod },
  };
}

/** A content item that 80 of an audience of 160 saw and 60 answered; `over` replaces what a test is about. */
export function content({ inPeriod = engaged(80, 60), ...over }: Sketch<DigestContent> = {}): DigestContent {
  const { seen = 80, responded = 60 } = over;
  return {
    id: '1',
    type: 'text',
    listed: 160,
    seen,
    responded,
    reach: 0.5,
    undated: 0,
    ...answersOf({ seen, responded }, inPeriod),
    ...over,
  };
}

/** A new delivery of "Friday Five" without content items. */
export function delivery({ inPeriod = engaged(90, 70), ...over }: Sketch<DigestDelivery> = {}): DigestDelivery {
  const { kind = 'new', stillCounting = false, seen = 96, responded = 72, contents = [] } = over;
  const { listed = 96, reach = null } = over;
  const answers = answersOf({ seen, responded }, inPeriod);
  const answered = over.answered ?? answers.answered ?? 0;
  const either = seen === null || responded === null ? null : seen + responded - answered;
  // Of items whose lists are as long as each other and hold enough people: for so many it is, unless its own list says it.
  const ofItems = (contents ?? []).flatMap((item) => (item.reach === null ? [] : (item.listed ?? [])));
  const [length = null, ...others] = new Set(reach === null ? ofItems : [listed]);
  const audience = others.length > 0 || (length ?? 0) < (either ?? 0) ? null : length;
  return {
    id: '501',
    broadcast: { id: '71', name: 'Friday Five', createdAt: '2026-11-09T09:30:00+00:00', createdBy: 'Priya Shah' },
    status: 'delivered',
    kind,
    firstSign: kind === 'silent' ? null : '2026-11-10T08:00:00+00:00',
    stillCounting,
    judgedBy: null,
    listed,
    seen,
    responded,
    reach,
    undated: 0,
    audience,
    engaged: either,
    untouched: audience === null || either === null ? null : audience - either,
    contents,
    ...answers,
    ...over,
  };
}

const none = {
  deliveries: 0,
  broadcasts: 0,
  seen: 0,
  responded: 0,
  asked: engaged(0, 0),
  responseRate: null,
  series: null,
};

/** A digest of the week of 9 November 2026 with nothing in it. */
export function digest(over: Partial<Digest> = {}): Digest {
  const { deliveries = [] } = over;
  const broadcasts = groupBroadcasts(deliveries, {
    asks: (_, contents) => broadcastAsks(contents, defaultInformingTypes),
    listedDeliveries: (id) => deliveries.filter(({ broadcast }) => broadcast.id === id).length,
    atAge: () => null,
  });
  return {
    schemaVersion: 4,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    only: null,
    except: null,
    note: null,
    minimumGroup: 10,
    collectedAt: '2026-11-16T08:00:04+00:00',
    totals: { ...none, undated: 0, previous: none, comparison: { basis: 'kept' } },
    late: null,
    trend: [],
    deliveries: [],
    broadcasts,
    judged: { of: 0, deliveries: 0 },
    needs: [],
    since: [],
    left: { deliveries: 0, unjudged: 0, isOld: false },
    onlyNewest: false,
    unseenNotNamed: 0,
    unknownDate: 0,
    otherStatuses: {},
    missing: [],
    ...over,
  };
}

/** That nobody has seen the broadcast of a delivery; `over` replaces what a test is about. */
export function need(delivery: string, over: Partial<Need> = {}): Need {
  return {
    reason: 'unseen',
    deliveries: [delivery],
    listedDeliveries: 1,
    seen: 0,
    audience: null,
    untouched: null,
    usual: null,
    timesNamed: 0,
    ...over,
  };
}

/** A delivery whose recipients could not be read. */
export function unread(id: string): DigestDelivery {
  return delivery({
    id,
    kind: null,
    broadcast: { id, name: null, createdAt: null, createdBy: null },
    firstSign: null,
    listed: null,
    seen: null,
    responded: null,
    inPeriod: null,
    contents: null,
    unavailable: { reason: 'failed', status: 500 },
  });
}

/** The title of every sample that is not about titles. */
const sampleTitle = 'Weekly broadcast digest';

/** A digest for the weekly report of Harbour Leisure. */
export function input(digest: Digest, over: Partial<Omit<RenderInput, 'digest'>> = {}): RenderInput {
  return {
    digest,
    report: { title: sampleTitle, locale: 'en', settleHours: 48, statuses: ['delivered'] },
    canUnsubscribe: false,
    page: null,
    mail: {
      authors: 'named',
      brand: { name: 'Harbour Leisure', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
      broadcastLink: 'https://reporting.example.com/broadcasts/{broadcastId}',
      footer: {
        why: 'You get this digest because you manage a team at Harbour Leisure.',
        contact: 'Questions? Ask the internal communications team, comms@example.com.',
      },
    },
    ...over,
  };
}
