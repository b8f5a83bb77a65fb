import { RemovalPolicy, SecretValue, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** The secret with the service's client id and secret. It begins empty but well-formed; an operator fills it in. */
export class CredentialsSecret extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Client id and secret of the reporting service: {"id": "...", "secret": "..."}',
      secretObjectValue: { id: SecretValue.unsafePlainText(''), secret: SecretValue.unsafePlainText('') },
      // A failed first deployment leaves none behind: a secret is billed by the month.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The service gives out client secrets by hand: an operator puts a new one in, and the next run uses it.',
    });
  }

  /** Lets a function read the secret's value, and nothing else of it. */
  grantRead(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }),
    );
  }
}
