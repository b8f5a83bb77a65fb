import * as v from 'valibot';
import { expectedUnseen } from './fault.ts';

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.)$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/i;

const address = expectedUnseen('an address such as "name@example.com"');

/**
 * A mail address that SES accepts: plain ASCII, at most 254 characters, no display name. A domain in another alphabet is
 * written in Punycode.
 *
 * @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
export const Address = v.pipe(v.string(address), v.check(isAddress, address));

function isAddress(value: string): boolean {
  const at = value.lastIndexOf('@');
  return at > 0 && value.length <= 254 && LOCAL_PART.test(value.slice(0, at)) && DOMAIN.test(value.slice(at + 1));
}
