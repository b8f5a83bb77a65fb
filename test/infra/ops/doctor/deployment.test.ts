import {
  CloudFormationClient,
  DetectStackResourceDriftCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pauseReport, resumeReport } from '../../../../functions/ledger/reports.ts';
import { loadConfiguration } from '../../../../infra/config.ts';
import { examineDeployment } from '../../../../infra/ops/doctor/deployment.ts';
import { openLedger, type Ledger } from '../../../functions/ledger/open-ledger.ts';
import { reportNamed } from '../../../support/report-named.ts';

const region = 'eu-west-1';
const cloudFormation = mockClient(CloudFormationClient);
const secrets = mockClient(SecretsManagerClient);
const ses = mockClient(SESv2Client);
const configuration = loadConfiguration({ today: '2026-11-20' });
const schedules = ['ScheduleWeekly', 'ScheduleDaily', 'ScheduleMonthly'];

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

beforeEach(() => {
  for (const mock of [cloudFormation, secrets, ses]) mock.reset();
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"id": "client", "secret": "canary-secret"}' });
  ses.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus: true });
  const SendQuota = { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 };
  ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: true, SendingEnabled: true, SendQuota });
  cloudFormation.on(ListStackResourcesCommand).resolves({
    StackResourceSummaries: schedules.map((LogicalResourceId) => ({
      LogicalResourceId,
      ResourceType: 'AWS::Scheduler::Schedule',
      LastUpdatedTimestamp: new Date(0),
      ResourceStatus: 'CREATE_COMPLETE',
    })),
  });
  cloudFormation.on(DetectStackResourceDriftCommand).resolves(driftOf('ENABLED'));
});

function driftOf(State: string) {
  return {
    StackResourceDrift: {
      StackId: 'x',
      LogicalResourceId: 'x',
      ResourceType: 'AWS::Scheduler::Schedule',
      StackResourceDriftStatus: 'IN_SYNC' as const,
      Timestamp: new Date(0),
      ActualProperties: JSON.stringify({ State }),
    },
  };
}

async function examine(): Promise<string[]> {
  const { findings, credentials } = await examineDeployment({
    configuration,
    stack: 'BroadcastDigest',
    table: ledger.table,
    secretName: 'the-secret',
    cloudFormation: new CloudFormationClient({ region }),
    secrets: new SecretsManagerClient({ region }),
    ses: new SESv2Client({ region }),
  });
  expect(JSON.stringify(findings)).not.toMatch(/canary-secret|@example\.com/);
  expect(credentials === null).toBe(findings[0]?.verdict === 'fault');
  return findings.map(({ verdict, found }) => `${verdict}: ${found}`);
}

test('a deployment that can work is good throughout', async () => {
  expect(await examine()).toEqual([
    'good: Secret "the-secret" has a client id and a secret.',
    'good: SES has verified the address of "mail.from".',
    "good: The account is out of SES's sandbox.",
    'good: SES takes 50000 messages a day; all reports together have 6 subscribers.',
    'good: The schedules of all 3 reports are on.',
  ]);
});

test('what is missing is named: secret, identity, production access, quota, schedules', async () => {
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"id": "", "secret": ""}' });
  ses.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus: false });
  ses
    .on(GetAccountCommand)
    .resolves({ ProductionAccessEnabled: false, SendingEnabled: false, SendQuota: { Max24HourSend: 5 } });
  cloudFormation
    .on(DetectStackResourceDriftCommand, { LogicalResourceId: 'ScheduleDaily' })
    .resolves(driftOf('DISABLED'));
  await pauseReport(ledger.table, reportNamed('weekly'), { at: '2026-11-18T10:00:00Z', by: 'grace' });
  expect(await examine()).toEqual([
    'fault: Secret "the-secret" has no "id" and no "secret". Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service.',
    'fault: SES has not verified the address of "mail.from": follow the link of its mail, or set its DNS records.',
    'fault: SES has stopped this account from sending.',
    "look: The account is in SES's sandbox: mail goes only to verified addresses. Ask AWS for production access.",
    'fault: SES takes 5 messages a day, fewer than the 6 subscribers of all reports. Ask AWS for more.',
    'fault: 2 schedules are on, of 3 reports: enable them, or deploy again.',
    'look: Report "weekly" is paused since 2026-11-18T10:00:00Z.',
  ]);
  await resumeReport(ledger.table, reportNamed('weekly'), '2026-11-18T11:00:00Z');
});

test('an identity that SES does not know is named', async () => {
  ses.on(GetEmailIdentityCommand).rejects(new NotFoundException({ message: 'x', $metadata: {} }));
  expect((await examine())[1]).toBe('fault: SES does not know the address of "mail.from".');
});
