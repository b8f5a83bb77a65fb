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
