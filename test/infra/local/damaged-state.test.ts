import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { expect, test } from 'vitest';
import { claimMessage } from '../../../functions/ledger/runs/claims.ts';
import { planMessage } from '../../../functions/ledger/runs/messages.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { localTableName, startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { startSes } from '../../../infra/local/emulators/ses.ts';
import { localUnsubscribeSecret } from '../../../infra/local/state-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Plans, claims and mails a message, as a run does. */
async function mail(stateDir: string, id: string): Promise<void> {
  const ledger = await startDynamoDb(stateDir);
  const table = createTable(ledger.client, localTableName);
  await planMessage(table, 'weekly_2026-W46', { id, expiresAt: 1 });
  await claimMessage(table, 'weekly_2026-W46', id, { claim: 'claim', execution: 'one', claimedAt: 1 });
  const ses = await startSes({ outDir: join(stateDir, 'out'), stateDir });
  const credentials = { accessKeyId: 'anybody', secretAccessKey: 'x' };
  const client = new SESClient({ endpoint: ses.url, region: 'eu-west-1', credentials });
  await client.send(
    new SendRawEmailCommand({
      Source: 'digest@example.com',
      Destinations: ['ada@example.com'],
      RawMessage: { Data: Buffer.from('Subject: Digest\r\n\r\nHello') },
      ConfigurationSetName: 'digest',
      Tags: Object.entries({ run: 'weekly_2026-W46', message: id }).map(([Name, Value]) => ({ Name, Value })),
    }),
  );
  client.destroy();
  await ses.close();
  await ledger.close();
}

test('a ledger whose log was cut off is not taken for one that sent nothing', async () => {
  const stateDir = temporaryFolder();
  await mail(stateDir, 'ada');
  await mail(stateDir, 'bo');
  const folder = join(stateDir, 'dynamodb');
  // A line that a full disk cut off is none.
  await writeFile(join(stateDir, 'accepted-messages'), '\nweekly_2026-W46 c', { flag: 'a' });
  await (await startDynamoDb(stateDir)).close();
  await mail(stateDir, 'dee');
  for (const name of await readdir(folder)) if (name.endsWith('.log')) await truncate(join(folder, name));
  await expect(startDynamoDb(stateDir)).rejects.toThrow(new RegExp(`^"${folder}" has lost mails.* another --state`));
});

test.each([
  ['dynamodb/CURRENT', startDynamoDb, 'dynamodb" cannot be used: Corruption', 'another --state'],
  ['lock/CURRENT', startDynamoDb, 'lock" cannot be used: Corruption', 'another --state'],
  ['unsubscribe-secret', localUnsubscribeSecret, 'unsubscribe-secret" is damaged', 'Delete it'],
])('of a state folder, a damaged %s is named, with what helps', async (file, open, named, help) => {
  const stateDir = temporaryFolder();
  await (await startDynamoDb(stateDir)).close();
  await writeFile(join(stateDir, file), '');
  await expect(open(stateDir)).rejects.toThrow(new RegExp(`^"${stateDir}/${named}.*${help}`));
});
