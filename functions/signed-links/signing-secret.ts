import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Below this a secret was not generated. */
const fewestCharacters = 32;

/** The generated secret that links to leave by are made under. Throws where it is not there; the message holds no value. */
export async function readSigningSecret(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString.length < fewestCharacters) {
    throw new Error(`Secret "${name}" has no generated value of at least ${fewestCharacters} characters.`);
  }
  return SecretString;
}
