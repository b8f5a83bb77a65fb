import * as v from 'valibot';

const metricSchema = v.object({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.object({ Value: v.unknown() })), []),
});
const actions = v.optional(v.array(v.unknown()), []);
/** The part of an alarm's resource that is read here. */
export const alarmSchema = v.object({
  AlarmName: v.string(),
  AlarmDescription: v.unknown(),
  Threshold: v.number(),
  ComparisonOperator: v.string(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.string(),
  AlarmActions: actions,
  OKActions: actions,
  InsufficientDataActions: actions,
  Period: v.optional(v.number()),
  Metrics: v.optional(
    v.array(
      v.object({
        MetricStat: v.optional(v.object({ Metric: metricSchema, Period: v.number() })),
        Expression: v.optional(v.string()),
      }),
    ),
    [],
  ),
  ...v.partial(metricSchema).entries,
});
/** An alarm, as it is in a template. */
export type Alarm = v.InferOutput<typeof alarmSchema>;

/** The metrics of an alarm, alone or in an expression. AWS bills an alarm by their number. */
export function metricsOfAlarm({ Namespace = '', MetricName = '', Dimensions = [], Period, Metrics }: Alarm) {
  const inExpression = Metrics.flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [{ ...MetricStat.Metric, Period: MetricStat.Period }],
  );
  return inExpression.length > 0 ? inExpression : [{ Namespace, MetricName, Dimensions, Period }];
}
