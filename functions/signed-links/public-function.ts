import type { Logger } from '@aws-lambda-powertools/logger';
import * as v from 'valibot';

/** The event of a function URL (payload format 2.0), as far as the functions behind links read it. */
export const urlEventSchema = v.object({
  rawPath: v.string(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
  requestContext: v.object({ http: v.object({ method: v.string() }) }),
});

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

/** Answers; where that fails, the error's name alone is logged, and `busy` is the answer, in the language of a report. */
export async function answerOrBusy<Report, Answer>(
  answer: () => Promise<Answer>,
  { logger, reports, busy }: { logger: Logger; reports: readonly Report[]; busy: (report: Report) => Answer },
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    logger.error('Could not answer.', { code: error instanceof Error ? error.name : 'unknown' });
    const [report] = reports;
    if (report === undefined) throw error;
    return busy(report);
  }
}
