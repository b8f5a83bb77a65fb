import * as v from 'valibot';
import { accountId, region } from '../../infra/local/emulators/aws-protocol.ts';
import { functionArn } from '../../infra/local/emulators/lambda/function-thread.ts';
import { accessKeyIdOfFunction, tableRequest, type Authorize, type AwsCall } from './aws-front.ts';
import type { DeployedTemplate } from './deployed-template.ts';

/** The statements of each function's role, by the function's name. */
export type Rights = Readonly<Record<string, readonly RightsStatement[]>>;

/**
 * Judges calls as IAM would: what no statement of the caller's role allows is denied, and so is what one denies. Of IAM's
 * conditions it knows those that the stack uses; any other throws.
 */
export function authorizeBy(rights: Rights): Authorize {
  const names = new Map(Object.keys(rights).map((name) => [accessKeyIdOfFunction(name), name]));
  return (call: AwsCall) => {
    const name = names.get(call.accessKeyId);
    if (name === undefined) return 'the caller is none of the functions';
    const own = functionArn(name);
    return isAllowed(rights[name] ?? [], requestOf(call, own)) || `no statement of the role of ${name} allows it`;
  };
}

/** Whether the statements allow a request on every resource that it touches. */
function isAllowed(statements: readonly RightsStatement[], request: RightsRequest): boolean {
  return request.resources.every((resource) => {
    const matching = statements.filter((statement) => matches(statement, request, resource));
    return matching.some(({ effect }) => effect === 'Allow') && !matching.some(({ effect }) => effect === 'Deny');
  });
}

function matches(statement: RightsStatement, request: RightsRequest, resource: string): boolean {
  return (
    statement.actions.some((pattern) => isLike(request.action, pattern)) &&
    statement.resources.some((pattern) => isLike(resource, pattern)) &&
    Object.entries(statement.conditions).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => holds(operator, values, request.context[key])),
    )
  );
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html */
function holds(operator: string, allowed: readonly string[], found: readonly string[] | undefined): boolean {
  const [set, name = set] = operator.split(':');
  const isOne = (value: string): boolean => {
    if (name === 'StringEquals') return allowed.includes(value);
    if (name === 'StringLike') return allowed.some((pattern) => isLike(value, pattern));
    throw new TypeError(`The condition operator ${operator} is not emulated.`);
  };
  // For all values there are: IAM lets a request pass that has none.
  if (set === 'ForAllValues') return (found ?? []).every(isOne);
  if (set !== name) throw new TypeError(`The condition operator ${operator} is not emulated.`);
  return found !== undefined && found.some(isOne);
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

const statement = v.pipe(
  v.strictObject({
    Sid: v.optional(v.string()),
    Effect: v.picklist(['Allow', 'Deny']),
    Action: oneOrMore,
    Resource: oneOrMore,
    /** By operator, then by condition key. */
    Condition: v.optional(v.record(v.string(), v.record(v.string(), oneOrMore)), {}),
  }),
  v.transform(({ Effect: effect, Action: actions, Resource: resources, Condition: conditions }) => ({
    effect,
    actions,
    resources,
    conditions,
  })),
);

/** One statement of a role, resolved. By its id the policy and its place in it are known. */
type RightsStatement = v.InferOutput<typeof statement> & { id: string };

const policy = v.object({
  PolicyDocument: v.object({ Statement: v.array(statement) }),
  Roles: v.array(v.string()),
});

const role = v.object({
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
  Policies: v.optional(v.array(v.unknown()), []),
});

const functionSchema = v.object({ Role: v.string() });

/** The statements of each function's role in a template, by the function's logical id. */
export function rightsOf(template: DeployedTemplate): Rights {
  const roles = template.resourcesOf('AWS::IAM::Role');
  return Object.fromEntries(
    template.resourcesOf('AWS::Lambda::Function').map((id) => {
      const { Role } = v.parse(functionSchema, template.properties(id));
      const roleId = roles.find((candidate) => template.arn(candidate) === Role);
      if (roleId === undefined) throw new Error(`Function ${id} has no role in the template.`);
      return [id, statementsOfRole(template, roleId)];
    }),
  );
}

/**
 * The statements of a role, from the policies that are attached to it.
 *
 * @param roleId the role's logical id
 * @throws Error where the role has managed or inline policies: what those allow is not known here
 */
export function statementsOfRole(template: DeployedTemplate, roleId: string): RightsStatement[] {
  const { ManagedPolicyArns, Policies } = v.parse(role, template.properties(roleId));
  if (ManagedPolicyArns.length + Policies.length > 0) throw new Error(`Role ${roleId} has policies that are not read.`);
  return template.resourcesOf('AWS::IAM::Policy').flatMap((id) => {
    const { PolicyDocument, Roles } = v.parse(policy, template.properties(id));
    if (!Roles.includes(template.ref(roleId))) return [];
    return PolicyDocument.Statement.map((one, index) => Object.assign({ id: `${id}[${index}]` }, one));
  });
}

/** A call as policies see it. */
interface RightsRequest {
  action: string;
  /** All of them must be allowed. */
  resources: string[];
  /** By condition key. */
  context: Readonly<Record<string, readonly string[]>>;
}

const arnOf = (service: string, resource: string): string => `arn:aws:${service}:${region}:${accountId}:${resource}`;

const secret = v.object({ SecretId: v.string() });
const ofFunction = v.object({ FunctionName: v.string() });
const resourceNamed = v.object({ Resource: v.string() });

/**
 * What a call asks for.
 *
 * @param ownArn the ARN of the calling function: a durable execution is one of its own
 * @throws TypeError for a call that cannot be judged
 */
function requestOf({ action, parameters }: AwsCall, ownArn: string): RightsRequest {
  const [service] = action.split(':');
  if (service === 'dynamodb') return ofTable(action, parameters);
  if (action === 'ses:SendRawEmail') return ofMail(action, v.parse(v.record(v.string(), v.string()), parameters));
  if (service === 'ses') return { action, resources: ['*'], context: {} };
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
