import { defaultInformingTypes } from '../../../../functions/domain/broadcasts/asks.ts';
import { groupBroadcasts } from '../../../../functions/domain/broadcasts/group.ts';
import type { Digest, DigestContent, DigestDelivery } from '../../../../functions/domain/digest.ts';
import type { RenderInput } from '../../../../functions/render/render.ts';

/** A content item that 80 of an audience of 160 saw and 60 answered; `over` replaces what a test is about. */
export function content(over: Partial<DigestContent> = {}): DigestContent {
  return {
    id: '1',
    type: 'text',
    listed: 160,
    seen: 80,
    responded: 60,
    responseRate: 0.75,
    reach: 0.5,
    inPeriod: { seen: 80, responded: 60 },
    medianResponseSeconds: 240,
    undated: 0,
    ...over,
  };
}

/** A new delivery of "Friday Five" without content items. */
export function delivery(over: Partial<DigestDelivery> = {}): DigestDelivery {
  return {
    id: '501',
    broadcast: { id: '71', name: 'Friday Five', createdAt: '2026-11-09T09:30:00+00:00', createdBy: 'Priya Shah' },
    status: 'delivered',
    kind: 'new',
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: false,
    listed: 96,
    seen: 96,
    responded: 72,
    responseRate: 0.75,
    inPeriod: { seen: 90, responded: 70 },
    medianResponseSeconds: 300,
    undated: 0,
    contents: [],
    ...over,
  };
}

/** A digest of the week of 9 November 2026 with nothing in it. */
export function digest(over: Partial<Digest> = {}): Digest {
  const broadcasts = groupBroadcasts(over.deliveries ?? [], {
    informingTypes: defaultInformingTypes,
    listedDeliveries: () => null,
    unseenSince: () => null,
  });
  return {
    schemaVersion: 2,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    collectedAt: '2026-11-16T08:00:04+00:00',
    totals: {
      deliveries: 0,
      broadcasts: 0,
      seen: 0,
      responded: 0,
      asked: { seen: 0, responded: 0 },
      responseRate: null,
      undated: 0,
      previous: {
        deliveries: 0,
        broadcasts: 0,
        seen: 0,
        responded: 0,
        asked: { seen: 0, responded: 0 },
        responseRate: null,
      },
      comparison: { basis: 'kept' },
    },
    deliveries: [],
    broadcasts,
    unseenNotNamed: 0,
    otherStatuses: {},
    missing: [],
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
    responseRate: null,
    inPeriod: null,
    medianResponseSeconds: null,
    contents: null,
    unavailable: { reason: 'failed', status: 500 },
  });
}

/** The title of every sample that is not about titles. */
export const sampleTitle = 'Weekly broadcast digest';

/** A digest for the weekly report of Harbour Leisure. */
export function input(digest: Digest, over: Partial<Omit<RenderInput, 'digest'>> = {}): RenderInput {
  return {
    digest,
    report: { title: sampleTitle, locale: 'en', settleHours: 48, statuses: ['delivered'] },
    canUnsubscribe: false,
    page: null,
    mail: {
      csvAttachment: true,
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
