import { resolve } from 'node:path';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../functions/ledger/table.ts';
import type { Credentials } from '../../functions/reporting-service/tokens/credentials.ts';
import { buildBundles, type FunctionName } from '../build/bundles.ts';
import { functionSettings } from '../function-settings.ts';
import type { AwsEndpoint } from './aws-endpoint.ts';
import { localTableName, startDynamoDb } from './emulators/dynamodb.ts';
import { startCheckpointWorker } from './emulators/lambda/durable-engine.ts';
import type { FunctionDefinition } from './emulators/lambda/function-thread.ts';
import { startLambda } from './emulators/lambda/lambda.ts';
import { startSecretsManager } from './emulators/secrets-manager.ts';
import { startSes } from './emulators/ses.ts';
import { startWebhooks } from './emulators/webhooks.ts';
import { storing } from './local-error.ts';
import { localConfigurationSet, secretNamesOf, type Parts } from './parts.ts';
import { localPublicUrl, localUnsubscribeSecret } from './state-folder.ts';

/** Nothing is watched here: a start decides about bounces, and says at its end what is open in the ledger. */
const localFunctions = ['run', 'collect', 'feedback', 'unsubscribe', 'page'] as const;

/**
 * The variables by which commands find their way out of this network: here functions ask the service from the same machine. What
 * `NODE_EXTRA_CA_CERTS` names is known to all threads of a process.
 */
const ofNetwork = /^(?:https?_proxy|no_proxy|node_use_env_proxy|node_use_system_ca)$/i;

/** Names of the functions in the embedded Lambda. */
export const functionName = (name: FunctionName): string => `broadcast-digest-${name}`;

export type System = Awaited<ReturnType<typeof startSystem>>;

interface SystemOptions {
  configuration: Configuration;
  credentials: Credentials;
  out: string;
  /** The state folder of the one reporting service that the configuration names. */
  state: string;
  /** Messages a second that SES takes; no limit by default. */
  sendRate?: number | undefined;
  /** An AWS emulator in place of the embedded DynamoDB, Secrets Manager and SES. */
  awsEndpoint?: AwsEndpoint | undefined;
  /** Where the links in mails lead, without a slash at its end: by default to the front of the state folder, which is not part of the system. */
  publicUrl?: string | undefined;
  /** Variables of all functions, also in place of those that lead to the parts. */
  environment?: Record<string, string>;
}

/**
 * Starts Lambda, with the bundles that would be deployed, built with this configuration, and DynamoDB, Secrets Manager and
 * SES on loopback or in an AWS emulator. Where a part cannot be started, those before it are closed.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {LocalError} where the state folder or the outbox cannot be used, or the emulator does not do its part
 */
export async function startSystem(options: SystemOptions) {
  const { configuration } = options;
  const stateDir = resolve(options.state);
  await using started = new AsyncDisposableStack();
  // First, because its thread takes longest to load.
  started.defer(await startCheckpointWorker());
  // Cards go no further than the outbox, whatever has the secrets.
  const webhooks = await startWebhooks(configuration, options.out);
  started.defer(() => webhooks.close());
  const parts = await openParts(options, stateDir, webhooks.addresses);
  started.defer(() => parts.close());
  const { environment, client, tableName, ses } = parts;
  const secretNames = secretNamesOf(tableName);
  const bundlesDir = resolve(stateDir, 'bundles');
  await storing(bundlesDir, () => buildBundles(configuration, bundlesDir));
  const functions = localFunctions.map((name): [string, FunctionDefinition] => {
    const { processEnvironment, ...settings } = functionSettings[name];
    const definition = { ...settings, bundleDir: `${bundlesDir}/${name}`, environment: { ...processEnvironment } };
    return [functionName(name), definition];
  });
  const lambda = await startLambda({
    functions: Object.fromEntries(functions),
    logDir: resolve(stateDir, 'logs'),
    environment: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ofNetwork.test(name))),
      ...environment,
      TABLE_NAME: tableName,
      COLLECT_FUNCTION_NAME: functionName('collect'),
      CONFIGURATION_SET: localConfigurationSet,
      SECRET_NAME: secretNames.credentials,
      CHANNELS_SECRET_NAME: secretNames.channels,
      UNSUBSCRIBE_SECRET_NAME: secretNames.unsubscribe,
      PUBLIC_URL: options.publicUrl ?? localPublicUrl(stateDir),
      ...options.environment,
    },
  });
  started.defer(() => lambda.close());
  if (ses !== null) {
    ses.deliverEvents(async (event) => {
      const outcome = await lambda.invoke(functionName('feedback'), event);
      if ('functionError' in outcome) throw new Error('The feedback function did not take an event.');
    });
    // Its events go to a function: they end before the functions do.
    started.defer(() => ses.close());
    // Events of an earlier run's messages come first: outcomes that were unknown then are settled now.
    await ses.eventsSettled();
    started.defer(() => ses.eventsSettled());
  }
  const system = started.move();
  return {
    ...parts,
    lambda,
    /** The ledger, as an operator reads it. */
    table: createTable(client, tableName),
    /** Resolves once what became of the messages sent so far is in the ledger. */
    eventsSettled: async (): Promise<void> => await ses?.eventsSettled(),
    close: () => system.disposeAsync(),
  };
}

async function openParts(options: SystemOptions, stateDir: string, addresses: object): Promise<Parts> {
  const { awsEndpoint, configuration, credentials, out, sendRate } = options;
  if (awsEndpoint !== undefined) {
    // Its clients are loaded here alone.
    const { openAwsEndpoint } = await import('./aws-endpoint.ts');
    return await openAwsEndpoint(awsEndpoint, stateDir, { from: configuration.mail.from, credentials, addresses });
  }
  await using started = new AsyncDisposableStack();
  // First, because it locks the state folder: two systems on one ledger would not see each other's writes.
  const ledger = await startDynamoDb(stateDir);
  started.defer(() => ledger.close());
  const secretNames = secretNamesOf(localTableName);
  const secrets = {
    [secretNames.credentials]: JSON.stringify(credentials),
    [secretNames.unsubscribe]: await localUnsubscribeSecret(stateDir),
    [secretNames.channels]: JSON.stringify(addresses),
  };
  const secretsManager = await startSecretsManager(secrets);
  started.defer(() => secretsManager.close());
  const ses = await startSes({ outDir: out, stateDir, sendRate });
  started.defer(() => ses.close());
  const parts = started.move();
  return {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: ledger.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
      AWS_ENDPOINT_URL_SES: ses.url,
    },
    client: ledger.client,
    tableName: localTableName,
    ses,
    close: () => parts.disposeAsync(),
  };
}
