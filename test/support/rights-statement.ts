import * as v from 'valibot';
import type { DeployedTemplate } from './deployed-template.ts';

/** One statement of a role, resolved. */
export interface RightsStatement {
  /** Which it is: the policy's logical id and the statement's place in it. */
  id: string;
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  /** By operator, then by condition key. */
  conditions: Record<string, Record<string, string[]>>;
}

const oneOrMore = v.union([v.string(), v.array(v.string())]);

const statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), oneOrMore)), {}),
});

const policy = v.object({
  PolicyDocument: v.object({ Statement: v.array(statement) }),
  Roles: v.array(v.string()),
});

const role = v.object({
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
  Policies: v.optional(v.array(v.unknown()), []),
});

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
    return PolicyDocument.Statement.map((one, index) => ({
      id: `${id}[${index}]`,
      effect: one.Effect,
      actions: listOf(one.Action),
      resources: listOf(one.Resource),
      conditions: Object.fromEntries(
        Object.entries(one.Condition).map(([operator, keys]) => [
          operator,
          Object.fromEntries(Object.entries(keys).map(([key, values]) => [key, listOf(values)])),
        ]),
      ),
    }));
  });
}

function listOf(value: string | string[]): string[] {
  return Array.isArray(value) ? value : [value];
}
