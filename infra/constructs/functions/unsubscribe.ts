import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { functionSettings } from '../../function-settings.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Ledger } from '../ledger.ts';

/**
 * Where subscribers leave a report: a function behind a URL of its own, open to everybody because its links need no
 * login, and the generated secret that all links in mails are made under. A new secret makes the links of old mails void. It
 * stays in this construct: in another one it would be another secret.
 */
export class Unsubscribe extends Construct {
  readonly bundled: BundledFunction;
  /** The variables of functions that make links. */
  readonly environment: Readonly<Record<'SIGNING_SECRET_NAME' | 'UNSUBSCRIBE_URL', string>>;
  private readonly secret: Secret;

  constructor(
    scope: Construct,
    id: string,
    props: { bundle: string; ledger: Ledger; environment: Record<string, string> },
  ) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Generated: the links in mails are made under it',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.bundled = new BundledFunction(this, 'Page', {
      description: 'Shows the page on which a subscriber leaves a report, and records it',
      bundle: props.bundle,
      settings: functionSettings.unsubscribe,
      environment: { ...props.environment, SIGNING_SECRET_NAME: this.secret.secretArn },
    });
    this.grantReadSecret(this.bundled.role);
    props.ledger.grantItems(this.bundled.role, ['ADDRESS#*'], ['GetItem', 'UpdateItem']);
    const { url } = this.bundled.function.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A new secret breaks the links in all mails already sent: it is changed only on purpose.',
    });
    Validations.of(this.bundled.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'It answers people who wait in front of a page: it is never invoked asynchronously.',
    });
    this.environment = { SIGNING_SECRET_NAME: this.secret.secretArn, UNSUBSCRIBE_URL: url };
  }

  /** Lets a function read the secret's value, and nothing else of it. */
  grantReadSecret(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }),
    );
  }
}
