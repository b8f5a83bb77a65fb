import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { Temporal } from 'temporal-polyfill';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readSubscribers } from '../../../functions/ledger/persons/members.ts';
import { openHashes } from '../../../functions/ledger/persons/persons.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { sayInstant } from '../command-line/answer.ts';
import { readIdentities } from '../commands/sender.ts';
import { fault, good, look, type Said } from './finding.ts';
import type { DeployedStack } from './stack.ts';

/**
 * Whether SES has verified the sender, and signs the mail. A verified domain is good for its subdomains and all addresses there.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 * https://www.rfc-editor.org/rfc/rfc8058#section-4
 */
export async function examineIdentity({ ses, configuration: { mail } }: DeployedStack): Promise<Said[]> {
  const { of } = mail.identity;
  const { identities } = await readIdentities(ses, mail);
  const show = '"npm run ops -- sender" shows what to do.';
  if (!identities.some((identity) => identity?.VerifiedForSendingStatus === true))
    return [fault(`SES has not verified the ${of} of "mail.from": ${show}`)];
  const signed = identities.map((identity) => identity?.DkimAttributes).find((dkim) => dkim?.Status === 'SUCCESS');
  if (signed?.SigningEnabled === true) return [good('SES has verified the sender, and signs the mail as its domain.')];
  const why =
    'SES has verified the sender, but does not sign the mail with DKIM of your domain: mail programs show no button to unsubscribe, and receivers may take it for spam.';
  return [of === 'address' ? look(why, { name: 'mail.identity.of', value: '"domain"' }) : look(`${why} ${show}`)];
}

/**
 * Whether a deployment would take the sender from runs in progress. They stay on their version, which sends as the old one, but
 * rights are the role's, which all versions share. A release begins on the new version, so held runs may wait.
 */
export async function* examineSender({ outputs, table, configuration }: DeployedStack): AsyncGenerator<Said> {
  if (outputs.sender === configuration.mail.from) return;
  const runs = await Promise.all(configuration.reports.map((report) => readRunsFrom(table, report, '0000')));
  const open = runs.flat().filter(({ state, error }) => !/^(?:held|done|failed)$/.test(state) && error === undefined);
  const found = `cdk.json has another "mail.from" than the stack, and runs are in progress: ${open.map(({ run }) => run).join(', ')}.`;
  if (open.length > 0) yield look(`${found} Deploy once they have ended, or they may not send the rest.`);
}

/** A quota is compared with the busiest day of the next quarter. */
const daysAhead = 93;
/** Worth a look is an account that uses up more of the quota than this. */
const muchOfQuota = 0.9;

/** Whether the account may send, to anybody, and as much as the schedules trigger on one day. */
export async function* examineSending({ ses, configuration, table, now }: DeployedStack): AsyncGenerator<Said> {
  const account = await ses.send(new GetAccountCommand({}));
  const { EnforcementStatus, ProductionAccessEnabled, SendingEnabled, SendQuota } = account;
  if (SendingEnabled === false || EnforcementStatus === 'SHUTDOWN')
    yield fault('SES has stopped this account from sending.');
  if (EnforcementStatus === 'PROBATION')
    yield look("This account is on probation: SES may stop it. SES's console says why (Account dashboard).");
  yield ProductionAccessEnabled === true
    ? good("The account is out of SES's sandbox.")
    : look("The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.");
  const { Max24HourSend: quota = 0, SentLast24Hours: sent = 0 } = SendQuota ?? {};
  let [coming, gone] = [0, 0];
  const mailsOn = new Map<string, number>();
  const hashOf = await openHashes(table);
  for (const report of configuration.reports) {
    const { length: mails } = await readSubscribers(table, report, hashOf);
    for (const { scheduledTime } of nextDue(report.schedule, now.subtract({ hours: 24 }), daysAhead)) {
      const hours = now.until(Temporal.Instant.from(scheduledTime)).total('hours');
      const date = sayInstant(scheduledTime, report.schedule.timeZone).slice(0, 'YYYY-MM-DD'.length);
      if (hours <= 0) gone += mails;
      else if (hours <= daysAhead * 24) mailsOn.set(date, (mailsOn.get(date) ?? 0) + mails);
      if (hours > 0 && hours <= 24) coming += mails;
    }
  }
  const most = Math.max(...mailsOn.values());
  const busiest = `${count(most, 'mail')} due on ${[...mailsOn].find(([, mails]) => mails === most)?.[0]}`;
  const accepts = `SES accepts ${quota < 0 ? 'any number of messages' : count(quota, 'message')} a day`;
  yield quota < 0 || quota >= most
    ? good(`${accepts}; the schedules need no more in the next quarter than the ${busiest}.`)
    : fault(`${accepts}, fewer than the ${busiest}. Ask AWS for more.`);
  // The quota is of any 24 hours: by the time that the mails of the next ones are sent, those of the last ones do not count.
  const used = Math.max(sent, sent - gone + coming);
  const met = `SES accepted ${sent} of ${quota} messages in the last 24 hours, and ${coming} are due in the next`;
  if (quota >= 0 && used > quota * muchOfQuota) yield look(`${met}: those beyond the quota are late.`);
}
