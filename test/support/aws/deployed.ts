import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { resumeReport } from '../../../functions/ledger/reports.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { buildBundles } from '../../../infra/build/bundles.ts';
import type { FunctionName } from '../../../infra/function-settings.ts';
import { startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { serveOnLoopback } from '../../../infra/local/loopback.ts';
import { startLambda, type FunctionDefinition } from '../../../infra/local/emulators/lambda/lambda.ts';
import { startSecretsManager } from '../../../infra/local/emulators/secrets-manager.ts';
import { startSes } from '../../../infra/local/emulators/ses.ts';
import { startWebhooks } from '../../../infra/local/emulators/webhooks.ts';
import { scanTable } from '../../../infra/program/targets/target.ts';
import { authorizeBy, rightsOf } from './rights.ts';
import { deployTemplate, functionsIn } from './deployed-template.ts';
import { accessKeyIdOfFunction, startAwsFront, type AwsCall } from './aws-front.ts';
import { createApp } from './template.ts';
import { startSnsStub } from './sns-stub.ts';
import { DigestStack } from '../../../infra/stack.ts';

/** A synthesized stack and what of it an embedded deployment takes. */
export type Synthesized = Awaited<ReturnType<typeof synthesize>>;

const functionSchema = v.object({
  Code: v.object({ S3Key: v.string() }),
  Handler: v.literal('index.handler'),
  Timeout: v.number(),
  MemorySize: v.number(),
  Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});

/** Builds the bundles in a folder and synthesizes the stack, without a command line. */
export async function synthesize(configuration: Configuration, folder: string) {
  const bundles = join(folder, 'bundles');
  await buildBundles(configuration, bundles);
  const app = createApp(join(folder, 'cdk.out'));
  const stack = new DigestStack(app, 'BroadcastDigest-staging', { configuration, bundles });
  const assembly = app.synth();
  const template = deployTemplate(assembly.getStackByName(stack.stackName).template);
  const ids = template.resourcesOf('AWS::Lambda::Function');
  /** The logical id of each function, by its bundle. */
  const functions = functionsIn(template);
  const definitions: Record<string, FunctionDefinition> = {};
  for (const id of ids) {
    const { Code, Timeout, MemorySize, Environment } = v.parse(functionSchema, template.properties(id));
    const asset = join(assembly.directory, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
    definitions[id] = {
      bundleDir: asset,
      configurationDir: asset,
      environment: Environment.Variables,
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
    };
  }
  return { template, functions, definitions, rights: rightsOf(template), reports: configuration.reports, folder };
}

/** The secret of links, in place of the one that Secrets Manager makes up. */
const unsubscribeSecret = 'unsubscribe-secret'.repeat(4);

/** A stack that runs on embedded parts, under the rights of its template. */
export type Deployed = Awaited<ReturnType<typeof deploy>>;

/** Starts the parts that a synthesized stack needs, in its folder, with its reports on. `onCall` gets every call that a function makes, and every card that `run` posts, before it is served. */
export async function deploy(
  { template, functions, definitions, rights, reports, folder }: Synthesized,
  options: { credentials: Credentials; onCall?: (call: AwsCall) => void },
) {
  const stateDir = join(folder, 'state');
  const outDir = join(stateDir, 'outbox');
  const logDir = join(stateDir, 'logs');
  const judge = authorizeBy(rights);
  const denial = Promise.withResolvers<never>();
  denial.promise.catch(() => undefined);
  const authorize = (call: AwsCall): true | string => {
    options.onCall?.(call);
    const verdict = judge(call);
    if (verdict !== true) denial.reject(new Error(`${call.action}: ${verdict}`));
    return verdict;
  };
  const variableOf = (name: FunctionName, variable: string): string =>
    definitions[functions[name]]?.environment[variable] ?? '';
  // Those of the stack, or those that were there.
  const tableName = variableOf('run', 'TABLE_NAME');
  const ledger = await startDynamoDb(stateDir, tableName);
  const table = createTable(ledger.client, tableName);
  for (const report of reports) await resumeReport(table, report, new Date().toISOString());
  const webhooks = await startWebhooks({ reports }, outDir);
  const posts = await serveOnLoopback(async ({ url, body }) => {
    options.onCall?.({ accessKeyId: accessKeyIdOfFunction(functions.run), action: 'channel:Post', parameters: null });
    const { status } = await fetch(webhooks.url + url, { method: 'POST', body });
    return { status, headers: {}, body: '' };
  });
  const secretsManager = await startSecretsManager({
    [variableOf('run', 'CHANNELS_SECRET_NAME')]: JSON.stringify(webhooks.addresses).replaceAll(webhooks.url, posts.url),
    [variableOf('collect', 'SECRET_NAME')]: JSON.stringify(options.credentials),
    [variableOf('run', 'UNSUBSCRIBE_SECRET_NAME')]: unsubscribeSecret,
  });
  const ses = await startSes({ outDir, stateDir });
  const sns = await startSnsStub();
  const front = await startAwsFront(authorize);
  // A variable that says where AWS is has the functions take the run for a local one, and post to webhooks on this machine.
  const configFile = join(stateDir, 'aws-config');
  await writeFile(configFile, `[default]\nendpoint_url = ${front.url}\n`);
  const hasChannels = reports.some(({ channels }) => channels.length > 0);
  const endpoint = hasChannels ? { AWS_ENDPOINT_URL: front.url } : { AWS_CONFIG_FILE: configFile };
  const environment = { ...endpoint, AWS_ENDPOINT_URL_LAMBDA: front.url };
  const signing = Object.entries(definitions).map(([id, definition]): [string, FunctionDefinition] => [
    id,
    { ...definition, environment: { ...definition.environment, AWS_ACCESS_KEY_ID: accessKeyIdOfFunction(id) } },
  ]);
  // A run invokes a version.
  const ofCollect = signing.find(([id]) => id === functions.collect);
  if (ofCollect !== undefined) signing.push([variableOf('run', 'COLLECT_FUNCTION_NAME'), ofCollect[1]]);
  const lambda = await startLambda({ functions: Object.fromEntries(signing), logDir, environment });
  Object.assign(front.targets, {
    dynamodb: ledger.url,
    ses: ses.url,
    secretsmanager: secretsManager.url,
    sns: sns.url,
    lambda: lambda.url,
  });
  for (const id of template.resourcesOf('AWS::Events::Rule').filter((rule) => rule.startsWith('SesEvents'))) {
    const { EventPattern } = v.parse(v.object({ EventPattern: v.looseObject({}) }), template.properties(id));
    ses.deliverEvents(async (event) => {
      if (matchesPattern(EventPattern, event)) await lambda.invoke(functions.feedback, event);
    });
  }
  return {
    lambda,
    ses,
    sns,
    /** The ledger, as an operator reads it, and every item of it. */
    table,
    scan: () => scanTable(ledger.client, tableName),
    outDir,
    logDir,
    /** Judges a call as the parts do. */
    authorize,
    /** Rejects with the first denial. */
    denied: denial.promise,
    [Symbol.asyncDispose]: async () => {
      await ses.close();
      await lambda.close();
      await Promise.all([front, secretsManager, posts, webhooks, ledger, sns].map((part) => part.close()));
    },
  };
}

const schedule = v.object({ Target: v.object({ Input: v.string() }) });

/** The event that a report's schedule sends to the run at an instant: its own input, with the instant put in. */
export function scheduledInput({ template }: Synthesized, report: string, at: string): unknown {
  const schedules = template.resourcesOf('AWS::Scheduler::Schedule').map((id) => template.properties(id));
  const inputs = schedules.map((properties): unknown =>
    JSON.parse(v.parse(schedule, properties).Target.Input.replace('<aws.scheduler.scheduled-time>', at)),
  );
  return inputs.find((input) => Object(input).report === report);
}

/**
 * What Lambda itself does under the roles of the functions: it writes their logs, and leaves the events that
 * they failed on in their dead-letter queue.
 */
export function platformCalls({ template, functions }: Synthesized): AwsCall[] {
  const settings = v.object({
    LoggingConfig: v.object({ LogGroup: v.string() }),
    DeadLetterConfig: v.optional(v.object({ TargetArn: v.string() })),
  });
  return Object.values(functions).flatMap((id) => {
    const { LoggingConfig, DeadLetterConfig } = v.parse(settings, template.properties(id));
    const call = (action: string, Resource: string): AwsCall => ({
      accessKeyId: accessKeyIdOfFunction(id),
      action,
      parameters: { Resource },
    });
    const log = template.arn(LoggingConfig.LogGroup);
    const calls = [call('logs:CreateLogStream', log), call('logs:PutLogEvents', log)];
    if (DeadLetterConfig !== undefined) calls.push(call('sqs:SendMessage', DeadLetterConfig.TargetArn));
    return calls;
  });
}

/**
 * Whether an event has, at every path that the pattern names, one of the pattern's values, which are exact. Where the event
 * holds a list, one of its values is enough.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
function matchesPattern(pattern: object, event: unknown): boolean {
  if (Array.isArray(pattern)) return [event].flat().some((value) => pattern.includes(value));
  const fields = new Map<string, unknown>(Object.entries(Object(event)));
  return Object.entries(pattern).every(([name, part]) => matchesPattern(part, fields.get(name)));
}
