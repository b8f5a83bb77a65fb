import {
  GetEmailIdentityCommand,
  NotFoundException,
  PutEmailIdentityFeedbackAttributesCommand,
  SESv2,
} from '@aws-sdk/client-sesv2';
import { SESClient } from '@aws-sdk/client-ses';
import { STS } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { senderCommand } from '../../../infra/program/commands/sender.ts';
import { configurationWith } from '../../support/configuration.ts';

const client = new SESv2({ region: 'eu-west-1' });
const ses = mockClient(client);
const [address, domain] = ['digest@mail.example.com', 'mail.example.com'];
const waiting = { DkimAttributes: { Tokens: ['t1', 't2'], SigningHostedZone: 'x.eu' } };
const verified = { VerifiedForSendingStatus: true };
const signed = { ...verified, DkimAttributes: { Status: 'SUCCESS' as const } };
const link = /^SES has mailed a link .* Until SES signs the mail as mail\.example\.com, .*_dmarc\.mail\.example\.com /;
const records = /^Set these .* t1\._domainkey\.mail\.example\.com CNAME t1\.x\.eu t2\._.* Until SES signs the mail as /;
const done = /^SES has verified the sender: .* SES signs the mail as example\.com\.$/;

beforeEach(() => {
  ses.reset();
  ses.onAnyCommand().resolves(waiting);
  ses.on(GetEmailIdentityCommand).rejects(new NotFoundException({ message: 'x', $metadata: {} }));
});
const call = (identity: object, yes = false) => {
  const configuration = configurationWith({ mail: { from: address, identity } });
  return senderCommand({ configuration, local: false, yes }, client);
};

test.each([
  ['address', 'none', {}, 2, link, [address], address],
  ['address', address, waiting, 2, link, [], address],
  ['address', address, verified, 0, /^SES has verified the sender: .* Until SES signs the mail/, [], address],
  ['address', domain, verified, 0, /^SES has verified the sender: .* Until SES signs the mail/, [], domain],
  ['address', address, { ...verified, FeedbackForwardingStatus: false }, 0, /^SES has verified/, [], null],
  // It is the whole company's.
  ['address', 'example.com', signed, 0, done, [], null],
  ['domain', address, signed, 2, records, [domain], domain],
  ['domain', domain, waiting, 2, records, [], domain],
] as const)('an %s, where SES has %s: %j, ends with %i, and creates no more than it needs', async (...row) => {
  const [of, EmailIdentity, identity, code, says, created, silenced] = row;
  ses.on(GetEmailIdentityCommand, { EmailIdentity }).resolves(identity);
  const answer = await call({ of }, true);
  expect([answer.code, answer.lines.join(' ')]).toEqual([code, expect.stringMatching(says)]);
  const changes = ses
    .calls()
    .flatMap(({ args: [each] }) => (each instanceof GetEmailIdentityCommand ? [] : [each.input]));
  const silence = silenced === null ? [] : [{ EmailIdentity: silenced, EmailForwardingEnabled: false }];
  expect(changes).toEqual([...created.map((each) => ({ EmailIdentity: each })), ...silence]);
  // Without a terminal, and a yes in advance, nothing changes that was there.
  expect(await call({ of }).then(() => 'done', String)).toMatch(
    created.length === 0 && silenced !== null ? /--yes/ : /^done$/,
  );
});

test('a sender that is not deployed yet, whose bounces operators may not stop, is made all the same', async () => {
  const denial = Object.assign(new Error('Not authorized.'), { name: 'AccessDeniedException' });
  ses.on(PutEmailIdentityFeedbackAttributesCommand).rejects(denial);
  const { lines } = await call({ of: 'domain' });
  expect(lines.join(' ')).toMatch(
    /^Set these records .* SES goes on mailing bounces to everybody .*: deploy with this/,
  );
});

test('of an identity of another account it says the policy, tries it on the simulator, and changes nothing', async () => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  mockClient(STS).onAnyCommand().resolves({ Account: '111122223333' });
  const sending = mockClient(SESClient);
  sending.onAnyCommand().resolves({ MessageId: '1' });
  const arn = 'arn:aws:ses:eu-west-1:444455556666:identity/example.com';
  const { code, lines } = await call({ arn });
  const Condition = { StringEquals: { 'ses:FromAddress': address } };
  const policyOfOwner = { Principal: { AWS: '111122223333' }, Action: 'ses:SendRawEmail', Resource: arn, Condition };
  expect([code, JSON.parse(lines[1] ?? '').Statement]).toEqual([0, [{ Effect: 'Allow', ...policyOfOwner }]]);
  expect(sending.call(0).args[0].input).toMatchObject({ Destinations: ['success@simulator.amazonses.com'] });
  vi.stubEnv('AWS_REGION', 'eu-north-1');
  const elsewhere = await call({ arn });
  expect([elsewhere.code, elsewhere.lines.at(-1)]).toEqual([
    2,
    expect.stringMatching(/in eu-west-1, .* or deploy to eu-/),
  ]);
  expect([sending.calls().length, ses.calls()]).toEqual([1, []]);
  vi.unstubAllEnvs();
});
