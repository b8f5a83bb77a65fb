import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { attempt, openAccount, type ExaminedAccount } from './account.ts';
import { examineContents } from './contents.ts';
import { good, info, look, type Finding } from './finding.ts';
import { examineList, firstPages } from './list.ts';
import { examineRecipients } from './recipients.ts';
import { examineTokens } from './tokens.ts';

/**
 * First contact with a service: asks a little of every endpoint by the collector's own code, says how it read what the
 * interface does not specify, and which setting to change where a default is wrong.
 */
export async function examineService(
  configuration: Configuration,
  report: ReportConfiguration,
  {
    credentials,
    clockIsRight,
    say,
  }: {
    credentials: Credentials;
    /** Whether this machine's clock is known to be right. */
    clockIsRight: boolean;
    say: (text: string) => void;
  },
): Promise<Finding[]> {
  const account = openAccount(configuration, report, credentials);
  say('Asking for a token …');
  const { findings: ofTokens, usable } = await examineTokens(account, { clockIsRight });
  if (!usable) return ofTokens;
  say('Asking for users and for the list of deliveries …');
  const users = await examineUsers(account);
  const { findings: ofList, deliveries } = await examineList(account);
  say('Asking for recipients …');
  const { findings: ofRecipients, samples } =
    deliveries.length === 0 ? nothing : await examineRecipients(account, deliveries);
  say('Asking for broadcasts and content items …');
  const ofContents = await examineContents(account, samples);
  return [...ofTokens, users, ...ofList, ...ofRecipients, ...ofContents, ...describeTraffic(account)];
}

const nothing = { findings: [], samples: [] };

/** No digest needs the users, so nothing is wrong where they are unavailable. */
async function examineUsers(account: ExaminedAccount): Promise<Finding> {
  const pages = await attempt(() => firstPages(account.connect(createTally()).users(), 1));
  if ('error' in pages) return info('users', `${pages.error.message}. No digest needs them.`);
  const listed = pages.value[0]?.rows.length ?? 0;
  return { ...good('users', `/v1/users lists ${listed} users.`), sample: account.sample('users', true) };
}

function describeTraffic({ traffic, settings }: ExaminedAccount): Finding[] {
  const count = (word: string): number =>
    Object.values(traffic.coverage.requests).reduce((sum, byStatus) => sum + (byStatus[word] ?? 0), 0);
  const throttled = count('429') + count('503');
  const late = count('no answer in time');
  const fewer = { name: 'service.concurrency', value: `less than ${settings.concurrency}` };
  const longer = { name: 'service.timeout', value: `more than ${settings.timeout}` };
  return [
    ...(throttled === 0 ? [] : [look('limits', `The service asked ${throttled} times to slow down.`, fewer)]),
    ...(late === 0
      ? []
      : [look('limits', `${late} requests were not answered within ${settings.timeout} seconds.`, longer)]),
  ];
}
