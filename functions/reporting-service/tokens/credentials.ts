import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { isObject } from '../../json-object.ts';
import type { FailureCode } from '../../domain/failure-codes.ts';

/** The client id and secret of the account's reporting client. */
export interface Credentials {
  id: string;
  secret: string;
}

type CredentialsFailureCode = Extract<FailureCode, `credentials-${string}`>;

/** The credentials are missing, malformed or refused, so nothing can be collected. Names the secret, never its value. */
export class CredentialsError extends Error {
  override readonly name: CredentialsFailureCode;

  constructor(code: CredentialsFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = code;
  }
}

/** A client id or a secret has a letter or a digit: what the secret begins with has none, nor have the dots of our instructions. */
const anyCharacter = /[\p{L}\p{N}]/u;

/**
 * Reads the credentials from the secret `secretName`, a JSON object `{"id": "...", "secret": "..."}`. Throws
 * `CredentialsError` that says which part is missing.
 */
export async function readCredentials(client: SecretsManagerClient, secretName: string): Promise<Credentials> {
  const text = await readSecret(client, secretName);
  const value = parseOrNull(text);
  const missing = ['id', 'secret'].filter(
    (name) => !isObject(value) || typeof value[name] !== 'string' || !anyCharacter.test(value[name]),
  );
  if (!isObject(value) || missing.length > 0) {
    const fault = isObject(value)
      ? `has no ${missing.map((name) => `"${name}"`).join(' and no ')}`
      : 'is not a JSON object';
    throw new CredentialsError(
      'credentials-missing',
      `Secret "${secretName}" ${fault}. Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service.`,
    );
  }
  return { id: String(value['id']), secret: String(value['secret']) };
}

async function readSecret(client: SecretsManagerClient, secretName: string): Promise<string> {
  try {
    const answer = await client.send(new GetSecretValueCommand({ SecretId: secretName }));
    return answer.SecretString ?? '';
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new CredentialsError('credentials-missing', `Secret "${secretName}" does not exist or has no value.`, error);
  }
}

/** `null` where the text is not JSON: the parser's message would quote it. */
function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
