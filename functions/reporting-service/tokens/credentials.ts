import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { CodedError } from '../../domain/failures.ts';

/** A client id or a secret has a letter or a digit: what the secret begins with has none, nor have the dots of our instructions. */
const filled = v.pipe(v.string(), v.regex(/[\p{L}\p{N}]/u));
const credentialsSchema = v.pipe(v.string(), v.parseJson(), v.object({ id: filled, secret: filled }));

/** The client id and secret of the account's reporting client. */
export type Credentials = v.InferOutput<typeof credentialsSchema>;

/** What helps where they are missing or refused. */
export const wayToStore =
  'With --service-url they are SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET; to store others for a deployed stack: npm run ops -- secret.';

/**
 * Reads the credentials from the secret `secretName`, a JSON object `{"id": "...", "secret": "..."}`. Throws
 * `CodedError` that says which part is missing.
 */
export async function readCredentials(client: SecretsManagerClient, secretName: string): Promise<Credentials> {
  const { SecretString = '' } = await client
    .send(new GetSecretValueCommand({ SecretId: secretName }))
    .catch((error: unknown) => {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      const message = `Secret "${secretName}" does not exist or has no value. ${wayToStore}`;
      throw new CodedError('credentials-missing', message, error);
    });
  const parsed = v.safeParse(credentialsSchema, SecretString);
  if (parsed.success) return parsed.output;
  // The issues themselves quote the value.
  const missing = parsed.issues.flatMap((issue) => v.getDotPath(issue) ?? []);
  const fault =
    missing.length === 0 ? 'is not a JSON object' : `has no ${missing.map((name) => `"${name}"`).join(' and no ')}`;
  throw new CodedError(
    'credentials-missing',
    `Secret "${secretName}" ${fault}. Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service. ${wayToStore}`,
  );
}
