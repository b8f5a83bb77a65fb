import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { count } from '../../../../functions/domain/counted-noun.ts';
import { fault, good, look, type Finding } from '../finding.ts';
import type { DeployedSide } from './deployed-side.ts';

/**
 * Whether somebody hears of alarms and notices. SNS lists a subscription with "PendingConfirmation" in place of its ARN until its owner
 * has confirmed it; until then it gets nothing.
 */
export async function examineAlarms({ sns, outputs, configuration }: DeployedSide): Promise<Finding[]> {
  const { alarmTopic: TopicArn } = outputs;
  if (TopicArn === undefined) return [look('alarms', 'The stack does not name its topic: deploy this version.')];
  let confirmed = 0;
  const addresses = new Set<string>();
  for await (const page of paginateListSubscriptionsByTopic({ client: sns }, { TopicArn })) {
    for (const { SubscriptionArn = '', Endpoint = '' } of page.Subscriptions ?? []) {
      if (!SubscriptionArn.startsWith('arn:')) continue;
      confirmed += 1;
      addresses.add(Endpoint.toLowerCase());
    }
  }
  const { alarmAddresses } = configuration.operations;
  const open = alarmAddresses.filter((address) => !addresses.has(address.toLowerCase())).length;
  // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html: a token is valid for two days.
  const confirm =
    'each has a mail from AWS with a link to confirm, good for two days ("aws sns subscribe" sends another)';
  if (confirmed === 0 && alarmAddresses.length === 0) {
    const setting = { name: 'operations.alarmAddresses', value: "the operators' addresses" };
    return [look('alarms', 'Nobody gets alarms and notices.', setting)];
  }
  if (confirmed === 0) return [fault('alarms', `Nobody gets alarms and notices: ${confirm}.`)];
  if (open > 0) {
    return [
      look(
        'alarms',
        `${open} of ${count(alarmAddresses.length, 'alarm address', 'alarm addresses')} get nothing: ${confirm}.`,
      ),
    ];
  }
  return [good('alarms', `Alarms and notices go to ${count(confirmed, 'confirmed subscription')}.`)];
}
