import { Logger } from '@aws-lambda-powertools/logger';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration-without-addresses';
import { environmentName, noticeTopicArn, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { takeNoticeLease } from '../ledger/notices.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import type { NoticePlace, NoticeText } from './notice-text.ts';
import { publishNotices } from './publish-notices.ts';

/** Longer than an invocation may take, shorter than the time until the next one. */
const leaseMs = 6 * 60_000;

const table = createTable(createDynamoDbClient(), tableName());
const topicArn = noticeTopicArn();
const sns = inOwnWords(new SNSClient({}));
const logger = new Logger({ serviceName: 'watch' });
const environment = environmentName();
const place: NoticePlace = { environment, flags: environment === undefined ? [] : ['--env', environment] };

/**
 * Notifies operators once of what they should know, and once when it is over. Throws where a notice could not be published, after it has published the others.
 */
export async function handler(): Promise<void> {
  const now = Temporal.Now.instant();
  const lease = await takeNoticeLease(table, { now: now.epochMilliseconds, forMs: leaseMs });
  if (lease === null) {
    logger.info('Another invocation is publishing notices.');
    return;
  }
  try {
    const { reports, ledger } = configuration;
    const { keepMonths } = ledger;
    const { announced, failures } = await publishNotices({ table, reports, keepMonths, place, publish, now });
    for (const { phase, matters } of announced) {
      logger.info('A notice was published.', {
        phase,
        matters: matters.map(({ kind, subject }) => `${subject} ${kind}`),
      });
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} notices could not be published or marked.`, { cause: failures[0] });
  } finally {
    await lease.release();
  }
}

/** Publishes to the topic. The client tries again where an answer is lost: twice is better than never. */
async function publish({ subject, body }: NoticeText): Promise<void> {
  await sns.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: body }));
}
