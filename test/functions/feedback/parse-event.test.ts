import { describe, expect, it } from 'vitest';
import { parseSesEvent } from '../../../functions/feedback/parse-event.ts';

const sentAt = '2026-11-16T08:00:05.123Z';
const tags = { run: ['weekly_2026-W46'], message: ['0123'], claim: ['claim-1'] };
const origin = { run: 'weekly_2026-W46', id: '0123', claim: 'claim-1', messageId: 'ses-1' };

function event(eventType: string, more: object = {}, mailTags: object = tags): unknown {
  const mail = { messageId: 'ses-1', timestamp: sentAt, destination: ['ada@example.com'], tags: mailTags };
  return { source: 'aws.ses', 'detail-type': 'any', detail: { eventType, mail, ...more } };
}

describe('parseSesEvent', () => {
  // The instants of events differ in how they are written, and are compared with those of operators' acts.
  const timestamp = '2026-11-16T08:00:07Z';
  const time = '2026-11-16T08:00:07.000Z';
  const bounce = (bounceType: string, bounceSubType?: string, status?: string) => ({
    bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: 'ada@example.com', status }], timestamp },
  });
  const complaint = (type: string | null) => ({ complaint: { timestamp, complaintFeedbackType: type } });

  it.each([
    ['Send', {}, { kind: 'sent', at: sentAt }],
    ['Delivery', { delivery: { timestamp } }, { kind: 'delivered', at: time }],
    ['Bounce', bounce('Permanent'), { kind: 'bounced', at: time, status: 'unstated' }],
    ['Bounce', bounce('Permanent', 'General', '5.1.10 (null MX)'), { kind: 'bounced', at: time, status: '5.1.10' }],
    ['Bounce', bounce('Undetermined', 'Undetermined'), { kind: 'softBounced', at: time }],
    ['Complaint', complaint(null), { kind: 'complained', at: time }],
    ['Complaint', complaint('not-spam'), { kind: 'delivered', at: time }],
    ['Reject', { reject: { reason: 'Bad content' } }, { kind: 'rejected', at: sentAt, refusal: 'Reject' }],
    ['Rendering Failure', { failure: {} }, { kind: 'rejected', at: sentAt, refusal: 'Rendering Failure' }],
  ])('reads %s with %j', (eventType, more, fact) => {
    expect(parseSesEvent(event(eventType, more))).toEqual({ origin, fact });
  });

  const foreign = [{}, { run: ['weekly_2026-W46'], message: ['0123'] }, { run: [], message: [], claim: [] }];
  it.each(foreign)('finds nothing in an event whose message has the tags %j', (mailTags) => {
    expect(parseSesEvent(event('Send', {}, mailTags))).toBeNull();
  });

  it('throws for what is no event of SES, and names no value of it', () => {
    expect(() => parseSesEvent({ source: 'aws.s3', detail: { mail: 'canary@example.com' } })).toThrow(
      new TypeError('Not a readable SES event: source, detail.eventType.'),
    );
    expect(() => parseSesEvent(null)).toThrow(new TypeError('Not a readable SES event: the event.'));
  });
});
