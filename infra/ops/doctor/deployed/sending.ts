import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { readSubscribers } from '../../../../functions/ledger/addresses/subscribers.ts';
import { count } from '../../../../functions/domain/counted-noun.ts';
import { fault, good, look, type Finding } from '../finding.ts';
import type { DeployedSide } from './deployed-side.ts';

/** Whether the account may send, to anybody, and to as many a day as there are subscribers. */
export async function examineSending({ ses, configuration, table }: DeployedSide): Promise<Finding[]> {
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await ses.send(new GetAccountCommand({}));
  const quota = SendQuota?.Max24HourSend ?? 0;
  let subscribers = 0;
  for (const report of configuration.reports) subscribers += (await readSubscribers(table, report)).length;
  const enough = quota < 0 || quota >= subscribers;
  const quotaText = quota < 0 ? 'any number of messages' : count(quota, 'message');
  return [
    ...(SendingEnabled === false ? [fault('sending', 'SES has stopped this account from sending.')] : []),
    ProductionAccessEnabled === true
      ? good('sandbox', "The account is out of SES's sandbox.")
      : look(
          'sandbox',
          "The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.",
        ),
    enough
      ? good('quota', `SES accepts ${quotaText} a day; all reports together have ${count(subscribers, 'subscriber')}.`)
      : fault(
          'quota',
          `SES accepts ${quotaText} a day, fewer than the ${count(subscribers, 'subscriber')} of all reports. Ask AWS for more.`,
        ),
  ];
}
