import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnResourcePolicy, Secret, type ISecret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { BundledFunction } from './bundled-function.ts';

type KeptSecretProps = SecretProps & { existing?: string | undefined; description: string; notRotated: string };

const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** A secret that stays when the stack goes, or that is there already. A failed first deployment leaves none behind: a secret is billed by the month. */
export class KeptSecret extends Construct {
  readonly secret: Pick<ISecret, 'secretArn' | 'secretName'> & { secretFullArn?: string | undefined };
  /** Of a secret that is named nobody knows the six characters with which Secrets Manager ends its ARN. */
  readonly arn: string;

  /**
   * @param props.existing the name of one that is there: none is created
   * @param props.description what it holds; the stack's name is put before it, since the names of secrets do not say it
   * @param props.notRotated why nothing rotates it
   */
  constructor(scope: Construct, id: string, { existing, notRotated, ...props }: KeptSecretProps) {
    super(scope, id);
    if (existing === undefined) {
      const description = `${Stack.of(this).stackName}: ${props.description}`;
      const secret = new Secret(this, 'Secret', { ...props, description, removalPolicy });
      Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: notRotated });
      this.secret = secret;
    } else {
      this.secret = Secret.fromSecretNameV2(this, 'Secret', existing);
    }
    this.arn = this.secret.secretFullArn ?? `${this.secret.secretArn}-??????`;
  }

  /** Lets a function read the secret's value, and nothing else of it; `variable` names the secret to its code. */
  allowRead(reader: BundledFunction, variable: string): void {
    const { secretName, secretFullArn } = this.secret;
    const value = { actions: ['secretsmanager:GetSecretValue'], resources: [this.arn] };
    reader.allow(value, { [variable]: secretFullArn ?? secretName });
  }

  /**
   * Lets a function read the secret also once it has left the stack, for runs that are still on a version that knows it: this
   * right is the secret's own, and stays with it.
   */
  keepReader(reader: BundledFunction): void {
    const right = { principals: [reader.role], actions: ['secretsmanager:GetSecretValue'], resources: ['*'] };
    const resourcePolicy = new PolicyDocument({ statements: [new PolicyStatement(right)] });
    const { secretArn: secretId } = this.secret;
    new CfnResourcePolicy(this, 'Readers', { secretId, resourcePolicy }).applyRemovalPolicy(removalPolicy);
  }
}
