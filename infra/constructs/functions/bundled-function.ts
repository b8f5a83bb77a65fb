import { Annotations, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, Runtime, type DurableConfig } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../../build/bundles.ts';
import type { FunctionSettings } from '../../function-settings.ts';

/** The functions of a stack. That of the pages is there only where mails lead to pages. */
export type FunctionsOfStack = Readonly<Record<Exclude<FunctionName, 'page'>, BundledFunction>> & {
  readonly page?: BundledFunction;
};

/** The settings in which one function differs from another. */
interface BundledFunctionProps {
  description: string;
  /** The folder of its bundle. */
  bundle: string;
  settings: FunctionSettings;
  /** The environment variables that its code reads. */
  environment: Record<string, string>;
  /** Where events go that it could not take. For every function that is invoked asynchronously. */
  deadLetters?: IQueue;
  /** Makes it durable. It cannot be added to a function that exists. */
  durable?: DurableConfig;
}

/**
 * A function on Node 24 and arm64 with its bundle, a role that may do nothing but log, and a log group of its
 * own with a limited retention. What else it may do is granted statement by statement.
 */
export class BundledFunction extends Construct {
  readonly function: Function;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const { settings } = props;
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    this.function = new Function(this, 'Function', {
      description: props.description,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(settings.timeoutSeconds),
      memorySize: settings.memoryMb,
      environment: { ...settings.processEnvironment, ...props.environment },
      role: this.role,
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      // A version is what a run stays on: it outlives the deployment that replaces it. One that a failed deployment made
      // goes with it: Lambda makes no second version of the same code, so the next try would fail for want of a new one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...(props.deadLetters === undefined ? {} : { deadLetterQueue: props.deadLetters }),
      ...(props.durable === undefined ? {} : { durableConfig: props.durable }),
    });
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason: 'Logs and the ledger say what a run did; nobody looks at traces.',
    });
    if (props.durable !== undefined) this.#grantOwnExecutions();
  }

  /**
   * A durable function writes and reads the state of its own executions. The managed policy for it would allow that on
   * every function of the account. A policy of its own: the function waits for its role, and cannot be named in it.
   */
  #grantOwnExecutions(): void {
    const policy = new Policy(this, 'OwnExecutions', { roles: [this.role] });
    const executions = `${this.function.functionArn}:*/durable-execution/*`;
    policy.addStatements(
      new PolicyStatement({
        actions: ['lambda:CheckpointDurableExecution', 'lambda:GetDurableExecutionState'],
        resources: [executions],
      }),
    );
    Validations.of(policy).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.logicalId}.Arn>:*/durable-execution/*]`,
      reason: 'An execution is named by the version it runs on and an id that the engine makes.',
    });
    Annotations.of(this.function).acknowledgeInfo(
      'aws-lambda:Function.DurableConfig',
      'The function is durable from its first deployment on.',
    );
  }

  /** The function's own name in the template. */
  get logicalId(): string {
    const { stack } = this.function;
    const { defaultChild } = this.function.node;
    if (defaultChild === undefined) throw new Error('A function has no resource.');
    return String(stack.resolve(stack.getLogicalId(Object(defaultChild))));
  }
}
