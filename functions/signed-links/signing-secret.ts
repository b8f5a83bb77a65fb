import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** A shorter secret was not generated. */
const fewestCharacters = 32;

/** The generated secret that signs unsubscribe links. Throws where there is none; the message does not contain the value. */
export async function readSigningSecret(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString.length < fewestCharacters) {
    throw new Error(`Secret "${name}" has no generated value of at least ${fewestCharacters} characters.`);
  }
  return SecretString;
}
