import { SESv2 } from '@aws-sdk/client-sesv2';
import { STS } from '@aws-sdk/client-sts';
import { identitiesOf, readIdentityArn } from '../../../functions/domain/configuration/fields.ts';
import type { MailSender } from '../../../functions/run/send/ses.ts';
import { orNull } from '../../or-null.ts';
import { done, exitCodes, type CommandResult } from '../command-line/result.ts';
import { defineCommand, yesFlag, type Given } from '../command-line/command.ts';
import { readIdentities, tryIdentity } from '../doctor/identity.ts';
import { confirm, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  does: 'has SES verify who mail comes from, and says what is left to do',
  more: 'It asks before it changes an identity that was there, and says who signs. Before a deployment, too.',
  example: 'sender',
  flags: [yesFlag],
  work: (place: Given<YesFlag>) => senderCommand(place),
});

/**
 * Has SES verify the sender, the address of `mail.from` or its domain, and says what is left to do; also before anything is
 * deployed. The identity is the account's: no stack creates it, and none takes it away. One that was there is changed only after
 * a yes, and a domain above the sender's own never: others may send as it. Of one that another account owns it only says what
 * that account has to do.
 */
export async function senderCommand(
  { configuration: { mail }, local, yes }: Pick<Given, 'configuration' | 'local'> & YesFlag,
  ses = new SESv2({}),
): Promise<CommandResult> {
  if (local) return done({ verified: true }, ['There is nothing to verify: the local SES takes every sender.']);
  const { from, identity } = mail;
  if ('arn' in identity) return await foreignSender(mail, identity.arn);
  const isDomain = identity.of === 'domain';
  const [, domain = ''] = identitiesOf(from);
  const known = await readIdentities(ses, from, identity.of);
  const [first] = known;
  const isVerified = known.some(({ found }) => found?.VerifiedForSendingStatus === true);
  const isCreated = !isVerified && first?.found === null;
  if (isCreated) first.found = await ses.createEmailIdentity({ EmailIdentity: first.name });
  // By default SES mails bounces, which name subscribers, to the sender. Its events tell the ledger, and that is enough.
  const own = known.find(({ name, found }) => (name === from || name === domain) && found !== null);
  const { name: EmailIdentity } = own ?? {};
  const mailsBounces = own !== undefined && own.found?.FeedbackForwardingStatus !== false;
  const whose = EmailIdentity === domain ? `everybody who sends as ${domain}` : 'the address of "mail.from"';
  const isToStop =
    mailsBounces && (isCreated || (await confirm(`SES mails bounces to ${whose}. Have it stop that?`, { yes })));
  // Operators have the right for the sender that is deployed.
  const stop = () => ses.putEmailIdentityFeedbackAttributes({ EmailIdentity, EmailForwardingEnabled: false });
  const isDenied = isToStop && (await orNull(stop(), /^AccessDeniedException$/)) === null;

  const signers = known.flatMap(({ name, found }) => (found?.DkimAttributes?.Status === 'SUCCESS' ? [name] : []));
  // An address is signed as a domain, its own unless one above it is the one that SES knows.
  const signer = signers.find((name) => name !== from) ?? (signers.length > 0 ? domain : undefined);
  const isSigned = signer !== undefined;
  const { Tokens = [], SigningHostedZone = 'dkim.amazonses.com' } = first?.found?.DkimAttributes ?? {};
  const records = Tokens.map((token) => `${token}._domainkey.${domain} CNAME ${token}.${SigningHostedZone}`);
  const lines = isVerified ? ['SES has verified the sender: it takes mail from "mail.from".'] : [];
  if (!isVerified && !isDomain) lines.push(wordsOfLink);
  if (isDomain && !isSigned) lines.push(`Set these records in the DNS of ${domain}, then run this again:`, ...records);
  if (isDenied)
    lines.push(`SES goes on mailing bounces to ${whose}: deploy with this "mail.from", then run this again.`);
  lines.push(isSigned ? `SES signs the mail as ${signer}.` : wordsOfDmarc(domain));
  const code = isVerified ? exitCodes.done : exitCodes.incomplete;
  return { json: { verified: isVerified, signed: isSigned, records }, lines, code };
}

/**
 * Says which policy the owner of an identity attaches to it, and whether SES takes mail under it. SES documents accounts and
 * users as principals; a role of this account still needs a right of its own.
 * https://docs.aws.amazon.com/ses/latest/dg/sending-authorization-identity-owner-tasks-information.html
 */
async function foreignSender(mail: MailSender, arn: string): Promise<CommandResult> {
  const { account, name, region } = readIdentityArn(arn);
  const { Account: AWS } = await new STS({}).getCallerIdentity();
  const Condition = { StringEquals: { 'ses:FromAddress': mail.from } };
  const right = { Effect: 'Allow', Principal: { AWS }, Action: 'ses:SendRawEmail', Resource: arn, Condition };
  const policy = { Version: '2012-10-17', Statement: [right] };
  const { verdict, sentence } = await tryIdentity(mail, arn);
  const lines = [
    `Account ${account} attaches this policy, as policy.json, to its identity:`,
    JSON.stringify(policy),
    `aws sesv2 create-email-identity-policy --region ${region} --email-identity ${name} --policy-name broadcast-digest --policy file://policy.json`,
    sentence,
  ];
  const code = verdict === 'good' ? exitCodes.done : exitCodes.incomplete;
  return { json: { verified: verdict === 'good', policy }, lines, code };
}

const wordsOfLink =
  'SES has mailed a link to the address of "mail.from": follow it within 24 hours, then run this again. ' +
  'For another link: aws ses verify-email-identity --email-address ADDRESS';

/** https://www.rfc-editor.org/rfc/rfc7489#section-6.3 */
const wordsOfDmarc = (domain: string): string =>
  `Until SES signs the mail as ${domain}, a strict DMARC policy (the TXT record of _dmarc.${domain} has p=quarantine or ` +
  'p=reject) has receivers put it aside or refuse it. It does once "mail.identity.of" is "domain" and the records are set.';
