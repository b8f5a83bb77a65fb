import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, TableV2, type ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { BundledFunction } from './bundled-function.ts';

type ItemAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem';

/** The ledger's table. It outlives the stack: it alone knows who got which mail. */
export class Ledger extends Construct {
  readonly table: Pick<ITableV2, 'tableName' | 'tableArn'>;

  /** @param existing the name of a table that is the ledger already: none is created */
  constructor(scope: Construct, id: string, existing?: string) {
    super(scope, id);
    if (existing !== undefined) {
      this.table = TableV2.fromTableName(this, 'Table', existing);
      return;
    }
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // Kept even where the first deployment fails: CloudFormation cannot delete a protected table, and a rollback that tries
      // fails too. An empty table costs nothing, and its generated name is in nobody's way.
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /** Lets a function do these things with some items, as `rightTo` has it. */
  allow(user: BundledFunction, leadingKeys: readonly string[], actions: readonly ItemAction[]): void {
    user.allow(this.rightTo(leadingKeys, actions), { TABLE_NAME: this.table.tableName });
  }

  /**
   * The right to do these things with the items whose partition key begins as one of `leadingKeys`. Written by hand: the
   * table's own grants hold `Scan`, which a condition on leading keys does not stop.
   */
  rightTo(leadingKeys: readonly string[], actions: readonly ItemAction[]) {
    return {
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [this.table.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] } },
    };
  }
}
