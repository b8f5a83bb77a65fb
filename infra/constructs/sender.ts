import { Stack, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import * as ses from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { MailSender } from '../../functions/run/send/ses.ts';
import type { BundledFunction } from './bundled-function.ts';

/** The events that SES publishes of each message, which are those that the feedback function reads: what became of it. */
const events = [
  ses.EmailSendingEvent.SEND,
  ses.EmailSendingEvent.DELIVERY,
  ses.EmailSendingEvent.BOUNCE,
  ses.EmailSendingEvent.COMPLAINT,
  ses.EmailSendingEvent.REJECT,
  ses.EmailSendingEvent.RENDERING_FAILURE,
];

/**
 * The right to send as the configured sender, and the configuration set whose events say what became of the mail. The sender
 * itself is no stack's: CloudFormation would delete it with the stack, and where another one is configured.
 */
export class Sender extends Construct {
  readonly configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
    tlsPolicy: ses.ConfigurationSetTlsPolicy.REQUIRE,
    // Two metrics that are billed, and that nothing reads: the account's own are free.
    reputationMetrics: false,
    // Else the account's setting decides whether SES puts a pixel into the mail, and links of its own in place of ours.
    // https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DashboardOptions.html
    vdmOptions: { engagementMetrics: false },
    sendingEnabled: true,
    // Else the account's setting, which may be none, decides whom SES lists and sends nothing: `lift`, `addresses show` and the
    // notice of mails that were held back are about that list.
    // https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list-config-level.html
    suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
  });
  readonly configurationSetArn = this.arnOf('configuration-set', this.configurationSet.configurationSetName);
  /** Who mail comes from. */
  readonly mail: MailSender;

  constructor(scope: Construct, id: string, mail: MailSender) {
    super(scope, id);
    this.mail = mail;
    this.configurationSet.addEventDestination('ToEventBus', {
      destination: ses.EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events,
    });
  }

  /** The ARN of something that SES has in this account and region. */
  arnOf(resource: string, resourceName: string): string {
    return Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
  }

  /**
   * Lets a function send from the configured address, and from no other, under the configuration set. While the account is in
   * SES's sandbox, SES also asks for the right to the recipient's identity.
   */
  allowSend(sender: BundledFunction): void {
    const { from, identity } = this.mail;
    const anyIdentity = this.arnOf('identity', '*');
    const resources = [...('arn' in identity ? [identity.arn] : []), anyIdentity, this.configurationSetArn];
    const conditions = { StringEquals: { 'ses:FromAddress': from } };
    const variables = { CONFIGURATION_SET: this.configurationSet.configurationSetName };
    sender.allow({ actions: ['ses:SendRawEmail'], resources, conditions }, variables);
    sender.allow({ actions: ['ses:GetSendQuota', 'ses:GetIdentityVerificationAttributes'], resources: ['*'] });
    const anyIdentityOf = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*';
    const reasons = {
      [anyIdentityOf]: 'In the sandbox SES checks the subscriber’s identity too; the condition pins the sender.',
      '*': 'SES knows no resource for the account’s quota, and for what is verified.',
    };
    for (const [resource, reason] of Object.entries(reasons))
      Validations.of(sender.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  }
}
