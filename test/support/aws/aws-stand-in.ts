import * as v from 'valibot';
import * as protocol from '../../../infra/local/emulators/aws-protocol.ts';
import { startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { serveOnLoopback, type LoopbackAnswer } from '../../../infra/local/loopback.ts';
import { startSecretsManager } from '../../../infra/local/emulators/secrets-manager.ts';
import { startSes } from '../../../infra/local/emulators/ses.ts';
import { readMails } from '../start-folders.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { handOn, signerOf } from './aws-front.ts';

const secretCall = v.object({
  Name: v.optional(v.string()),
  SecretId: v.optional(v.string(), ''),
  SecretString: v.string(),
});

/**
 * What moto and LocalStack are to `--aws-endpoint`: DynamoDB, Secrets Manager and SES at one address. As in AWS, nothing is there
 * until it is created, and SES takes mail from a verified sender under a configuration set that exists, and nothing else.
 */
export async function startAwsStandIn() {
  const [stateDir, outDir] = [temporaryFolder(), temporaryFolder()];
  const accessKeys = new Set<string>();
  const secrets: Record<string, string> = {};
  /** Verified senders, and configuration sets. */
  const known = new Set<string | null>();
  const parts = {
    dynamodb: await startDynamoDb(stateDir, 'of-nobody'),
    secretsmanager: await startSecretsManager(secrets),
    ses: await startSes({ outDir, stateDir }),
  };

  const storeSecret = (operation: string, parameters: unknown): LoopbackAnswer => {
    const { SecretId, Name = SecretId, SecretString } = v.parse(secretCall, parameters);
    const isNew = operation === 'CreateSecret';
    if (isNew && Name in secrets) return protocol.jsonError(400, 'ResourceExistsException', 'It is there.');
    if (!isNew && !(Name in secrets)) return protocol.jsonError(400, 'ResourceNotFoundException', 'It is not there.');
    secrets[Name] = SecretString;
    return protocol.jsonAnswer(200, { Name });
  };
  /** SES's answer about what it knows; none where that is no hindrance. */
  const answerSes = (form: URLSearchParams): LoopbackAnswer | null => {
    const action = form.get('Action') ?? '';
    const created = form.get(action === 'VerifyEmailIdentity' ? 'EmailAddress' : 'ConfigurationSet.Name');
    if (action === 'CreateConfigurationSet' && known.has(created))
      return protocol.queryError(400, 'ConfigurationSetAlreadyExists', 'It is there.');
    if (created !== null) {
      known.add(created);
      return protocol.queryResult(action, {});
    }
    const isKnown = ['Source', 'ConfigurationSetName'].every((name) => known.has(form.get(name)));
    return action !== 'SendRawEmail' || isKnown ? null : protocol.queryError(400, 'MessageRejected', 'Not verified.');
  };
  const server = await serveOnLoopback(async (request) => {
    const { accessKeyId, service } = signerOf(request);
    accessKeys.add(accessKeyId);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    if (service === 'ses') {
      const answer = answerSes(new URLSearchParams(request.body.toString()));
      if (answer !== null) return answer;
    }
    if (/Secret$|^PutSecret/.test(operation)) return storeSecret(operation, protocol.parseJson(request.body));
    return await handOn(request, new Map(Object.entries(parts)).get(service)?.url ?? '');
  });
  return {
    url: server.url,
    /** The access keys that requests were signed with. */
    accessKeys,
    secrets,
    /** The addresses of the mails that it took. */
    mailed: async () => (await readMails(outDir)).map(({ to }) => to),
    close: async () => {
      for (const part of [server, ...Object.values(parts)]) await part.close();
    },
  };
}
