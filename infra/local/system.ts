import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { buildBundles, type FunctionName } from '../build/bundles.ts';
import { sesEventPattern } from '../constructs/ses-event-pattern.ts';
import { functionSettings } from '../function-settings.ts';
import { region } from './emulators/account.ts';
import { startDynamoDb } from './emulators/dynamodb/dynamodb.ts';
import { startFunctionUrl } from './emulators/lambda/function-url.ts';
import { matchesPattern } from './emulators/lambda/event-pattern.ts';
import type { FunctionDefinition } from './emulators/lambda/lambda-function.ts';
import { startLambda, type Lambda } from './emulators/lambda/lambda.ts';
import { startSecretsManager } from './emulators/secrets-manager/secrets-manager.ts';
import { startSes, type Ses } from './emulators/ses/ses.ts';
import { storing } from './emulators/storage-error.ts';
import { localSigningSecret } from './state/signing-secret.ts';
import { tableName } from './state/state-folder.ts';

const secretName = 'broadcast-digest/credentials';
const configurationSet = 'broadcast-digest';
const unsubscribeSecretName = 'broadcast-digest/unsubscribe';

/** The whole system on embedded parts. */
export interface System {
  lambda: Lambda;
  ses: Ses;
  /** The ledger, as an operator reads it. */
  table: Table;
  /** The client of the ledger's table. */
  client: DynamoDBClient;
  /** The address of unsubscribe links, and the secret they are made under. */
  leaving: { url: string; secret: string };
  close(): Promise<void>;
}

/** Names of the functions in the embedded Lambda. */
export const functionName = (name: FunctionName): string => `broadcast-digest-${name}`;

/**
 * Starts DynamoDB, Secrets Manager, SES and Lambda on loopback, with the bundles that would be deployed, built with this
 * configuration. Where a part cannot be started, those before it are closed.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where the state folder or the outbox cannot be used
 */
export async function startSystem(options: {
  configuration: Configuration;
  credentials: { id: string; secret: string };
  out: string;
  /** The state folder of the one reporting service that the configuration names. */
  state: string;
  sendRate?: number | undefined;
  /** Another SES than the embedded one. */
  ses?: Ses | undefined;
}): Promise<System> {
  const { configuration, credentials, sendRate } = options;
  const outDir = resolve(options.out);
  const stateDir = resolve(options.state);
  await using started = new AsyncDisposableStack();
  // First, because it locks the state folder: two systems on one ledger would not see each other's writes.
  const dynamoDb = await startDynamoDb({ stateDir });
  started.defer(() => dynamoDb.close());
  await dynamoDb.ensureTable(tableName, { partitionKey: 'pk', sortKey: 'sk' });
  const bundlesDir = resolve(stateDir, 'bundles');
  const bundles = await storing(bundlesDir, () => buildBundles(configuration, bundlesDir));
  const signingSecret = await localSigningSecret(stateDir);
  const secretsManager = await startSecretsManager({
    secrets: { [secretName]: JSON.stringify(credentials), [unsubscribeSecretName]: signingSecret },
  });
  started.defer(() => secretsManager.close());
  const ses = options.ses ?? (await startSes({ outDir, stateDir, ...(sendRate === undefined ? {} : { sendRate }) }));
  started.defer(() => ses.close());
  const front = await startFunctionUrl((event) => lambda.invoke(functionName('unsubscribe'), event));
  started.defer(() => front.close());
  const leaving = { UNSUBSCRIBE_SECRET_NAME: unsubscribeSecretName };
  const names = { TABLE_NAME: tableName };
  const define = (name: FunctionName, environment: Record<string, string> = {}): FunctionDefinition => {
    const { processEnvironment, ...settings } = functionSettings[name];
    const own = { ...processEnvironment, ...names, ...environment };
    return { bundleDir: bundles[name], handler: 'index.handler', environment: own, ...settings };
  };
  const lambda = await startLambda({
    functions: {
      [functionName('run')]: define('run', {
        COLLECT_FUNCTION_NAME: functionName('collect'),
        CONFIGURATION_SET: configurationSet,
        ...leaving,
        UNSUBSCRIBE_URL: front.url,
      }),
      [functionName('collect')]: define('collect', { SECRET_NAME: secretName }),
      [functionName('feedback')]: define('feedback'),
      [functionName('unsubscribe')]: define('unsubscribe', leaving),
    },
    logDir: resolve(stateDir, 'logs'),
    endpoints: { dynamodb: dynamoDb.url, ses: ses.url, secretsManager: secretsManager.url },
  });
  started.defer(() => lambda.close());
  const { detailType, ...others } = sesEventPattern(configurationSet);
  const pattern = { ...others, 'detail-type': detailType };
  ses.deliverEvents(async (event) => {
    if (!matchesPattern(pattern, event)) return;
    const outcome = await lambda.invoke(functionName('feedback'), event);
    if ('functionError' in outcome) throw new Error('The feedback function did not take an event.');
  });
  // Its events go to a function: they end before the functions do.
  started.defer(() => ses.close());
  // Events of an earlier run's messages come first: outcomes that were unknown then are settled now.
  await ses.eventsSettled();
  const client = new DynamoDBClient({
    endpoint: dynamoDb.url,
    region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'embedded' },
  });
  started.defer(() => client.destroy());
  started.defer(() => ses.eventsSettled());
  const parts = started.move();
  return {
    lambda,
    ses,
    table: createTable(client, tableName),
    client,
    leaving: { url: front.url, secret: signingSecret },
    close: () => parts.disposeAsync(),
  };
}
