import type { ServiceAnswers } from './answers.ts';

/** A small account: two deliveries of one broadcast, with a content item, that one of two people saw on a day. */
export function smallAccount(day = '2026-11-11'): ServiceAnswers {
  const seen = { seenAt: `${day}T09:00:00+00:00`, respondedAt: null };
  return {
    deliveries: () =>
      ['d1', 'd2'].map((id) => ({ delivery: { id, broadcast: { id: '71', name: 'News' }, status: 'delivered' } })),
    broadcast: (id) => ({
      broadcast: {
        id,
        name: 'News',
        created: { by: { id: '7', firstName: 'Ada', lastName: 'Byron' }, at: `${day}T07:00:00+00:00` },
      },
      contents: [{ id: '711', type: 'text' }],
    }),
    recipients: () => [seen],
    contentRecipients: () => [seen, { seenAt: null, respondedAt: null }],
  };
}
