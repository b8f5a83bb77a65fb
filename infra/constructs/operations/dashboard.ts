import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  LogQueryWidget,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionsOfStack } from '../functions/bundled-function.ts';
import { lambdaMetric } from './cloudwatch-metrics.ts';

/** The functions and the table that the dashboard shows. */
interface DashboardProps {
  table: TableV2;
  functions: FunctionsOfStack;
}

/**
 * One page: executions, durations, what drives the cost, and from the logs how runs ended and what SES reported. What
 * AWS counts by itself and what is logged costs nothing more; a metric of our own would.
 */
export class Dashboard extends Construct {
  readonly dashboard: CloudWatchDashboard;

  constructor(scope: Construct, id: string, { table, functions }: DashboardProps) {
    super(scope, id);
    const { run, collect, feedback } = functions;
    const ofEngine = (...names: string[]): IMetric[] =>
      names.map((name) => lambdaMetric(run.function, `DurableExecution${name}`));
    const longest = { statistic: 'Maximum' };
    this.dashboard = new CloudWatchDashboard(this, 'Dashboard', {
      // The name is the account's, whatever the region.
      dashboardName: `${Stack.of(this).stackName}-${Aws.REGION}`,
      defaultInterval: Duration.days(14),
    });
    this.dashboard.addWidgets(
      graph('Executions', ofEngine('Started', 'Succeeded', 'Failed', 'TimedOut', 'Stopped')),
      graph('Durations, longest (ms)', [
        lambdaMetric(run.function, 'DurableExecutionDuration', longest),
        lambdaMetric(collect.function, 'Duration', longest),
      ]),
      graph('What drives the cost', [
        ...Object.values(functions).map((of) => lambdaMetric(of.function, 'Invocations')),
        ...ofEngine('Operations', 'StorageWrittenBytes'),
        table.metricConsumedReadCapacityUnits(),
        table.metricConsumedWriteCapacityUnits(),
      ]),
    );
    const outcomes = 'sent, sentNow, held, skipped, failed, unknown, suppressed, unsubscribed, planned';
    this.dashboard.addWidgets(
      logTable(
        'How runs ended',
        [run.logGroup],
        [
          `fields @timestamp, run, state, balanced, intended, ${outcomes}`,
          'filter message = "The run ended."',
          'sort @timestamp desc',
        ],
      ),
      logTable(
        'What SES reported',
        [feedback.logGroup],
        ['filter message = "An event of SES."', 'stats count(*) by run, outcome', 'sort run desc'],
      ),
      logTable(
        'What was logged of runs',
        Object.values(functions).map(({ logGroup }) => logGroup),
        ['fields @timestamp, level, message, run, code', 'filter ispresent(run)', 'sort @timestamp desc'],
      ),
    );
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}

function logTable(title: string, logGroups: readonly LogGroup[], query: readonly string[]): LogQueryWidget {
  const logGroupNames = logGroups.map(({ logGroupName }) => logGroupName);
  return new LogQueryWidget({ title, width: 24, logGroupNames, queryLines: [...query, 'limit 100'] });
}
