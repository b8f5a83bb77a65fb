import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@aws-lambda-powertools/logger';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration-without-addresses' with { type: 'json' };
import { accountOf } from '../domain/configuration/account.ts';
import { environmentName, noticeTopicArn, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import type { NoticePlace, NoticeText } from './notice-text.ts';
import { publishNotices } from './publish-notices.ts';

/** SNS turns off an address that it mails more than ten times a second. */
const pauseMs = 200;

const table = createTable(createDynamoDbClient(), tableName());
const topicArn = noticeTopicArn();
const sns = inOwnWords(new SNSClient({}));
const logger = new Logger({ serviceName: 'watch' });
const environment = environmentName();
const flags = environment === undefined ? [] : ['--env', environment];
const place: NoticePlace = { environment, flags, ...configuration.operations };

/**
 * Notifies operators once of what they should know, and once when it is over. Throws where a notice could not be published, after it has published the others.
 */
export async function handler(): Promise<void> {
  const { reports, service } = configuration;
  await publishNotices({ table, reports, account: accountOf(service), place, publish, now: Temporal.Now.instant() });
}

/** Publishes to the topic. The client tries again where an answer is lost: twice is better than never. */
async function publish({ subject, body }: NoticeText): Promise<void> {
  await sns.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: body }));
  logger.info('A notice was published.', { subject });
  await sleep(pauseMs);
}
