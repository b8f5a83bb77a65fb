/** The pattern of the events that SES publishes of the messages sent under one configuration set. */
export function sesEventPattern(configurationSet: string) {
  return { source: ['aws.ses'], detail: { mail: { tags: { 'ses:configuration-set': [configurationSet] } } } };
}
