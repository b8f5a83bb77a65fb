import * as v from 'valibot';
import { accountId, region } from '../../infra/local/emulators/account.ts';
import type { AwsCall } from '../../infra/local/emulators/authorize.ts';

/** A call as policies see it. */
export interface RightsRequest {
  action: string;
  /** All of them must be allowed. */
  resources: string[];
  /** By condition key. */
  context: Readonly<Record<string, readonly string[]>>;
}

const arnOf = (service: string, resource: string): string => `arn:aws:${service}:${region}:${accountId}:${resource}`;

const attribute = v.object({ S: v.string() });
const item = v.object({ pk: attribute });
const single = v.object({ TableName: v.string(), Key: v.optional(item), Item: v.optional(item) });
const query = v.object({
  TableName: v.string(),
  KeyConditionExpression: v.pipe(v.string(), v.regex(/^pk = :pk\b/)),
  ExpressionAttributeValues: v.object({ ':pk': attribute }),
});
const batchGet = v.object({ RequestItems: v.record(v.string(), v.object({ Keys: v.array(item) })) });
const batchWrite = v.object({
  RequestItems: v.record(
    v.string(),
    v.array(
      v.union([
        v.object({ PutRequest: v.object({ Item: item }) }),
        v.object({ DeleteRequest: v.object({ Key: item }) }),
      ]),
    ),
  ),
});
const secret = v.object({ SecretId: v.string() });
const ofFunction = v.object({ FunctionName: v.string() });
const resourceNamed = v.object({ Resource: v.string() });

/**
 * What a call asks for.
 *
 * @param ownArn the ARN of the calling function: a durable execution is one of its own
 * @throws TypeError for a call that cannot be judged
 */
export function requestOf({ action, parameters }: AwsCall, ownArn: string): RightsRequest {
  const [service] = action.split(':');
  if (service === 'dynamodb') return ofTable(action, parameters);
  if (action === 'ses:SendRawEmail') return ofMail(action, v.parse(v.record(v.string(), v.string()), parameters));
  if (action === 'ses:GetSendQuota') return { action, resources: ['*'], context: {} };
  if (service === 'secretsmanager') {
    const { SecretId } = v.parse(secret, parameters);
    const named = SecretId.startsWith('arn:') ? SecretId : arnOf('secretsmanager', `secret:${SecretId}-a1b2c3`);
    return { action, resources: [named], context: {} };
  }
  if (action === 'lambda:InvokeFunction') {
    const { FunctionName } = v.parse(ofFunction, parameters);
    return { action, resources: [arnOf('lambda', `function:${FunctionName}`)], context: {} };
  }
  if (action === 'lambda:CheckpointDurableExecution' || action === 'lambda:GetDurableExecutionState') {
    return { action, resources: [`${ownArn}:1/durable-execution/embedded/embedded`], context: {} };
  }
  // What Lambda itself does under the function's role, and what SNS does with a topic's key for who publishes.
  if (action === 'sns:Publish' || ['logs', 'sqs', 'kms'].includes(service ?? '')) {
    return { action, resources: [v.parse(resourceNamed, parameters).Resource], context: {} };
  }
  throw new TypeError(`It is not known what ${action} is asked of.`);
}

function ofTable(action: string, parameters: unknown): RightsRequest {
  const { tables, keys } = tableRequest(action, parameters);
  return {
    action,
    resources: tables.map((table) => arnOf('dynamodb', `table/${table}`)),
    context: { 'dynamodb:LeadingKeys': keys },
  };
}

function tableRequest(action: string, parameters: unknown): { tables: string[]; keys: string[] } {
  if (action === 'dynamodb:BatchGetItem') {
    const { RequestItems } = v.parse(batchGet, parameters);
    const keys = Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(({ pk }) => pk.S));
    return { tables: Object.keys(RequestItems), keys };
  }
  if (action === 'dynamodb:BatchWriteItem') {
    const { RequestItems } = v.parse(batchWrite, parameters);
    const keys = Object.values(RequestItems)
      .flat()
      .map((write) => ('PutRequest' in write ? write.PutRequest.Item : write.DeleteRequest.Key).pk.S);
    return { tables: Object.keys(RequestItems), keys };
  }
  if (action === 'dynamodb:Query') {
    const { TableName, ExpressionAttributeValues } = v.parse(query, parameters);
    return { tables: [TableName], keys: [ExpressionAttributeValues[':pk'].S] };
  }
  if (['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].some((name) => action === `dynamodb:${name}`)) {
    const { TableName, Key, Item } = v.parse(single, parameters);
    const key = Key ?? Item;
    if (key !== undefined) return { tables: [TableName], keys: [key.pk.S] };
  }
  throw new TypeError(`It is not known which items ${action} is asked for.`);
}

/** In the sandbox the identities of the destinations count too. */
function ofMail(action: string, form: Readonly<Record<string, string>>): RightsRequest {
  const { Source = '', ConfigurationSetName } = form;
  const destinations = Object.keys(form)
    .filter((key) => key.startsWith('Destinations.member.'))
    .map((key) => form[key] ?? '');
  const identities = [Source, ...destinations].map((address) => arnOf('ses', `identity/${address}`));
  const set = ConfigurationSetName === undefined ? [] : [arnOf('ses', `configuration-set/${ConfigurationSetName}`)];
  return { action, resources: [...identities, ...set], context: { 'ses:FromAddress': [Source] } };
}
