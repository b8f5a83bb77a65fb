import { Validations } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { functionSettings } from '../../function-settings.ts';
import type { Ledger } from '../ledger.ts';
import { BundledFunction } from './bundled-function.ts';
import type { Unsubscribe } from './unsubscribe.ts';

/**
 * Shows the whole digest to whoever has its link: a function behind a URL of its own. It may read stored digests, what runs
 * there are and which links are revoked, and nothing else: no row of a run, which has an address, and no token. It writes nothing.
 */
export class DigestPage extends Construct {
  readonly bundled: BundledFunction;
  /** Where the links lead. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    props: { bundle: string; ledger: Ledger; environment: Record<string, string>; unsubscribe: Unsubscribe },
  ) {
    super(scope, id);
    const { ledger, unsubscribe } = props;
    this.bundled = new BundledFunction(this, 'Reader', {
      description: 'Shows the whole digest behind the link in a mail',
      bundle: props.bundle,
      settings: functionSettings.page,
      environment: { ...props.environment, SIGNING_SECRET_NAME: unsubscribe.environment.SIGNING_SECRET_NAME },
    });
    unsubscribe.grantReadSecret(this.bundled.role);
    ledger.grantItems(this.bundled.role, ['RUNS#*'], ['GetItem']);
    ledger.grantItems(this.bundled.role, ['DIGEST#*', 'RUNS#*', 'PAGE_LINKS'], ['Query']);
    this.url = this.bundled.function.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
    Validations.of(this.bundled.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'It answers people who wait in front of a page: it is never invoked asynchronously.',
    });
  }
}
