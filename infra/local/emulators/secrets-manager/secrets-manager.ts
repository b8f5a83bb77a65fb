import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { accountId, region } from '../account.ts';
import { accessKeyIdOf, denialOf, type Authorize } from '../authorize.ts';
import { jsonAnswer, jsonError, parseJson } from '../json-answer.ts';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../loopback.ts';

const getSecretValue = v.strictObject({
  SecretId: v.string(),
  VersionStage: v.optional(v.literal('AWSCURRENT')),
});

/** The embedded Secrets Manager. `put` sets a secret's value at run time, as a rotation would. */
export interface SecretsManager extends Loopback {
  put(name: string, value: string): void;
}

/**
 * Starts Secrets Manager on loopback (AWS JSON 1.1). It knows GetSecretValue of the current version and refuses the
 * rest.
 *
 * @param options.secrets name or ARN to secret string. A secret known by its name is found by its made-up ARN too.
 */
export async function startSecretsManager(options: {
  secrets: Record<string, string>;
  authorize?: Authorize;
}): Promise<SecretsManager> {
  const secrets = new Map(Object.entries(options.secrets));
  const loopback = await serveOnLoopback((request) => answer(request, secrets, options.authorize));
  return { ...loopback, put: (name, value) => void secrets.set(name, value) };
}

function answer(
  request: LoopbackRequest,
  secrets: ReadonlyMap<string, string>,
  authorize: Authorize | undefined,
): LoopbackAnswer {
  const action = /^secretsmanager\.(\w+)$/.exec(String(request.headers['x-amz-target']))?.[1];
  if (action === undefined) return jsonError(400, 'UnknownOperationException', 'The request names no operation.');
  const parameters = parseJson(request.body);
  const accessKeyId = accessKeyIdOf(request.headers);
  const denial = denialOf(authorize, { accessKeyId, action: `secretsmanager:${action}`, parameters });
  if (denial !== undefined) return jsonError(400, 'AccessDeniedException', denial);
  if (action !== 'GetSecretValue') {
    return jsonError(400, 'UnknownOperationException', `The embedded Secrets Manager has no ${action}.`);
  }
  const parsed = v.safeParse(getSecretValue, parameters);
  if (!parsed.success) return jsonError(400, 'InvalidParameterException', v.summarize(parsed.issues));
  return secretValue(parsed.output.SecretId, secrets);
}

function secretValue(id: string, secrets: ReadonlyMap<string, string>): LoopbackAnswer {
  const name = secrets.has(id) ? id : [...secrets.keys()].find((key) => arnOf(key) === id);
  const value = name === undefined ? undefined : secrets.get(name);
  if (name === undefined || value === undefined) {
    return jsonError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return jsonAnswer(200, {
    ARN: arnOf(name),
    Name: name,
    SecretString: value,
    // A version's id changes with its value, as in Secrets Manager.
    VersionId: createHash('sha256').update(value).digest('hex').slice(0, 32),
    VersionStages: ['AWSCURRENT'],
  });
}

function arnOf(name: string): string {
  return name.startsWith('arn:') ? name : `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-a1b2c3`;
}
