import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { BundledFunction } from './bundled-function.ts';

/** A secret that stays when the stack goes. A failed first deployment leaves none behind: a secret is billed by the month. */
export class KeptSecret extends Construct {
  readonly secret: Secret;

  /** @param props.notRotated why nothing rotates it */
  constructor(scope: Construct, id: string, { notRotated, ...props }: SecretProps & { notRotated: string }) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', { ...props, removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE });
    Validations.of(this.secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: notRotated });
  }

  /** Lets a function read the secret's value, and nothing else of it; `variable` names the secret to its code. */
  allowRead(reader: BundledFunction, variable: string): void {
    const { secretArn } = this.secret;
    reader.allow({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }, { [variable]: secretArn });
  }
}
