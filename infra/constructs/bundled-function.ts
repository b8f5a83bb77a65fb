import { Annotations, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement, Role, ServicePrincipal, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, Runtime, type DurableConfig } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { functionSettings, type FunctionName } from '../function-settings.ts';

/** How long logs are kept. They go with the stack. */
export const keptLogs = { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY };

export interface BundledFunctionProps {
  name: FunctionName;
  /** The folder of the bundles, each in a folder of its function's name. */
  bundles: string;
  /** Where events go that it could not take; or why there are none, which is so where it is never invoked asynchronously. */
  deadLetters: IQueue | { none: string };
  /** Makes it durable. It cannot be added to a function that exists. */
  durable?: DurableConfig;
  /** The most of it that run at once, which no other function of the account can then use; by default it has no part of its own. */
  reservedConcurrency?: number | undefined;
}

/** The functions of a stack. That of the pages is there only where mails lead to pages. */
export type FunctionsOfStack = Record<Exclude<FunctionName, 'page'>, BundledFunction> & { page?: BundledFunction };

/**
 * A function on Node 24 and arm64 with its bundle, a role that may do nothing but log, and a log group of its own with a
 * limited retention. What else it may do, and the variables that its code reads, come with `allow`.
 */
export class BundledFunction extends Construct {
  readonly function: Function;
  readonly logGroup = new LogGroup(this, 'Logs', keptLogs);
  readonly role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const { name, bundles, deadLetters, durable, reservedConcurrency } = props;
    const settings = functionSettings[name];
    // Lambda makes a version only where code or settings differ from those of one that there is. The CDK asks for one also where
    // the same code comes from another bucket, and to go back is to have what there was: only then is this there, and differs.
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-versions.html
    const differing = ['assets', 'again'].flatMap((flag) => this.node.tryGetContext(flag) ?? []).join(' ');
    this.logGroup.grantWrite(this.role);
    this.function = new Function(this, 'Function', {
      description: settings.description,
      code: Code.fromAsset(`${bundles}/${name}`),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(settings.timeoutSeconds),
      memorySize: settings.memoryMb,
      environment: { ...settings.environment, ...(differing === '' ? {} : { DEPLOYED_WITH: differing }) },
      role: this.role,
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      // A version is what a run stays on: it outlives the deployment that replaces it. One that a failed deployment made
      // goes with it: Lambda makes no second version of the same code, so the next try would fail without a new one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      ...('none' in deadLetters ? {} : { deadLetterQueue: deadLetters }),
      ...(durable === undefined ? {} : { durableConfig: durable }),
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    });
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaTracing', reason: 'The ledger and the logs say what a run did.' },
      ...('none' in deadLetters ? [{ id: 'Serverless-LambdaDLQ', reason: deadLetters.none }] : []),
    );
    if (durable !== undefined) this.#allowOwnExecutions();
  }

  /** Lets the function do something, and sets the variables by which its code knows what to do it with. */
  allow(statement: PolicyStatementProps, variables: Readonly<Record<string, string>> = {}): void {
    this.role.addToPolicy(new PolicyStatement(statement));
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }

  /** The ARN of all its versions, and of all their durable executions, for a statement of a policy. */
  versionsFor(policy: IConstruct): string {
    return this.#allBelow('*', policy, 'Whatever began before a deployment keeps to the version that there was then.');
  }

  #allBelow(pattern: string, policy: IConstruct, reason: string): string {
    const { stack, node, functionArn } = this.function;
    const logicalId = String(stack.resolve(stack.getLogicalId(Object(node.defaultChild))));
    Validations.of(policy).acknowledge({ id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>:${pattern}]`, reason });
    return `${functionArn}:${pattern}`;
  }

  /**
   * A durable function writes and reads the state of its own executions. The managed policy for it would allow that on
   * every function of the account. A policy of its own: the function waits for its role, and cannot be named in it.
   */
  #allowOwnExecutions(): void {
    const policy = new Policy(this, 'OwnExecutions', { roles: [this.role] });
    const actions = ['lambda:CheckpointDurableExecution', 'lambda:GetDurableExecutionState'];
    const resources = [this.#allBelow('*/durable-execution/*', policy, 'The engine makes the ids of executions.')];
    policy.addStatements(new PolicyStatement({ actions, resources }));
    const reason = 'The function is durable from its first deployment on.';
    Annotations.of(this.function).acknowledgeInfo('aws-lambda:Function.DurableConfig', reason);
  }
}
