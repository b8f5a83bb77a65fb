import type { SESv2 } from '@aws-sdk/client-sesv2';
import { identitiesOf, mailboxSimulator, readIdentityArn } from '../../../functions/domain/configuration/fields.ts';
import { createSesClient, handToSes, type MailSender } from '../../../functions/run/send/ses.ts';
import { orNull } from '../../or-null.ts';
import { fault, good, look, type Remark } from './finding.ts';

/** The identities by which SES may have verified the sender in the way that is used; `null` for one that it does not know. */
export async function readIdentities(ses: SESv2, from: string, of: 'address' | 'domain') {
  const names = identitiesOf(from).slice(of === 'domain' ? 1 : 0);
  return await Array.fromAsync(names, async (name) => {
    return { name, found: await orNull(ses.getEmailIdentity({ EmailIdentity: name })) };
  });
}

/**
 * Whether SES takes mail under another account's identity: only a mail shows it, and this one is to SES's simulator.
 * https://docs.aws.amazon.com/ses/latest/dg/sending-authorization-overview.html
 */
export async function tryIdentity(sender: MailSender, arn: string): Promise<Remark> {
  const { account, region } = readIdentityArn(arn);
  const ses = createSesClient();
  const here = await ses.config.region();
  const ask = `Ask account ${account} for one in ${here}, or deploy to ${region}.`;
  if (region !== here) return fault(`The identity is in ${region}, and SES takes mail under it there alone. ${ask}`);
  const raw = Buffer.from(`From: ${sender.from}\r\nTo: ${mailboxSimulator}\r\nSubject: Test\r\n\r\nTest\r\n`);
  const handover = await handToSes(ses, { raw, sender, to: mailboxSimulator, tags: { test: 'sender' } });
  const mail = `mail under the identity of account ${account}`;
  if (handover.outcome === 'accepted') return good(`SES takes ${mail}. ${wordsOfSandbox}`);
  if (handover.outcome !== 'refused') return look(`SES did not say whether it takes ${mail}. Try again later.`);
  return fault(`SES refuses ${mail} (${handover.refusal}). ${wordsOfRefusal}`);
}

const wordsOfSandbox = "Whether that account is out of SES's sandbox, as it has to be, cannot be seen from here.";
const wordsOfRefusal =
  'After AccessDenied that account has to attach the policy that "npm run ops -- sender" prints, and whoever tries it here needs the policy for operators. ' +
  "After MessageRejected it has to verify the identity in this region, and this one has to be out of SES's sandbox.";
