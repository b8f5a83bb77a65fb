/**
 * The domains under which AWS answers, in all its partitions: those of the SDK's own endpoints, and the top-level domain
 * that is Amazon's.
 */
const domainsOfAws = [
  'aws',
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'amazonwebservices.com.cn',
  'amazonwebservices.eu',
  'aws.amazon.com',
  'amazonaws.cn',
  'c2s.ic.gov',
  'sc2s.sgov.gov',
  'aws.ic.gov',
  'aws.scloud',
  'csp.hci.ic.gov',
  'aws.hci.ic.gov',
  'cloud.adc-e.uk',
  'cloud-aws.adc-e.uk',
];

/** What is wrong with the address of an AWS emulator, in a sentence; `null` where nothing is. */
export function faultOfAwsEndpoint(text: string): string | null {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:\/\/[^\s\\?#@]+$/i.test(text);
  if (!isPlain) return 'expected the address of an AWS emulator, such as http://localhost:4566.';
  // A name may end with the dot of the root, and mean the same.
  const host = url.hostname.replace(/\.+$/, '');
  const isAws = domainsOfAws.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return isAws ? 'this is AWS itself; only an emulator is accepted.' : null;
}
