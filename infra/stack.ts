import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Function } from 'aws-cdk-lib/aws-lambda';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type { Configuration } from '../functions/configuration.ts';
import type { FunctionName } from './build/bundles.ts';
import { BundledFunction } from './constructs/bundled-function.ts';
import { Credentials } from './constructs/credentials.ts';
import { Ledger } from './constructs/ledger.ts';
import { ReportSchedule } from './constructs/report-schedule.ts';

/** A run waits at most this long for SES's events and for its workers. */
const longestRun = Duration.days(2);

/** Everything that is deployed, in the order the data takes. */
export class DigestStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { configuration: Configuration; bundles: Record<FunctionName, string> },
  ) {
    super(scope, id, props);
    const { configuration, bundles } = props;
    const ledger = new Ledger(this, 'Ledger');
    const credentials = new Credentials(this, 'Credentials');

    const collect = new BundledFunction(this, 'Collect', {
      description: 'Collects deliveries and their engagement from the reporting service',
      bundle: bundles.collect,
      environment: { TABLE_NAME: ledger.table.tableName, SECRET_NAME: credentials.secret.secretArn },
      timeout: Duration.minutes(15),
      memoryMb: 1024,
    }).function;
    credentials.grantRead(collect);
    ledger.grantItems(collect, ['TOKENS', 'COLLECTION#*']);

    const run = new BundledFunction(this, 'Run', {
      description: 'Plans, composes and sends the digest of one report for one period',
      bundle: bundles.run,
      environment: { TABLE_NAME: ledger.table.tableName, COLLECT_FUNCTION_NAME: collect.functionName },
      timeout: Duration.minutes(15),
      memoryMb: 2048,
      durable: { executionTimeout: longestRun, retentionPeriod: Duration.days(30) },
    }).function;
    collect.grantInvoke(run);
    ledger.grantItems(run, ['RUN#*', 'RUNS#*', 'DIGEST#*', 'COLLECTION#*', 'FIGURES#*', 'SHOWN#*', 'TRIGGER#*']);
    this.grantSending(run, configuration);
    // A durable function is invoked by an alias, never unqualified.
    const live = Function.fromFunctionAttributes(this, 'Live', {
      functionArn: run.addAlias('live').functionArn,
      sameEnvironment: true,
    });

    for (const report of configuration.reports) {
      new ReportSchedule(this, `Schedule-${report.name}`, { report, run: live });
    }
  }

  /** The run alone may send, from the configured address alone. In the sandbox SES checks the subscriber's identity too. */
  private grantSending(run: BundledFunction['function'], { mail }: Configuration): void {
    const identity = new EmailIdentity(this, 'Identity', { identity: Identity.email(mail.from) });
    run.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendRawEmail'],
        resources: [
          identity.emailIdentityArn,
          this.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' }),
        ],
        conditions: { StringEquals: { 'ses:FromAddress': mail.from } },
      }),
    );
    // SES knows no resource for the account's quota.
    run.addToRolePolicy(new PolicyStatement({ actions: ['ses:GetSendQuota'], resources: ['*'] }));
  }
}
