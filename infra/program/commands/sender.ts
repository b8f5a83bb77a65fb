import {
  CreateEmailIdentityCommand,
  GetEmailIdentityCommand,
  PutEmailIdentityFeedbackAttributesCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { identitiesOf } from '../../../functions/run/send/ses.ts';
import { done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { orNull } from '../targets/deployed.ts';
import { confirm, type YesFlag } from '../targets/operate.ts';
import type { Place } from '../targets/place.ts';

/**
 * Has SES verify the sender, the address of `mail.from` or its domain, and says what is left to do; also before anything is
 * deployed. The identity is the account's: no stack creates it, and none takes it away. One that was there is changed only after
 * a yes, and a domain above the sender's own never: others may send as it.
 */
export async function senderCommand(
  { configuration: { mail }, local, yes }: Pick<Place, 'configuration' | 'local'> & YesFlag,
  ses = new SESv2Client({}),
): Promise<CommandResult> {
  if (local) return done({ verified: true }, ['There is nothing to verify: the local SES takes every sender.']);
  const isDomain = mail.identity.of === 'domain';
  const [, domain = ''] = identitiesOf(mail.from);
  const { names, identities } = await readIdentities(ses, mail);
  const verified = identities.findIndex((identity) => identity?.VerifiedForSendingStatus === true);
  const isVerified = verified >= 0;
  const isCreated = !isVerified && identities[0] === null;
  if (isCreated) identities[0] = await ses.send(new CreateEmailIdentityCommand({ EmailIdentity: names[0] }));
  // By default SES mails bounces, which name subscribers, to the sender. Its events tell the ledger, and that is enough.
  const index = names.findIndex((name, at) => (name === mail.from || name === domain) && identities[at] !== null);
  const EmailIdentity = names[index];
  const mailsBounces = index >= 0 && identities[index]?.FeedbackForwardingStatus !== false;
  const whose = EmailIdentity === domain ? `everybody who sends as ${domain}` : 'the address of "mail.from"';
  if (mailsBounces && (isCreated || (await confirm(`SES mails bounces to ${whose}. Have it stop that?`, { yes }))))
    await ses.send(new PutEmailIdentityFeedbackAttributesCommand({ EmailIdentity, EmailForwardingEnabled: false }));

  const signers = names.filter((_, at) => identities[at]?.DkimAttributes?.Status === 'SUCCESS');
  // An address is signed as a domain, its own unless one above it is the one that SES knows.
  const signer = signers.find((name) => name !== mail.from) ?? (signers.length > 0 ? domain : undefined);
  const isSigned = signer !== undefined;
  const { Tokens = [], SigningHostedZone = 'dkim.amazonses.com' } = identities[0]?.DkimAttributes ?? {};
  const records = Tokens.map((token) => `${token}._domainkey.${domain} CNAME ${token}.${SigningHostedZone}`);
  const lines = isVerified ? ['SES has verified the sender: it takes mail from "mail.from".'] : [];
  if (!isVerified && !isDomain) lines.push(wordsOfLink);
  if (isDomain && !isSigned) lines.push(`Set these records in the DNS of ${domain}, then run this again:`, ...records);
  lines.push(isSigned ? `SES signs the mail as ${signer}.` : wordsOfDmarc(domain));
  const code = isVerified ? exitCodes.done : exitCodes.incomplete;
  return { json: { verified: isVerified, signed: isSigned, records }, lines, code };
}

/** The identities by which SES may have verified the sender in the way that is used; `null` for one that it does not know. */
export async function readIdentities(ses: SESv2Client, { from, identity }: Configuration['mail']) {
  const names = identitiesOf(from).slice(identity.of === 'domain' ? 1 : 0);
  const ask = (EmailIdentity: string) => orNull(ses.send(new GetEmailIdentityCommand({ EmailIdentity })));
  return { names, identities: await Promise.all(names.map(ask)) };
}

const wordsOfLink =
  'SES has mailed a link to the address of "mail.from": follow it within 24 hours, then run this again. ' +
  'For another link: aws ses verify-email-identity --email-address ADDRESS';

/** https://www.rfc-editor.org/rfc/rfc7489#section-6.3 */
const wordsOfDmarc = (domain: string): string =>
  `Until SES signs the mail as ${domain}, a strict DMARC policy (the TXT record of _dmarc.${domain} has p=quarantine or ` +
  'p=reject) has receivers put it aside or refuse it. It does once "mail.identity.of" is "domain" and the records are set.';
