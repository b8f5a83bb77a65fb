import { Duration } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  LogQueryWidget,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { Stack } from 'aws-cdk-lib';
import type { FunctionName } from '../build/bundles.ts';
import type { BundledFunction } from './bundled-function.ts';
import { lambdaMetric, ownMetric } from './cloudwatch-metrics.ts';

/** The functions, metrics and table that the dashboard shows. */
interface DashboardProps {
  namespace: string;
  table: TableV2;
  functions: Record<FunctionName, BundledFunction>;
}

/** One page: runs, subscribers, outcomes, what was asked of the service, durations, and what drives the cost. */
export class Dashboard extends Construct {
  readonly dashboard: CloudWatchDashboard;

  constructor(scope: Construct, id: string, { namespace, table, functions }: DashboardProps) {
    super(scope, id);
    const { run, collect } = functions;
    const ofRun = (...names: string[]): IMetric[] => names.map((name) => ownMetric(namespace, 'run', name));
    const ofEngine = (...names: string[]): IMetric[] => names.map((name) => lambdaMetric(run.function, name));
    const ofAll = (name: string): IMetric[] => Object.values(functions).map((of) => lambdaMetric(of.function, name));
    this.dashboard = new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.days(14),
    });
    this.dashboard.addWidgets(
      graph('Runs', [
        ...ofEngine('DurableExecutionStarted', 'DurableExecutionSucceeded', 'DurableExecutionFailed'),
        ...ofRun('RunsIncomplete', 'RunsHeld'),
      ]),
      graph('Subscribers', ofRun('MessagesIntended', 'MessagesSuppressed', 'MessagesUnsubscribed')),
      graph('Outcomes', [
        ...ofRun('MessagesSent', 'MessagesFailed', 'MessagesUnknown', 'MessagesLeft'),
        ...['EventsDelivered', 'EventsBounced', 'EventsSoftBounced', 'EventsComplained', 'EventsRejected'].map((name) =>
          ownMetric(namespace, 'feedback', name),
        ),
      ]),
    );
    this.dashboard.addWidgets(
      graph(
        'Requests to the service',
        ['ServiceRequests', 'ServiceRetries', 'ServiceThrottled', 'ServiceErrors'].map((name) =>
          ownMetric(namespace, 'collect', name),
        ),
      ),
      graph('Durations, longest (ms)', [
        lambdaMetric(run.function, 'DurableExecutionDuration', 'Maximum'),
        lambdaMetric(collect.function, 'Duration', 'Maximum'),
      ]),
      graph('What drives the cost', [
        ...ofAll('Invocations'),
        ...ofEngine('DurableExecutionOperations', 'DurableExecutionStorageWrittenBytes'),
        table.metricConsumedReadCapacityUnits(),
        table.metricConsumedWriteCapacityUnits(),
      ]),
    );
    this.dashboard.addWidgets(
      new LogQueryWidget({
        title: 'What was said of runs',
        width: 24,
        logGroupNames: Object.values(functions).map(({ logGroup }) => logGroup.logGroupName),
        queryLines: [
          'fields @timestamp, level, message, run, code',
          'filter ispresent(run)',
          'sort @timestamp desc',
          'limit 100',
        ],
      }),
    );
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
