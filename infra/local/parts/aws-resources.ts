import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  CreateConfigurationSetCommand,
  VerifyDomainIdentityCommand,
  VerifyEmailIdentityCommand,
  type SESClient,
} from '@aws-sdk/client-ses';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';

/** Gives a secret's value. A secret that is missing is created with the value `fresh`. */
export async function ensureSecret(secrets: SecretsManagerClient, Name: string, fresh: string): Promise<string> {
  try {
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: Name }));
    return SecretString;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    await secrets.send(new CreateSecretCommand({ Name, SecretString: fresh }));
    return fresh;
  }
}

/** Gives a secret this value, whether or not it exists. */
export async function setSecret(secrets: SecretsManagerClient, name: string, value: string): Promise<void> {
  if ((await ensureSecret(secrets, name, value)) === value) return;
  await secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString: value }));
}

/** Makes the sender known to SES, and the configuration set; where they are there already nothing changes. An emulator verifies at once. */
export async function ensureSender(
  ses: SESClient,
  { from, identity }: Configuration['mail'],
  configurationSet: string,
): Promise<void> {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  await (identity.of === 'domain'
    ? ses.send(new VerifyDomainIdentityCommand({ Domain: domain }))
    : ses.send(new VerifyEmailIdentityCommand({ EmailAddress: from })));
  try {
    await ses.send(new CreateConfigurationSetCommand({ ConfigurationSet: { Name: configurationSet } }));
  } catch (error) {
    // Not by its class: emulators differ in whether the code ends in "Exception".
    if (!(error instanceof Error) || !error.name.startsWith('ConfigurationSetAlreadyExists')) throw error;
  }
}
