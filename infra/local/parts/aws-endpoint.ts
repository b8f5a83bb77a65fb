import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { region } from '../emulators/account.ts';
import { ensureTable } from '../emulators/dynamodb/ensure-table.ts';
import { lockState } from '../emulators/state-lock.ts';
import { AwsEndpointError } from './aws-endpoint-error.ts';
import { ensureSecret, ensureSender, setSecret } from './aws-resources.ts';
import { copyTable, dropTable } from './copy-table.ts';
import { localConfigurationSet, ledgerKeys, type Parts } from './parts.ts';

/** An emulator of AWS's DynamoDB, Secrets Manager and SES, and the name under which a reporting service's things are kept there. */
export interface AwsEndpoint {
  url: string;
  /** Letters, digits, `.`, `-` and `_`; another one for each reporting service. */
  name: string;
  /** Whether nothing is to change: the run works on a copy of the ledger. */
  dryRun: boolean;
}

/** Known to every emulator as nobody's: with it, no real key can ever leave this machine. */
const dummies = { accessKeyId: 'test', secretAccessKey: 'test' };

const timeouts = { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true };

/**
 * Opens the parts of an AWS emulator. What the stack would create is created where it is missing: the ledger's table,
 * both secrets, the identity and the configuration set. It does not report what becomes of messages.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {AwsEndpointError} where the emulator does not answer, or refuses something
 */
export async function openAwsEndpoint(options: {
  endpoint: AwsEndpoint;
  configuration: Configuration;
  credentials: Credentials;
  stateDir: string;
}): Promise<Parts> {
  const { endpoint, configuration, credentials, stateDir } = options;
  const { url, dryRun } = endpoint;
  await using started = new AsyncDisposableStack();
  const lock = await lockState(stateDir);
  started.defer(() => lock.release());
  const connection = { endpoint: url, region, credentials: dummies, requestHandler: timeouts };
  const client = started.adopt(new DynamoDBClient(connection), (each) => each.destroy());
  const secrets = started.adopt(new SecretsManagerClient(connection), (each) => each.destroy());
  const ses = started.adopt(new SESClient(connection), (each) => each.destroy());
  const base = `broadcast-digest-${endpoint.name}`;
  const tableName = dryRun ? `${base}-dry-run` : base;
  const secretNames = { credentials: `${base}/credentials`, unsubscribe: `${base}/unsubscribe` };

  if (dryRun) {
    await taking(url, 'a copy of the ledger', () => copyTable(client, { from: base, to: tableName, keys: ledgerKeys }));
    started.defer(() => taking(url, 'the removal of that copy', () => dropTable(client, tableName)));
  } else {
    await taking(url, 'the table', () => ensureTable(client, tableName, ledgerKeys));
    await taking(url, 'the sender', () => ensureSender(ses, configuration.mail, localConfigurationSet));
  }
  const signingSecret = await taking(url, 'the secrets', async () => {
    await setSecret(secrets, secretNames.credentials, JSON.stringify(credentials));
    return await ensureSecret(secrets, secretNames.unsubscribe, randomBytes(48).toString('base64url'));
  });
  const parts = started.move();
  return {
    endpoints: { dynamodb: url, ses: url, secretsManager: url },
    accessKeyId: dummies.accessKeyId,
    tableName,
    secretNames,
    signingSecret,
    client,
    events: null,
    close: () => parts.disposeAsync(),
  };
}

/** Has the emulator take something, or says what it did not take. The error's own message may name an address. */
async function taking<T>(url: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : name;
    throw new AwsEndpointError(`The AWS emulator at ${url} did not accept ${what} (${code}).`, { cause: error });
  }
}
