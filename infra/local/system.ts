import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Configuration } from '../../functions/configuration.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { buildBundles, type FunctionName } from '../build/bundles.ts';
import { region } from './embedded/account.ts';
import { startDynamoDb } from './embedded/dynamodb.ts';
import { startLambda, type Lambda } from './embedded/lambda.ts';
import { startSecretsManager } from './embedded/secrets-manager.ts';
import { startSes, type Ses } from './embedded/ses.ts';

const tableName = 'broadcast-digest';
const secretName = 'broadcast-digest/credentials';

/** The whole system on embedded parts. */
export interface System {
  lambda: Lambda;
  ses: Ses;
  /** The ledger, as an operator reads it. */
  table: Table;
  close(): Promise<void>;
}

/** Names of the functions in the embedded Lambda. */
export const functionName = (name: FunctionName): string => `broadcast-digest-${name}`;

/**
 * Starts DynamoDB, Secrets Manager, SES and Lambda on loopback, with the bundles that would be deployed, built with this
 * configuration. Throws `StateInUseError` where another run uses the state folder.
 */
export async function startSystem(options: {
  configuration: Configuration;
  credentials: { id: string; secret: string };
  out: string;
  state: string;
  sendRate?: number | undefined;
}): Promise<System> {
  const { configuration, credentials, sendRate } = options;
  const outDir = resolve(options.out);
  const stateDir = resolve(options.state);
  // First, because it locks the state folder: two systems on one ledger would not see each other's writes.
  const dynamoDb = await startDynamoDb({ stateDir });
  await dynamoDb.ensureTable(tableName, { partitionKey: 'pk', sortKey: 'sk' });
  const bundles = await buildBundles(configuration, resolve(stateDir, 'bundles'));
  const secretsManager = await startSecretsManager({ secrets: { [secretName]: JSON.stringify(credentials) } });
  const ses = await startSes({ outDir, stateDir, ...(sendRate === undefined ? {} : { sendRate }) });
  const names = { TABLE_NAME: tableName };
  const lambda = await startLambda({
    functions: {
      [functionName('run')]: {
        bundleDir: bundles.run,
        handler: 'index.handler',
        environment: { ...names, COLLECT_FUNCTION_NAME: functionName('collect') },
        timeoutSeconds: 900,
        memoryMb: 1024,
      },
      [functionName('collect')]: {
        bundleDir: bundles.collect,
        handler: 'index.handler',
        environment: { ...names, SECRET_NAME: secretName },
        timeoutSeconds: 900,
        memoryMb: 1024,
      },
    },
    logDir: resolve(stateDir, 'logs'),
    endpoints: { dynamodb: dynamoDb.url, ses: ses.url, secretsManager: secretsManager.url },
  });
  const client = new DynamoDBClient({
    endpoint: dynamoDb.url,
    region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'embedded' },
  });
  return {
    lambda,
    ses,
    table: createTable(client, tableName),
    close: async () => {
      await ses.eventsSettled();
      await ses.close();
      await lambda.close();
      client.destroy();
      await Promise.all([secretsManager.close(), dynamoDb.close()]);
    },
  };
}
