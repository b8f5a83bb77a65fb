import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { inOwnWords } from '../foreign-error.ts';
import type { NoticeText } from './notice-text.ts';

/** Publishes notices to the topic of this ARN. Its client tries again where an answer is lost: twice is better than never. */
export function openTopic(topicArn: string): (notice: NoticeText) => Promise<void> {
  const client = inOwnWords(new SNSClient({}));
  return async ({ subject, body }) => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: body }));
  };
}
