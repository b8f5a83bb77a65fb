/** The pattern of the events, SES's of the messages sent under one configuration set, that are written into the ledger. */
export function sesEventPattern(configurationSet: string) {
  return {
    source: ['aws.ses'],
    detailType: [
      'Email Sent',
      'Email Delivered',
      'Email Bounced',
      'Email Complaint Received',
      'Email Rejected',
      'Email Rendering Failed',
    ],
    detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } },
  };
}
