import * as v from 'valibot';

/** A value that a function emitted for CloudWatch, with the metric that CloudWatch makes of it. */
export interface EmittedMetric {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  value: number;
}

const embedded = v.looseObject({
  _aws: v.object({
    CloudWatchMetrics: v.array(
      v.object({
        Namespace: v.string(),
        Dimensions: v.array(v.array(v.string())),
        Metrics: v.array(v.object({ Name: v.string() })),
      }),
    ),
  }),
});

/**
 * The metrics in a log, as CloudWatch finds them there.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricsIn(log: string): EmittedMetric[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{"_aws"'))
    .flatMap((line) => metricsOf(JSON.parse(line)));
}

function metricsOf(line: unknown): EmittedMetric[] {
  const { _aws, ...values } = v.parse(embedded, line);
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => ({
        namespace: Namespace,
        name: Name,
        dimensions: Object.fromEntries(names.map((name) => [name, String(values[name])])),
        value: Number(values[Name]),
      })),
    ),
  );
}

/** The metrics that are emitted while `work` runs. */
export async function captureMetrics(work: () => Promise<void> | void): Promise<EmittedMetric[]> {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  let log = '';
  stdout.write = (chunk: string | Uint8Array): boolean => {
    log += String(chunk);
    return true;
  };
  try {
    await work();
  } finally {
    stdout.write = write;
  }
  return metricsIn(log);
}
