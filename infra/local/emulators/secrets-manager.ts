import * as v from 'valibot';
import { accountId, jsonAnswer, jsonError, parseJson, region } from './aws-protocol.ts';
import { serveOnLoopback } from '../loopback.ts';

const getSecretValue = v.strictObject({ SecretId: v.string(), VersionStage: v.optional(v.literal('AWSCURRENT')) });

/**
 * Starts Secrets Manager on loopback (AWS JSON 1.1). It knows GetSecretValue of the current version and refuses the rest.
 *
 * @param secrets name to secret string. What is set there later is read, as after a rotation.
 */
export function startSecretsManager(secrets: Readonly<Record<string, string>>) {
  return serveOnLoopback(({ headers, body }) => {
    if (headers['x-amz-target'] !== 'secretsmanager.GetSecretValue') {
      return jsonError(400, 'UnknownOperationException', 'The embedded Secrets Manager knows GetSecretValue alone.');
    }
    const call = v.safeParse(getSecretValue, parseJson(body));
    if (!call.success) return jsonError(400, 'InvalidParameterException', v.summarize(call.issues));
    const name = call.output.SecretId;
    const SecretString = secrets[name];
    if (SecretString === undefined) {
      return jsonError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    const ARN = `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-a1b2c3`;
    return jsonAnswer(200, { ARN, Name: name, SecretString });
  });
}
