import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Endpoints } from '../emulators/lambda/lambda-function.ts';
import type { Ses } from '../emulators/ses/ses.ts';

/** SES's configuration set, under which all mail is sent. */
export const localConfigurationSet = 'broadcast-digest';

/** The keys of the ledger's table. */
export const ledgerKeys = { partitionKey: 'pk', sortKey: 'sk' } as const;

/** What the functions work on beside each other: the ledger, the secrets and SES, embedded or of an AWS emulator. */
export interface Parts {
  /** Where they are. */
  endpoints: Required<Omit<Endpoints, 'sns'>>;
  /** The key that all functions sign with; without it each has one of its own. */
  accessKeyId?: string;
  tableName: string;
  secretNames: { credentials: string; unsubscribe: string };
  /** The secret that unsubscribe links are made under. */
  signingSecret: string;
  /** The operator's client of the ledger's table. */
  client: DynamoDBClient;
  /** Reports what becomes of messages; `null` where nobody does. */
  events: Pick<Ses, 'deliverEvents' | 'eventsSettled' | 'close'> | null;
  close(): Promise<void>;
}
