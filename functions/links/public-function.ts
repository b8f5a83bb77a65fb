import type { Logger } from '@aws-lambda-powertools/logger';
import * as v from 'valibot';

/** Where the public front has the functions behind links: what follows is a link's own, and its function's to read. */
export const publicPaths = { unsubscribe: '/unsubscribe/', page: '/page/' } as const;

/**
 * The event of an HTTP API (payload format 2.0), as far as the functions behind links read it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const httpEventSchema = v.object({
  rawPath: v.string(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
  requestContext: v.object({ http: v.object({ method: v.string() }) }),
});

export interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

/**
 * Of every response. What a link leads to is for those who have it: no search engine and no shared cache may store it, and no site
 * that it links to may learn its URL.
 */
export const headersOfEveryResponse = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/** The report whose language is that of an answer about none. The configuration has one at least. */
export function anyReportOf<Report>([report]: readonly Report[]): Report {
  if (report === undefined) throw new Error('The configuration has no report.');
  return report;
}

/** Answers; where that fails, the error's name alone is logged, and `busy` is the answer. */
export async function answerOrBusy<Answer>(answer: () => Promise<Answer>, busy: () => Answer, logger: Logger) {
  try {
    return await answer();
  } catch (error) {
    logger.error('Could not answer.', { code: error instanceof Error ? error.name : 'unknown' });
    return busy();
  }
}
