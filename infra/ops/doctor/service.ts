import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { keepAllRows } from '../../../functions/reporting-service/lists/rows.ts';
import { attempt, openAccount, type Account } from './account.ts';
import { examineContents } from './contents.ts';
import { good, look, type Finding } from './finding.ts';
import { examineList } from './list.ts';
import { mask } from './mask.ts';
import { examineRecipients } from './recipients.ts';
import { examineTokens } from './tokens.ts';

/**
 * First contact with a service: asks a little of every endpoint, says which reading of what its interface leaves unsaid
 * was met, and which setting to change where a default is wrong.
 */
export async function examineService(
  configuration: Configuration,
  report: ReportConfiguration,
  credentials: Credentials,
  say: (text: string) => void,
): Promise<Finding[]> {
  const account = openAccount(configuration, report, credentials);
  say('Asking for a token …');
  const { findings: ofTokens, usable } = await examineTokens(account);
  if (!usable) return ofTokens;
  say('Asking for users and for the list of deliveries …');
  const users = await examineUsers(account);
  const { findings: ofList, listed } = await examineList(account);
  say('Asking for recipients …');
  const { findings: ofRecipients, samples } = listed.length === 0 ? nothing : await examineRecipients(account, listed);
  say('Asking for broadcasts and content items …');
  const ofContents = await examineContents(account, samples);
  return [...ofTokens, users, ...ofList, ...ofRecipients, ...ofContents, ...describeTraffic(account)];
}

const nothing = { findings: [], samples: [] };

/** Users are not part of any digest: that they cannot be had harms nothing. */
async function examineUsers({ service }: Account): Promise<Finding> {
  const users = await attempt(() => service.users().into(keepAllRows));
  if ('error' in users) return look('users', `${users.error.message}. No digest needs them.`);
  const listed = users.value.rows.length;
  return { ...good('users', `/v1/users lists ${listed} users.`), sample: mask(users.value.rows, true) };
}

function describeTraffic({ tally, settings }: Account): Finding[] {
  const failed = (word: string): number =>
    Object.values(tally.coverage.requests).reduce((sum, byStatus) => sum + (byStatus[word] ?? 0), 0);
  const throttled = failed('429') + failed('503');
  const late = failed('no answer in time');
  const fewer = { name: 'service.concurrency', value: `less than ${settings.concurrency}` };
  return [
    ...(throttled === 0
      ? []
      : [look('limits', `The service told to slow down ${throttled} times in this short visit.`, fewer)]),
    ...(late === 0
      ? []
      : [
          look('limits', `${late} requests were not answered within ${settings.timeout} seconds.`, {
            name: 'service.timeout',
            value: `more than ${settings.timeout}`,
          }),
        ]),
  ];
}
