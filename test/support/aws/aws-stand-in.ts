import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  jsonAnswer,
  jsonError,
  parseJson,
  queryError,
  queryResult,
} from '../../../infra/local/emulators/aws-protocol.ts';
import { startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { serveOnLoopback, type LoopbackAnswer } from '../../../infra/local/emulators/loopback.ts';
import { verificationResult } from '../../../infra/local/emulators/ses.ts';
import { handOn, signerOf } from './aws-front.ts';

/**
 * What moto and LocalStack are to `--aws-endpoint`: DynamoDB, Secrets Manager and SES at one address. As in AWS, nothing is there
 * until it is created, and SES takes mail from a verified sender under a configuration set that exists, and nothing else.
 */
export async function startAwsStandIn() {
  const stateDir = await mkdtemp(join(tmpdir(), 'aws-stand-in-'));
  const dynamoDb = await startDynamoDb(stateDir, 'of-nobody');
  const kept = {
    /** The destination of each mail that it took. */
    mailed: new Array<string>(),
    /** The access keys that requests were signed with. */
    accessKeys: new Set<string>(),
    secrets: new Map<string, string>(),
    known: new Set<string>(),
  };
  const server = await serveOnLoopback(async (request) => {
    kept.accessKeys.add(signerOf(request).accessKeyId);
    const [service, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
    if (service === 'DynamoDB_20120810') return await handOn(request, dynamoDb.url);
    if (service === 'secretsmanager') return answerSecrets(operation, parseJson(request.body), kept.secrets);
    return answerSes(new URLSearchParams(request.body.toString()), kept);
  });
  return {
    ...kept,
    url: server.url,
    async close() {
      await server.close();
      await dynamoDb.close();
      await rm(stateDir, { recursive: true });
    },
  };
}

const secretCall = v.object({
  SecretId: v.optional(v.string()),
  Name: v.optional(v.string()),
  SecretString: v.optional(v.string(), ''),
});

function answerSecrets(operation: string, parameters: unknown, secrets: Map<string, string>): LoopbackAnswer {
  const { SecretId, Name = SecretId ?? '', SecretString } = v.parse(secretCall, parameters);
  const isThere = secrets.has(Name);
  if (operation === 'CreateSecret' && isThere) return jsonError(400, 'ResourceExistsException', 'It is there.');
  if (operation !== 'CreateSecret' && !isThere) return jsonError(400, 'ResourceNotFoundException', 'It is not there.');
  if (operation === 'CreateSecret' || operation === 'PutSecretValue') secrets.set(Name, SecretString);
  else if (operation !== 'GetSecretValue') return jsonError(400, 'UnknownOperationException', operation);
  const value = { SecretString: secrets.get(Name), VersionId: 'x'.repeat(32) };
  return jsonAnswer(200, { ARN: `arn:${Name}`, Name, ...(operation === 'GetSecretValue' ? value : {}) });
}

function answerSes(form: URLSearchParams, { known, mailed }: { known: Set<string>; mailed: string[] }): LoopbackAnswer {
  const action = form.get('Action') ?? '';
  const field = (name: string): string => form.get(name) ?? '';
  const set = `set ${field('ConfigurationSet.Name')}`;
  switch (action) {
    case 'VerifyEmailIdentity':
      known.add(field('EmailAddress'));
      return queryResult(action, {});
    case 'CreateConfigurationSet':
      if (known.has(set)) return queryError(400, 'ConfigurationSetAlreadyExists', 'It is there.');
      known.add(set);
      return queryResult(action, {});
    case 'GetIdentityVerificationAttributes':
      return verificationResult(form, (identity) => known.has(identity));
    case 'GetSendQuota':
      return queryResult(action, { Max24HourSend: '200', MaxSendRate: '5', SentLast24Hours: '0' });
    case 'SendRawEmail':
      if (!known.has(field('Source'))) return queryError(400, 'MessageRejected', 'Email address is not verified.');
      if (!known.has(`set ${field('ConfigurationSetName')}`))
        return queryError(400, 'ConfigurationSetDoesNotExist', 'There is no such configuration set.');
      mailed.push(field('Destinations.member.1'));
      return queryResult(action, { MessageId: `mail-${mailed.length}` });
    default:
      return queryError(400, 'InvalidAction', action);
  }
}
