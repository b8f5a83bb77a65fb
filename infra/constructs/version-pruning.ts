import { CustomResource, Validations, type Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { functionSettings } from '../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';

/**
 * Removes, when a deployment has put a new version in place, the old ones that no run can need. The stack itself keeps
 * them all: runs in flight stay on the version they began on.
 */
export class VersionPruning extends Construct {
  readonly bundled: BundledFunction;

  constructor(
    scope: Construct,
    id: string,
    props: { bundle: string; of: BundledFunction; live: Alias; keepFor: Duration; deadLetters: IQueue },
  ) {
    super(scope, id);
    const { functionArn, functionName } = props.of.function;
    this.bundled = new BundledFunction(this, 'Pruner', {
      description: 'Removes versions of the run that no run can need',
      bundle: props.bundle,
      settings: functionSettings.prune,
      environment: {},
      deadLetters: props.deadLetters,
    });
    const { role } = this.bundled;
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:ListVersionsByFunction'], resources: [functionArn] }));
    // With a qualifier alone: the function itself is none of these.
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:DeleteFunction'], resources: [`${functionArn}:*`] }));
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${props.of.logicalId}.Arn>:*]`,
      reason: 'Versions are numbered by Lambda as they are published.',
    });
    const pruning = new CustomResource(this, 'AtDeployment', {
      serviceToken: this.bundled.function.functionArn,
      properties: {
        FunctionName: functionName,
        KeepHours: String(props.keepFor.toHours()),
        // A new version is what makes CloudFormation call.
        Version: props.live.version.version,
      },
    });
    pruning.node.addDependency(props.live, role);
  }
}
