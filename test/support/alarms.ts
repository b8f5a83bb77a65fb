import * as v from 'valibot';

const dimension = v.object({ Name: v.string(), Value: v.unknown() });
const metric = v.object({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(dimension), []),
});
const actions = v.optional(v.array(v.unknown()), []);

/** The part of an alarm's resource that is read here. */
export const alarmSchema = v.object({
  AlarmName: v.string(),
  AlarmDescription: v.unknown(),
  Threshold: v.number(),
  ComparisonOperator: v.picklist(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.picklist(['missing', 'ignore', 'breaching', 'notBreaching']),
  AlarmActions: actions,
  OKActions: actions,
  InsufficientDataActions: actions,
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions: v.optional(v.array(dimension), []),
  Metrics: v.optional(
    v.array(
      v.object({
        Id: v.string(),
        MetricStat: v.optional(v.object({ Metric: metric })),
        Expression: v.optional(v.string()),
      }),
    ),
    [],
  ),
});

/** An alarm, as it is in a template. */
export type Alarm = v.InferOutput<typeof alarmSchema>;

/** A metric that an alarm watches. */
export interface AlarmMetric {
  namespace: string;
  name: string;
  dimensions: Record<string, unknown>;
  /** Its id in the alarm's expression, where there is one. */
  id?: string;
}

/** The metrics that an alarm watches, alone or in an expression. AWS bills an alarm by their number. */
export function metricsOfAlarm({ Namespace, MetricName, Dimensions, Metrics }: Alarm): AlarmMetric[] {
  const single =
    Namespace === undefined || MetricName === undefined ? [] : [named({ Namespace, MetricName, Dimensions })];
  const inExpression = Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat === undefined ? [] : [{ ...named(MetricStat.Metric), id: Id }],
  );
  return [...single, ...inExpression];
}

function named(one: v.InferOutput<typeof metric>): AlarmMetric {
  return {
    namespace: one.Namespace,
    name: one.MetricName,
    dimensions: Object.fromEntries(one.Dimensions.map(({ Name, Value }) => [Name, Value])),
  };
}

type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** What an alarm's metric has in a period; `null` where there is no data. */
export type Datum = number | null;

/** How many periods CloudWatch looks at beyond those it evaluates: two, in AWS's examples. */
const moreThanEvaluated = 2;

/**
 * The state of an alarm after it has seen these periods, the oldest first, by AWS's rules for missing data:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
function stateOf(alarm: Alarm, periods: readonly Datum[], before: State): State {
  const { Threshold, ComparisonOperator, EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm;
  const isBreaching = (value: number): boolean =>
    ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold;
  const found = periods.slice(-EvaluationPeriods - moreThanEvaluated).filter((value) => value !== null);
  const evaluated = found.slice(-EvaluationPeriods);
  const missing = EvaluationPeriods - evaluated.length;
  const breaching = evaluated.filter(isBreaching).length + (TreatMissingData === 'breaching' ? missing : 0);
  if (breaching >= DatapointsToAlarm) return 'ALARM';
  const isAnyWithin = breaching < evaluated.length || TreatMissingData === 'notBreaching';
  if (missing === 0 || isAnyWithin || TreatMissingData === 'breaching') return 'OK';
  return TreatMissingData === 'ignore' ? before : 'INSUFFICIENT_DATA';
}

/**
 * What an alarm tells its topic, from its creation on, while its metric has these values period after period: the states
 * that it changed to and has an action for. A new alarm is in the state INSUFFICIENT_DATA, and only a change has an action.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
export function mailsOf(alarm: Alarm, periods: readonly Datum[]): State[] {
  const actions = {
    OK: alarm.OKActions,
    ALARM: alarm.AlarmActions,
    INSUFFICIENT_DATA: alarm.InsufficientDataActions,
  };
  let state: State = 'INSUFFICIENT_DATA';
  const mails: State[] = [];
  for (let seen = 0; seen <= periods.length; seen += 1) {
    const next = stateOf(alarm, periods.slice(0, seen), state);
    if (next !== state && actions[next].length > 0) mails.push(next);
    state = next;
  }
  return mails;
}

/** The sum that a metric math expression gives in a period; `null` where none of its metrics has data. Only sums are known. */
export function sumInPeriod({ Metrics }: Pick<Alarm, 'Metrics'>, values: Readonly<Record<string, number>>): Datum {
  const expressions = Metrics.flatMap(({ Expression }) => Expression ?? []);
  const [expression = ''] = expressions;
  if (expressions.length !== 1 || !/^\w+( \+ \w+)*$/.test(expression)) throw new RangeError(`No sum: ${expression}`);
  const found = expression.split(' + ').flatMap((id) => values[id] ?? []);
  return found.length === 0 ? null : found.reduce((sum, value) => sum + value, 0);
}
