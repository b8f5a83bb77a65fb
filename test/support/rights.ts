import type { Authorize, AwsCall } from '../../infra/local/emulators/authorize.ts';
import { accessKeyIdOfFunction, functionArn } from '../../infra/local/emulators/lambda/lambda-function.ts';
import { requestOf, type RightsRequest } from './rights-request.ts';
import type { RightsStatement } from './rights-statement.ts';

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
export function isAllowed(statements: readonly RightsStatement[], request: RightsRequest): boolean {
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
