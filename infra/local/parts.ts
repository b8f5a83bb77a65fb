import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Ses } from './emulators/ses.ts';

/** SES's configuration set, under which all mail is sent. */
export const localConfigurationSet = 'broadcast-digest';

/** Names of the secrets beside a table. */
export const secretNamesOf = (tableName: string) => ({
  credentials: `${tableName}/credentials`,
  unsubscribe: `${tableName}/unsubscribe`,
  channels: `${tableName}/channels`,
});

/** What the functions work on beside each other: the ledger, the secrets and SES, embedded or of an AWS emulator. */
export interface Parts {
  /** The variables that lead functions to them. */
  environment: Record<string, string>;
  /** The operator's client of the ledger's table. */
  client: DynamoDBClient;
  tableName: string;
  /** The embedded SES, which reports what becomes of messages; `null` where another one has them. */
  ses: Ses | null;
  close(): Promise<void>;
}
