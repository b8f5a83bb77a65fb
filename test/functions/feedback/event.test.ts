import { describe, expect, it } from 'vitest';
import { parseSesEvent } from '../../../functions/feedback/event.ts';
import { sesEventsOf } from '../../../infra/local/emulators/ses-events.ts';

const at = new Date('2026-11-16T08:00:05.123Z');
const tags = { run: ['weekly_2026-W46'], message: ['0123'], claim: ['claim-1'] };
const origin = { run: 'weekly_2026-W46', message: '0123', claim: 'claim-1', messageId: 'ses-1' };

function event(
  eventType: string,
  more: Record<string, unknown> = {},
  mailTags: Record<string, string[]> = tags,
): unknown {
  const mail = { messageId: 'ses-1', timestamp: at.toISOString(), destination: ['ada@example.com'], tags: mailTags };
  return { source: 'aws.ses', 'detail-type': 'any', detail: { eventType, mail, ...more } };
}

describe('parseSesEvent', () => {
  it.each([
    ['Send', {}, { kind: 'sent', at: '2026-11-16T08:00:05.123Z' }],
    [
      'Delivery',
      { delivery: { timestamp: '2026-11-16T08:00:06Z' } },
      { kind: 'delivered', at: '2026-11-16T08:00:06Z' },
    ],
    [
      'Bounce',
      { bounce: { bounceType: 'Permanent', bounceSubType: 'General', timestamp: '2026-11-16T08:00:07Z' } },
      { kind: 'bounced', at: '2026-11-16T08:00:07Z' },
    ],
    [
      'Bounce',
      { bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull', timestamp: '2026-11-16T08:00:07Z' } },
      { kind: 'softBounced', at: '2026-11-16T08:00:07Z' },
    ],
    [
      'Bounce',
      { bounce: { bounceType: 'Undetermined', timestamp: '2026-11-16T08:00:07Z' } },
      { kind: 'softBounced', at: '2026-11-16T08:00:07Z' },
    ],
    [
      'Complaint',
      { complaint: { timestamp: '2026-11-16T08:00:08Z' } },
      { kind: 'complained', at: '2026-11-16T08:00:08Z' },
    ],
    [
      'Reject',
      { reject: { reason: 'Bad content' } },
      { kind: 'rejected', at: '2026-11-16T08:00:05.123Z', refusal: 'Rejected' },
    ],
    [
      'Rendering Failure',
      { failure: {} },
      { kind: 'rejected', at: '2026-11-16T08:00:05.123Z', refusal: 'RenderingFailure' },
    ],
  ])('reads %s with %j', (eventType, more, fact) => {
    expect(parseSesEvent(event(eventType, more))).toEqual({ origin, fact });
  });

  it('reads what the embedded SES publishes', () => {
    const events = sesEventsOf({
      messageId: 'ses-1',
      source: 'digest@example.com',
      destinations: ['bounce@simulator.amazonses.com'],
      configurationSet: 'set',
      tags: Object.entries(tags).map(([name, [value = '']]) => ({ name, value })),
      at,
    });
    expect(events.map((one) => parseSesEvent(one))).toEqual([
      { origin, fact: { kind: 'sent', at: '2026-11-16T08:00:05.123Z' } },
      { origin, fact: { kind: 'bounced', at: '2026-11-16T08:00:05.123Z' } },
    ]);
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
