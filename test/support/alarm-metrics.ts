import * as v from 'valibot';
import type { DeployedTemplate } from './deployed-template.ts';

const dimension = v.object({ Name: v.string(), Value: v.unknown() });
const metric = v.object({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(dimension), []),
});

/** The part of an alarm's resource that is read here. */
export const alarmSchema = v.object({
  AlarmName: v.string(),
  AlarmDescription: v.unknown(),
  Threshold: v.number(),
  ComparisonOperator: v.string(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.string(),
  AlarmActions: v.array(v.unknown()),
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions: v.optional(v.array(dimension), []),
  Metrics: v.optional(
    v.array(v.object({ MetricStat: v.optional(v.object({ Metric: metric })), Expression: v.optional(v.string()) })),
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
}

/** The metrics that an alarm watches, alone or in an expression. */
export function metricsOfAlarm({ Namespace, MetricName, Dimensions, Metrics }: Alarm): AlarmMetric[] {
  const single = Namespace === undefined || MetricName === undefined ? [] : [{ Namespace, MetricName, Dimensions }];
  const inExpression = Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]));
  return [...single, ...inExpression].map((one) => ({
    namespace: one.Namespace,
    name: one.MetricName,
    dimensions: Object.fromEntries(one.Dimensions.map(({ Name, Value }) => [Name, Value])),
  }));
}

/** The metrics that the alarms of a deployed template watch. */
export function metricsOfAlarms(template: DeployedTemplate): AlarmMetric[] {
  return template
    .resourcesOf('AWS::CloudWatch::Alarm')
    .flatMap((id) => metricsOfAlarm(v.parse(alarmSchema, template.properties(id))));
}
