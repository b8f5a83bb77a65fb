import { resolve } from 'node:path';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../functions/ledger/table.ts';
import type { Credentials } from '../../functions/reporting-service/tokens/credentials.ts';
import { bundleFunctions, writeConfigurations } from '../build/bundles.ts';
import { functionSettings, type FunctionName } from '../function-settings.ts';
import type { AwsEndpoint, Opening } from './aws-endpoint.ts';
import { localTableName, startDynamoDb } from './emulators/dynamodb.ts';
import { startCheckpointWorker } from './emulators/lambda/durable-engine.ts';
import { startLambda } from './emulators/lambda/lambda.ts';
import { startSecretsManager } from './emulators/secrets-manager.ts';
import { startSes } from './emulators/ses.ts';
import { startWebhooks } from './emulators/webhooks.ts';
import { storing } from './local-error.ts';
import { localPublicUrl, localUnsubscribeSecret } from './state-folder.ts';

/** Nothing is watched here: a start decides about bounces, and says at its end what is open in the ledger. */
const localFunctions = ['run', 'collect', 'feedback', 'unsubscribe', 'page'] as const;

/**
 * The variables by which commands find their way out of this network: here functions ask the service from the same machine. What
 * `NODE_EXTRA_CA_CERTS` names is known to all threads of a process.
 */
const ofNetwork = /^(?:https?_proxy|no_proxy|node_use_env_proxy|node_use_system_ca)$/i;

/** SES's configuration set, under which all mail is sent. */
const configurationSet = 'broadcast-digest';

/** Names of the functions in the embedded Lambda. */
export const functionName = (name: FunctionName): string => `broadcast-digest-${name}`;

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
  const { awsEndpoint, configuration, credentials, out } = options;
  const stateDir = resolve(options.state);
  await using started = new AsyncDisposableStack();
  // First, because its thread takes longest to load.
  started.defer(await startCheckpointWorker());
  // Cards go no further than the outbox, whatever has the secrets.
  const webhooks = started.use(await startWebhooks(configuration, out));
  const tableName = awsEndpoint?.tableName ?? localTableName;
  const secretNames = {
    SECRET_NAME: `${tableName}/credentials`,
    UNSUBSCRIBE_SECRET_NAME: `${tableName}/unsubscribe`,
    CHANNELS_SECRET_NAME: `${tableName}/channels`,
  };
  const readSecrets = async () => ({
    [secretNames.SECRET_NAME]: JSON.stringify(credentials),
    [secretNames.UNSUBSCRIBE_SECRET_NAME]: await localUnsubscribeSecret(stateDir),
    [secretNames.CHANNELS_SECRET_NAME]: JSON.stringify(webhooks.addresses),
  });
  const opening = { started, stateDir, readSecrets, from: configuration.mail.from, configurationSet };
  // The clients for an emulator are loaded with one alone.
  const { environment, client, ses } =
    awsEndpoint === undefined
      ? await startParts(options, opening)
      : await (await import('./aws-endpoint.ts')).openAwsEndpoint(awsEndpoint, opening);
  const bundles = await storing('node_modules/.cache', () => bundleFunctions(configuration.mail.logo));
  const configurations = resolve(stateDir, 'configurations');
  await storing(configurations, () => writeConfigurations(configuration, configurations));
  const functions = localFunctions.map((name) => {
    const folders = { bundleDir: `${bundles}/${name}`, configurationDir: `${configurations}/${name}` };
    return [functionName(name), { ...functionSettings[name], ...folders }] as const;
  });
  const lambda = await startLambda({
    functions: Object.fromEntries(functions),
    logDir: resolve(stateDir, 'logs'),
    environment: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ofNetwork.test(name))),
      ...environment,
      TABLE_NAME: tableName,
      COLLECT_FUNCTION_NAME: functionName('collect'),
      CONFIGURATION_SET: configurationSet,
      ...secretNames,
      PUBLIC_URL: localPublicUrl(stateDir),
      ...options.environment,
    },
  });
  started.defer(() => lambda.close());
  if (ses !== null) {
    ses.deliverEvents((event) => lambda.invoke(functionName('feedback'), event));
    // Its events go to a function: they end before the functions do.
    started.defer(() => ses.close());
    // Events of an earlier run's messages come first: outcomes that were unknown then are settled now.
    await ses.eventsSettled();
  }
  const system = started.move();
  return {
    client,
    tableName,
    lambda,
    /** The ledger, as an operator reads it. */
    table: createTable(client, tableName),
    /** Resolves once what became of the messages sent so far is in the ledger. */
    eventsSettled: async (): Promise<void> => await ses?.eventsSettled(),
    close: () => system.disposeAsync(),
  };
}

async function startParts({ out, sendRate }: SystemOptions, { started, stateDir, readSecrets }: Opening) {
  // First, because it locks the state folder: two systems on one ledger would not see each other's writes.
  const ledger = started.adopt(await startDynamoDb(stateDir), (part) => part.close());
  const secretsManager = started.use(await startSecretsManager(await readSecrets()));
  const ses = started.adopt(await startSes({ outDir: out, stateDir, sendRate }), (part) => part.close());
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: ledger.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    AWS_ENDPOINT_URL_SES: ses.url,
  };
  return { environment, client: ledger.client, ses };
}
