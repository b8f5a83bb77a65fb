import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SES } from '@aws-sdk/client-ses';
import { orNull } from '../or-null.ts';
import { region } from './emulators/aws-protocol.ts';
import { ensureTable } from './emulators/dynamodb.ts';
import { LocalError } from './local-error.ts';
import { lockState } from './state-folder.ts';

/** An emulator of AWS's DynamoDB, Secrets Manager and SES, and the table there, another one for each reporting service. */
export interface AwsEndpoint {
  url: string;
  tableName: string;
}

/** What the parts of a local system are opened with. */
export interface Opening {
  /** Closes the parts, and gives the state folder back. */
  started: AsyncDisposableStack;
  stateDir: string;
  /** The secrets by their names. */
  readSecrets: () => Promise<Record<string, string>>;
  from: string;
  configurationSet: string;
}

/** Known to every emulator as nobody's: with it, no real key can ever leave this machine. */
const dummy = 'test';

const settings = {
  region,
  credentials: { accessKeyId: dummy, secretAccessKey: dummy },
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
};

/**
 * Opens the parts of an AWS emulator. What the stack would create is created where it is missing: the ledger's table,
 * the secrets, the identity and the configuration set. It does not report what becomes of messages.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {LocalError} where the emulator does not answer, or refuses something
 */
export async function openAwsEndpoint(
  { url, tableName }: AwsEndpoint,
  { started, stateDir, readSecrets, from, configurationSet }: Opening,
) {
  started.use(await lockState(stateDir));
  const connection = { endpoint: url, ...settings };
  const client = new DynamoDB(connection);
  const secrets = new SecretsManager(connection);
  const ses = new SES(connection);
  for (const used of [client, secrets, ses]) started.defer(() => used.destroy());
  await taking(url, 'the table', () => ensureTable(client, tableName));
  // An emulator verifies at once.
  await taking(url, 'the sender', async () => {
    await ses.verifyEmailIdentity({ EmailAddress: from });
    await orNull(ses.createConfigurationSet({ ConfigurationSet: { Name: configurationSet } }), isThere);
  });
  const current = await readSecrets();
  await taking(url, 'the secrets', async () => {
    for (const [SecretId, SecretString] of Object.entries(current)) {
      await orNull(secrets.createSecret({ Name: SecretId, SecretString }), isThere);
      await secrets.putSecretValue({ SecretId, SecretString });
    }
  });
  const environment = { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: dummy, AWS_SECRET_ACCESS_KEY: dummy };
  return { environment, client, ses: null };
}

/** Copies the ledger of an emulator, if there is one, into the empty table of another DynamoDB. */
export async function copyLedger({ url, tableName }: AwsEndpoint, to: { client: DynamoDB; tableName: string }) {
  const from = new DynamoDB({ endpoint: url, ...settings });
  const copy = async (): Promise<void> => {
    // Twenty-five are the most of one BatchWriteItem.
    const pages = from.paginateScan({ TableName: tableName, ConsistentRead: true }, { pageSize: 25 });
    for await (const { Items = [] } of pages) {
      const puts = Items.map((Item) => ({ PutRequest: { Item } }));
      if (puts.length > 0) await to.client.batchWriteItem({ RequestItems: { [to.tableName]: puts } });
    }
  };
  await taking(url, 'a reading of the ledger', () => orNull(copy())).finally(() => from.destroy());
}

/** Not by their classes: emulators differ in whether a code ends in "Exception". */
const isThere = /^(?:ResourceExists|ConfigurationSetAlreadyExists)/;

/** Has the emulator take something, or says what it did not take. The error's own message may name an address. */
async function taking(url: string, subject: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { name, code = name }: { name: string; code?: unknown } = error instanceof Error ? error : new Error();
    throw new LocalError(`The AWS emulator at ${url} did not accept ${subject} (${String(code)}).`, { cause: error });
  }
}
