import * as v from 'valibot';
import { accessKeyIdOfFunction, keysAsked, type Authorize, type AwsCall } from './aws-front.ts';
import type { DeployedTemplate } from './deployed-template.ts';

/** The statements of each function's role, by the function's logical id. */
export type Rights = Readonly<Record<string, readonly Right[]>>;

/** One statement of a policy: what it allows on which resources, `on` items of which keys or as which sender where it says so. */
export interface Right {
  actions: string[];
  resources: string[];
  on: string[];
}

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

/** Nothing is denied, and there is no condition but these two. */
const statementSchema = v.strictObject({
  Effect: v.literal('Allow'),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: v.optional(
    v.union([
      v.pipe(
        v.strictObject({ 'ForAllValues:StringLike': v.strictObject({ 'dynamodb:LeadingKeys': oneOrMore }) }),
        v.transform((condition) => condition['ForAllValues:StringLike']['dynamodb:LeadingKeys']),
      ),
      v.pipe(
        v.strictObject({ StringEquals: v.strictObject({ 'ses:FromAddress': oneOrMore }) }),
        v.transform((condition) => condition.StringEquals['ses:FromAddress']),
      ),
    ]),
  ),
});

const policySchema = v.object({
  PolicyDocument: v.object({ Statement: v.array(statementSchema) }),
  Roles: v.optional(v.array(v.string()), []),
});

/** The rights of every function. */
export function rightsOf(template: DeployedTemplate): Rights {
  const functionSchema = v.object({ Role: v.string() });
  return Object.fromEntries(
    template.resourcesOf('AWS::Lambda::Function').map((id) => {
      const { Role } = v.parse(functionSchema, template.properties(id));
      return [id, rightsOfRole(template, Role.slice(Role.lastIndexOf('/') + 1))];
    }),
  );
}

/** The statements of a role, by its logical id. Throws where it has managed or inline policies: what those allow is not known here. */
export function rightsOfRole(template: DeployedTemplate, roleId: string): Right[] {
  const roleSchema = v.looseObject({ ManagedPolicyArns: v.optional(v.never()), Policies: v.optional(v.never()) });
  v.parse(roleSchema, template.properties(roleId));
  return rightsOfPolicies(template, 'AWS::IAM::Policy', roleId);
}

/** The statements of the policies of a type, all or those of a role. */
export function rightsOfPolicies(template: DeployedTemplate, type: string, roleId?: string): Right[] {
  return template.resourcesOf(type).flatMap((id) => {
    const { PolicyDocument, Roles } = v.parse(policySchema, template.properties(id));
    if (roleId !== undefined && !Roles.includes(roleId)) return [];
    return PolicyDocument.Statement.map(({ Action: actions, Resource: resources, Condition: on = resources }) => {
      return { actions, resources, on };
    });
  });
}

/** Says of a call whether its caller has the right to it, on each item or thing that it names. */
export function authorizeBy(rights: Rights): Authorize {
  const names = new Map(Object.keys(rights).map((name) => [accessKeyIdOfFunction(name), name]));
  return (call) => {
    const name = names.get(call.accessKeyId);
    if (name === undefined) return 'the caller is none of the functions';
    const isAllowed = subjectsOf(call).every((subject) =>
      rights[name]?.some(
        ({ actions, on }) => actions.includes(call.action) && on.some((part) => covers(part, subject)),
      ),
    );
    return isAllowed || `${name} has no right to it`;
  };
}

/** What a call is about: the keys of items, else the one thing that it names, or nothing. */
function subjectsOf({ action, parameters }: AwsCall): string[] {
  if (action.startsWith('dynamodb:')) return keysAsked(action, parameters).map((key) => `key ${key}`);
  const { Source, SecretId, Resource, FunctionName } = Object(parameters);
  return [String(Source ?? SecretId ?? Resource ?? FunctionName ?? '')];
}

/** Whether what a right is on is a subject, or all that begin like it. A resource is known by the name in its ARN. */
function covers(on: string, subject: string): boolean {
  // A version is named after its function.
  const versioned = on.endsWith(':*') ? on.slice(on.lastIndexOf(':', on.length - 3) + 1, -1) : null;
  if (!subject.startsWith('key ')) return on.includes(subject) || (versioned !== null && subject.startsWith(versioned));
  const key = subject.slice('key '.length);
  return on.endsWith('#*') ? key.startsWith(on.slice(0, -1)) : key === on;
}
