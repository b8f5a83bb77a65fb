import { STSClient } from '@aws-sdk/client-sts';
import { afterEach, expect, test } from 'vitest';
import { serveOnLoopback, type Loopback } from '../../../../infra/local/emulators/loopback.ts';
import { examineCaller } from '../../../../infra/program/doctor/deployment.ts';

let sts: Loopback | undefined;
afterEach(async () => {
  await sts?.close();
  sts = undefined;
});

const identity = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>arn:aws:sts::111122223333:assumed-role/Operators/grace@example.com</Arn>
  <UserId>AROA:grace@example.com</UserId><Account>111122223333</Account>
</GetCallerIdentityResult><ResponseMetadata><RequestId>x</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;

const now = Date.parse('2026-11-20T12:00:00Z');

/** What is found where AWS's clock is ahead of this one by so many seconds. */
async function examine(aheadSeconds: number): Promise<string[]> {
  const date = new Date(now + aheadSeconds * 1000).toUTCString();
  sts = await serveOnLoopback(() => ({ status: 200, headers: { 'content-type': 'text/xml', date }, body: identity }));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new STSClient({ endpoint: sts.url, region: 'eu-west-1', credentials });
  const findings = await examineCaller(client, () => now);
  client.destroy();
  return findings.map(({ check, verdict, found }) => `${verdict} ${check}: ${found}`);
}

test('the account and the region are named, the caller is not, and the clock is compared with the one of AWS', async () => {
  expect(await examine(2)).toEqual([
    'good account: This is account 111122223333, region eu-west-1.',
    "good clock: This machine's clock agrees with AWS's.",
  ]);
});

test.each([
  { aheadSeconds: 90, says: "look clock: This machine's clock is 90 seconds behind AWS's: set it." },
  { aheadSeconds: -3600, says: "look clock: This machine's clock is 3600 seconds ahead of AWS's: set it." },
])('a clock that is wrong by more than half a minute is to be set: $aheadSeconds', async ({ aheadSeconds, says }) => {
  expect(await examine(aheadSeconds)).toContain(says);
});
