import { describe, expect, it } from 'vitest';
import { parseSesEvent } from '../../../functions/feedback/event.ts';

const sentAt = '2026-11-16T08:00:05.123Z';
const tags = { run: ['weekly_2026-W46'], message: ['0123'], claim: ['claim-1'] };
const origin = { run: 'weekly_2026-W46', message: '0123', claim: 'claim-1', messageId: 'ses-1' };

function event(
  eventType: string,
  more: Record<string, unknown> = {},
  mailTags: Record<string, string[]> = tags,
): unknown {
  const mail = { messageId: 'ses-1', timestamp: sentAt, destination: ['ada@example.com'], tags: mailTags };
  return { source: 'aws.ses', 'detail-type': 'any', detail: { eventType, mail, ...more } };
}

const time = '2026-11-16T08:00:07.000Z';
const bounce = (bounceType: string, status?: string, bounceSubType = 'General') => ({
  // As SES writes it, without milliseconds where there are none.
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ status }], timestamp: '2026-11-16T08:00:07Z' },
});
const complaint = (complaintFeedbackType: string | null, complaintSubType: string | null = null) => ({
  complaint: { timestamp: time, complaintFeedbackType, complaintSubType },
});
const bounced = (status: string, isOfAddress: boolean) => ({
  kind: 'bounced',
  at: time,
  bounce: { status, isOfAddress },
});

describe('parseSesEvent', () => {
  it.each([
    ['Send', {}, { kind: 'sent', at: sentAt }],
    ['Delivery', { delivery: { timestamp: time } }, { kind: 'delivered', at: time }],
    ['Bounce', bounce('Permanent', '5.1.1'), bounced('5.1.1', true)],
    ['Bounce', bounce('Permanent', undefined, 'NoEmail'), bounced('', false)],
    ['Bounce', bounce('Permanent'), bounced('', true)],
    ['Bounce', bounce('Permanent', '5.7.1'), bounced('5.7.1', false)],
    ['Bounce', bounce('Permanent', '5.7.26'), bounced('5.7.26', false)],
    ['Bounce', bounce('Permanent', '5.3.4'), bounced('5.3.4', false)],
    ['Bounce', bounce('Permanent', '5.1.1', 'Suppressed'), { kind: 'rejected', at: time, refusal: 'Suppressed' }],
    [
      'Bounce',
      bounce('Permanent', undefined, 'OnAccountSuppressionList'),
      { kind: 'rejected', at: time, refusal: 'OnAccountSuppressionList' },
    ],
    ['Bounce', bounce('Transient'), { kind: 'softBounced', at: time }],
    ['Bounce', bounce('Transient', '5.4.4'), { kind: 'softBounced', at: time }],
    ['Bounce', bounce('Transient', '5.2.2'), { kind: 'softBounced', at: time }],
    ['Complaint', complaint(null), { kind: 'complained', at: time }],
    ['Complaint', complaint('not-spam'), { kind: 'delivered', at: time }],
    [
      'Complaint',
      complaint(null, 'OnAccountSuppressionList'),
      { kind: 'rejected', at: time, refusal: 'OnAccountSuppressionList' },
    ],
    ['Reject', { reject: { reason: 'Bad content' } }, { kind: 'rejected', at: sentAt, refusal: 'Reject' }],
    ['Rendering Failure', { failure: {} }, { kind: 'rejected', at: sentAt, refusal: 'Rendering Failure' }],
  ])('reads %s with %j', (eventType, more, fact) => {
    expect(parseSesEvent(event(eventType, more))).toEqual({ origin, fact });
  });

  it.each([{}, { run: ['weekly_2026-W46'], message: ['0123'] }, { run: [], message: [], claim: [] }])(
    'finds nothing in an event whose message has the tags %j',
    (mailTags) => {
      expect(parseSesEvent(event('Send', {}, mailTags))).toBeNull();
    },
  );

  it('throws for what is no event of SES, and names no value of it', () => {
    expect(() => parseSesEvent({ source: 'aws.s3', detail: { mail: 'canary@example.com' } })).toThrow(
      new TypeError('Not a readable SES event: source, detail.eventType.'),
    );
    expect(() => parseSesEvent(null)).toThrow(new TypeError('Not a readable SES event: the event.'));
  });
});
