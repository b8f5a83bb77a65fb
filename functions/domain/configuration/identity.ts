/**
 * The identities of which a verified one lets a sender send: the address, its domain, and every domain above that.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
export function identitiesOf(from: string): string[] {
  const labels = from.slice(from.lastIndexOf('@') + 1).split('.');
  return [from, ...labels.slice(1).map((_, above) => labels.slice(above).join('.'))];
}

/** The name, the region and the account in the ARN of an SES identity: `arn:aws:ses:REGION:ACCOUNT:identity/NAME`. */
export function readIdentityArn(arn: string) {
  const [, , , region = '', account = '', resource = ''] = arn.split(':');
  return { name: resource.slice('identity/'.length), region, account };
}

/** SES's mailbox simulator: it takes every mail to this address, and nobody gets it. https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html */
export const mailboxSimulator = 'success@simulator.amazonses.com';
