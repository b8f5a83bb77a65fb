import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { region } from '../emulators/account.ts';
import { startDynamoDb } from '../emulators/dynamodb/dynamodb.ts';
import { startSecretsManager } from '../emulators/secrets-manager/secrets-manager.ts';
import { startSes, type Ses } from '../emulators/ses/ses.ts';
import { localSigningSecret } from '../state/signing-secret.ts';
import { localTableName } from '../state/state-folder.ts';
import { ledgerKeys, type Parts } from './parts.ts';

const secretNames = { credentials: 'broadcast-digest/credentials', unsubscribe: 'broadcast-digest/unsubscribe' };

/** How to start the embedded parts. */
export interface EmbeddedOptions {
  credentials: Credentials;
  /** The outbox. */
  outDir: string;
  stateDir: string;
  /** Messages a second that SES takes; no limit by default. */
  sendRate?: number | undefined;
  /** Another SES than the embedded one. */
  ses?: Ses | undefined;
}

/**
 * Starts DynamoDB, Secrets Manager and SES on loopback, with a ledger. Where one cannot be started, those before it are
 * closed.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where the state folder or the outbox cannot be used
 */
export async function startEmbeddedParts(options: EmbeddedOptions): Promise<Parts> {
  const { credentials, outDir, stateDir, sendRate } = options;
  await using started = new AsyncDisposableStack();
  // First, because it locks the state folder: two systems on one ledger would not see each other's writes.
  const dynamoDb = await startDynamoDb({ stateDir });
  started.defer(() => dynamoDb.close());
  await dynamoDb.ensureTable(localTableName, ledgerKeys);
  const signingSecret = await localSigningSecret(stateDir);
  const secretsManager = await startSecretsManager({
    secrets: {
      [secretNames.credentials]: JSON.stringify(credentials),
      [secretNames.unsubscribe]: signingSecret,
    },
  });
  started.defer(() => secretsManager.close());
  const ses = options.ses ?? (await startSes({ outDir, stateDir, ...(sendRate === undefined ? {} : { sendRate }) }));
  started.defer(() => ses.close());
  const client = new DynamoDBClient({
    endpoint: dynamoDb.url,
    region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'embedded' },
  });
  started.defer(() => client.destroy());
  const parts = started.move();
  return {
    endpoints: { dynamodb: dynamoDb.url, ses: ses.url, secretsManager: secretsManager.url },
    tableName: localTableName,
    secretNames,
    signingSecret,
    client,
    events: ses,
    close: () => parts.disposeAsync(),
  };
}
