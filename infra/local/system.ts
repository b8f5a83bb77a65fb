import { resolve } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { buildBundles, type FunctionName } from '../build/bundles.ts';
import { sesEventPattern } from '../constructs/ses-event-pattern.ts';
import { functionSettings } from '../function-settings.ts';
import { startCheckpointWorker } from './emulators/lambda/durable-engine.ts';
import { startFunctionUrl } from './emulators/lambda/function-url.ts';
import { matchesPattern } from './emulators/lambda/event-pattern.ts';
import type { FunctionDefinition } from './emulators/lambda/lambda-function.ts';
import { startLambda, type Lambda } from './emulators/lambda/lambda.ts';
import { storing } from './emulators/storage-error.ts';
import type { AwsEndpoint } from './parts/aws-endpoint.ts';
import { startEmbeddedParts, type EmbeddedOptions } from './parts/embedded.ts';
import type { PagePlace } from './pages/page-link.ts';
import { localConfigurationSet, type Parts } from './parts/parts.ts';

/** The whole system on embedded parts, or on Lambda alone and an AWS emulator. */
export interface System {
  lambda: Lambda;
  /** The ledger, as an operator reads it. */
  table: Table;
  /** The client of the ledger's table, and the table's name. */
  client: DynamoDBClient;
  tableName: string;
  /** Where unsubscribe links lead, and the secret that links are made under. */
  leaving: { url: string; secret: string };
  /** Where the pages are; `null` where mails lead to none. */
  pages: PagePlace | null;
  /** Resolves once what became of the messages sent so far is in the ledger. */
  eventsSettled(): Promise<void>;
  close(): Promise<void>;
}

/** Names of the functions in the embedded Lambda. */
export const functionName = (name: FunctionName): string => `broadcast-digest-${name}`;

/** How to start a system, beside the options of the embedded parts. */
export interface SystemOptions extends Omit<EmbeddedOptions, 'outDir' | 'stateDir'> {
  configuration: Configuration;
  out: string;
  /** The state folder of the one reporting service that the configuration names. */
  state: string;
  /** An AWS emulator in place of the embedded DynamoDB, Secrets Manager and SES. */
  awsEndpoint?: AwsEndpoint | undefined;
}

/**
 * Starts Lambda on loopback, with the bundles that would be deployed, built with this configuration, and DynamoDB, Secrets
 * Manager and SES on loopback too or in an AWS emulator. Where a part cannot be started, those before it are closed.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where the state folder or the outbox cannot be used
 * @throws {AwsEndpointError} where the emulator does not answer, or refuses something
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { configuration } = options;
  const stateDir = resolve(options.state);
  await using started = new AsyncDisposableStack();
  // First, because its thread takes longest to load.
  started.defer(await startCheckpointWorker());
  const parts = await openParts(options, stateDir);
  started.defer(() => parts.close());
  const { client, tableName, secretNames, events } = parts;
  const bundlesDir = resolve(stateDir, 'bundles');
  const bundles = await storing(bundlesDir, () => buildBundles(configuration, bundlesDir));
  const serve = async (name: FunctionName): Promise<string> => {
    const front = await startFunctionUrl((event) => lambda.invoke(functionName(name), event));
    started.defer(() => front.close());
    return front.url;
  };
  const unsubscribeUrl = await serve('unsubscribe');
  const pageUrl = configuration.mail.page ? await serve('page') : null;
  const signing = { SIGNING_SECRET_NAME: secretNames.unsubscribe };
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
        CONFIGURATION_SET: localConfigurationSet,
        ...signing,
        UNSUBSCRIBE_URL: unsubscribeUrl,
        ...(pageUrl === null ? {} : { PAGE_URL: pageUrl }),
      }),
      [functionName('collect')]: define('collect', { SECRET_NAME: secretNames.credentials }),
      [functionName('feedback')]: define('feedback'),
      [functionName('unsubscribe')]: define('unsubscribe', signing),
      ...(pageUrl === null ? {} : { [functionName('page')]: define('page', signing) }),
    },
    logDir: resolve(stateDir, 'logs'),
    endpoints: parts.endpoints,
    accessKeyId: parts.accessKeyId,
  });
  started.defer(() => lambda.close());
  if (events !== null) {
    deliverEvents(events, lambda);
    // Its events go to a function: they end before the functions do.
    started.defer(() => events.close());
    // Events of an earlier run's messages come first: outcomes that were unknown then are settled now.
    await events.eventsSettled();
    started.defer(() => events.eventsSettled());
  }
  const all = started.move();
  return {
    lambda,
    table: createTable(client, tableName),
    client,
    tableName,
    leaving: { url: unsubscribeUrl, secret: parts.signingSecret },
    pages: pageUrl === null ? null : { url: pageUrl, secret: parts.signingSecret },
    eventsSettled: async () => await events?.eventsSettled(),
    close: () => all.disposeAsync(),
  };
}

async function openParts({ awsEndpoint, out, ...options }: SystemOptions, stateDir: string): Promise<Parts> {
  if (awsEndpoint === undefined) return await startEmbeddedParts({ ...options, outDir: resolve(out), stateDir });
  // Its clients are loaded here alone.
  const { openAwsEndpoint } = await import('./parts/aws-endpoint.ts');
  return await openAwsEndpoint({ ...options, endpoint: awsEndpoint, stateDir });
}

/** Hands the events of SES that the deployed rule would take to the function that settles them. */
function deliverEvents(events: NonNullable<Parts['events']>, lambda: Lambda): void {
  const { detailType, ...others } = sesEventPattern(localConfigurationSet);
  const pattern = { ...others, 'detail-type': detailType };
  events.deliverEvents(async (event) => {
    if (!matchesPattern(pattern, event)) return;
    const outcome = await lambda.invoke(functionName('feedback'), event);
    if ('functionError' in outcome) throw new Error('The feedback function did not take an event.');
  });
}
