/** SES's events that are written into the ledger, by their detail types. */
const sesDetailTypes = [
  'Email Sent',
  'Email Delivered',
  'Email Bounced',
  'Email Complaint Received',
  'Email Rejected',
  'Email Rendering Failed',
] as const;

/** A pattern of events: at each path, the values of which an event has one. */
interface EventPattern {
  source: string[];
  detailType: string[];
  detail: { mail: { tags: Record<'ses:configuration-set', string[]> } };
}

/** The pattern of SES's events of the messages that were sent under one configuration set. */
export function sesEventPattern(configurationSet: string): EventPattern {
  return {
    source: ['aws.ses'],
    detailType: [...sesDetailTypes],
    detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
  };
}
