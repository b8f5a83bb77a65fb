import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import {
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import type { BundledFunction } from './bundled-function.ts';

/** The events that SES publishes of each message, which are those that the feedback function reads: what became of it. */
const events = [
  EmailSendingEvent.SEND,
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.RENDERING_FAILURE,
];

/** The identity that mail is sent under, and the configuration set whose events say what became of it. */
export class SendingIdentity extends Construct {
  readonly configurationSet: ConfigurationSet;
  readonly #identityArn: string;
  readonly #from: string;

  constructor(scope: Construct, id: string, { from, identity }: Configuration['mail']) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      sendingEnabled: true,
    });
    this.configurationSet.addEventDestination('ToEventBus', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events,
    });
    const isDomain = identity.of === 'domain';
    const name = isDomain ? from.slice(from.lastIndexOf('@') + 1) : from;
    this.#from = from;
    this.#identityArn = Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName: name });
    if (identity.setup !== 'create') return;
    const created = new EmailIdentity(this, 'Identity', {
      identity: isDomain ? Identity.domain(name) : Identity.email(name),
    });
    for (const [index, { name: record, value }] of isDomain ? created.dkimRecords.entries() : []) {
      new CfnOutput(this, `DkimRecord${index + 1}`, {
        description: 'CNAME record that proves to SES that the domain is yours',
        value: `${record} CNAME ${value}`,
      });
    }
  }

  /**
   * Lets a function send from the configured address, and from no other, under the configuration set. While the account is in
   * SES's sandbox, SES also asks for the right to the recipient's identity.
   */
  allowSend(sender: BundledFunction): void {
    const stack = Stack.of(this);
    const anyIdentity = stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
    const set = this.configurationSet.configurationSetName;
    const setArn = stack.formatArn({ service: 'ses', resource: 'configuration-set', resourceName: set });
    sender.allow(
      {
        actions: ['ses:SendRawEmail'],
        resources: [this.#identityArn, anyIdentity, setArn],
        conditions: { StringEquals: { 'ses:FromAddress': this.#from } },
      },
      { CONFIGURATION_SET: set },
    );
    sender.allow({ actions: ['ses:GetSendQuota'], resources: ['*'] });
    Validations.of(sender.role).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: 'In the sandbox SES checks the subscriber’s identity too; the condition pins the sender.',
      },
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'SES knows no resource for the account’s quota.' },
    );
  }
}
