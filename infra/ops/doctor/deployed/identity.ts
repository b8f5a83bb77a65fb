import { GetEmailIdentityCommand, NotFoundException, type GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { fault, good, look, type Finding } from '../finding.ts';
import type { DeployedSide } from './deployed-side.ts';

/** Whether SES has verified the sender, and signs the mail: an address is signed for by its domain's identity, where there is one. */
export async function examineIdentity({ ses, configuration }: DeployedSide): Promise<Finding[]> {
  const { from, identity } = configuration.mail;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const ofDomain = await readIdentity(ses, domain);
  const sender = identity.of === 'domain' ? ofDomain : await readIdentity(ses, from);
  const called = identity.of === 'domain' ? `the domain ${domain}` : 'the address of "mail.from"';
  if (sender === null) return [fault('identity', `SES does not know ${called}.`)];
  return [
    sender.VerifiedForSendingStatus === true
      ? good('identity', `SES has verified ${called}.`)
      : fault('identity', `SES has not verified ${called}: follow the link in its mail, or set its DNS records.`),
    isSigned(sender) || (ofDomain !== null && isSigned(ofDomain))
      ? good('DKIM', `SES signs the mail as ${domain}.`)
      : unsigned(identity.of),
  ];
}

async function readIdentity(ses: SESv2Client, name: string): Promise<GetEmailIdentityResponse | null> {
  try {
    return await ses.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}

function isSigned({ DkimAttributes }: GetEmailIdentityResponse): boolean {
  return DkimAttributes?.SigningEnabled === true && DkimAttributes.Status === 'SUCCESS';
}

/** https://www.rfc-editor.org/rfc/rfc8058#section-4 */
function unsigned(of: 'address' | 'domain'): Finding {
  const why =
    'SES does not sign the mail with DKIM of your domain: mail programs show no button to unsubscribe, and receivers may take it for spam.';
  if (of === 'address') return look('DKIM', why, { name: 'mail.identity.of', value: '"domain"' });
  return look('DKIM', `${why} Set the CNAME records of the stack's outputs (…DkimRecord1 to 3).`);
}
