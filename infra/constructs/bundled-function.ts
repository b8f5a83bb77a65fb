import { RemovalPolicy, type Duration } from 'aws-cdk-lib';
import { Architecture, Code, Function, LoggingFormat, Runtime, type DurableConfig } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** What distinguishes one function from another. */
export interface BundledFunctionProps {
  description: string;
  /** The folder of its bundle. */
  bundle: string;
  environment: Record<string, string>;
  timeout: Duration;
  memoryMb: number;
  /** Makes it durable. It cannot be added to a function that exists. */
  durable?: DurableConfig;
}

/** A function on Node 24 and arm64 with its bundle, and a log group of its own that forgets. */
export class BundledFunction extends Construct {
  readonly function: Function;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.function = new Function(this, 'Function', {
      description: props.description,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: props.timeout,
      memorySize: props.memoryMb,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...props.environment },
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      ...(props.durable === undefined ? {} : { durableConfig: props.durable }),
    });
  }
}
