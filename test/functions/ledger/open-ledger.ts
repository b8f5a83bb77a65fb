import { openHashes, recordPersons } from '../../../functions/ledger/persons/persons.ts';
import { planMessage } from '../../../functions/ledger/runs/messages.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { ensureTable } from '../../../infra/local/emulators/dynamodb.ts';
import { scanTable } from '../../../infra/program/targets/target.ts';
import { createDynamoDbInProcess } from '../../support/aws/dynamodb-in-process.ts';

/** A ledger of its own for one test file, on a DynamoDB in memory. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

const tableName = 'ledger';

/** Creates a ledger without an item. */
export async function openLedger() {
  const connect = createDynamoDbInProcess();
  const client = connect();
  await ensureTable(client, tableName);
  const table = createTable(client, tableName);
  const hashOf = await openHashes(table);
  return {
    table,
    /** Another process's view of the same table. */
    another: () => createTable(connect(), tableName),
    client,
    /** Another client, which its user may close. */
    connect,
    /** Every item. */
    scan: (name = tableName) => scanTable(client, name),
    /** The items of a partition, as they are stored. */
    items: (pk: string) => Array.fromAsync(table.query(pk)),
    hashOf,
    /** Plans messages of a run to these addresses, as to persons whom an operator named. Gives their ids. */
    plan: async (run: string, ...addresses: string[]) => {
      const persons = addresses.map((address) => ({ hash: hashOf(address), address }));
      await recordPersons(table, persons);
      const expiresAt = 1_900_000_000;
      await Promise.all(persons.map(({ hash: id }) => planMessage(table, run, { id, named: true, expiresAt })));
      return persons.map(({ hash }) => hash);
    },
  };
}
