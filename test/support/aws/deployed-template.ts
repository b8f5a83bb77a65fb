import * as v from 'valibot';
import { functionNames, type FunctionName } from '../../../infra/function-settings.ts';
import { accountId, region } from '../../../infra/local/emulators/aws-protocol.ts';

const templateSchema = v.object({
  Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown(), {}) })),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
});

/** A synthesized template as it would be after its deployment into the embedded account: every reference resolved. */
export type DeployedTemplate = ReturnType<typeof deployTemplate>;

const arnOf = (service: string, resource: string): string => `arn:aws:${service}:${region}:${accountId}:${resource}`;

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::AccountId': accountId,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** What `Ref` and the `Arn` attribute are, of the types that the template refers to. A name is the logical id. */
const identities: Readonly<Record<string, (id: string) => { ref: string; arn: string }>> = {
  'AWS::Events::Rule': (id) => ({ ref: id, arn: arnOf('events', `rule/${id}`) }),
  'AWS::Lambda::Alias': (id) => both(arnOf('lambda', `function:${id}:live`)),
  'AWS::Lambda::Function': (id) => ({ ref: id, arn: arnOf('lambda', `function:${id}`) }),
  'AWS::DynamoDB::GlobalTable': (id) => ({ ref: id, arn: arnOf('dynamodb', `table/${id}`) }),
  'AWS::IAM::Role': (id) => ({ ref: id, arn: `arn:aws:iam::${accountId}:role/${id}` }),
  'AWS::SNS::Topic': (id) => both(arnOf('sns', id)),
  'AWS::SecretsManager::Secret': (id) => both(arnOf('secretsmanager', `secret:${id}-a1b2c3`)),
  'AWS::Logs::LogGroup': (id) => ({ ref: id, arn: arnOf('logs', `log-group:${id}:*`) }),
  'AWS::SQS::Queue': (id) => ({ ref: `https://sqs.${region}.amazonaws.com/${accountId}/${id}`, arn: arnOf('sqs', id) }),
};

const both = (text: string): { ref: string; arn: string } => ({ ref: text, arn: text });

/**
 * The logical id of each function, by the folder of its handler.
 *
 * @throws RangeError where the template lacks one
 */
export function functionsIn(template: DeployedTemplate): Record<FunctionName, string> {
  const ids = template.resourcesOf('AWS::Lambda::Function');
  const idOf = (name: FunctionName): string => {
    const id = ids.find((candidate) => candidate.toLowerCase().startsWith(name));
    if (id === undefined) throw new RangeError(`The template has no function "${name}".`);
    return id;
  };
  return Object.fromEntries(functionNames.map((name) => [name, idOf(name)])) as Record<FunctionName, string>;
}

/** Reads a synthesized template. */
export function deployTemplate(json: unknown) {
  const { Resources, Outputs } = v.parse(templateSchema, json);
  const resourceOf = (id: string): { Type: string; Properties: unknown } => {
    const resource = Resources[id];
    if (resource === undefined) throw new RangeError(`The template has no resource ${id}.`);
    return resource;
  };
  const identity = (id: string): { ref: string; arn: string } => {
    const { Type } = resourceOf(id);
    return identities[Type]?.(id) ?? { ref: id, arn: arnOf(Type.split('::')[1]?.toLowerCase() ?? '', id) };
  };
  const referred = (name: string): string => pseudo[name] ?? identity(name).ref;
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[key, argument] = ['', undefined]] = entries;
    if (entries.length === 1 && key === 'Ref') return referred(v.parse(v.string(), argument));
    if (entries.length === 1 && key === 'Fn::GetAtt') {
      const [id, attribute] = v.parse(v.tuple([v.string(), v.string()]), argument);
      if (attribute === 'ApiEndpoint') return `https://${id.toLowerCase()}.execute-api.${region}.amazonaws.com`;
      return attribute === 'Arn' ? identity(id).arn : `${id}.${attribute}`;
    }
    if (entries.length === 1 && key === 'Fn::Join') {
      const [separator, parts] = v.parse(v.tuple([v.string(), v.array(v.unknown())]), argument);
      return parts.map(resolve).join(separator);
    }
    return Object.fromEntries(entries.map(([name, inner]) => [name, resolve(inner)]));
  };
  const properties = (id: string): unknown => resolve(resourceOf(id).Properties);
  return {
    /** The resources as CloudFormation lists them: an alarm's name is the template's own. */
    summaries: Object.entries(Resources).map(([LogicalResourceId, { Type: ResourceType }]) => {
      const { AlarmName: PhysicalResourceId = referred(LogicalResourceId) } = Object(properties(LogicalResourceId));
      return { LogicalResourceId, ResourceType, PhysicalResourceId };
    }),
    /** The logical ids of the resources of a type. */
    resourcesOf: (type: string) => Object.keys(Resources).filter((id) => Resources[id]?.Type === type),
    /** A resource's properties, resolved. */
    properties,
    outputs: Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, String(resolve(Value))])),
    /** What `Ref` gives of a resource. */
    ref: referred,
    /** What `Fn::GetAtt` gives as its `Arn`. */
    arn: (logicalId: string) => identity(logicalId).arn,
  };
}
