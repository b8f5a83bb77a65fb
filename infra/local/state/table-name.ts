/** Name of the ledger's table in the embedded DynamoDB. */
export const tableName = 'broadcast-digest';
