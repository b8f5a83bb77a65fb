import type { Logger } from '@aws-lambda-powertools/logger';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { signingSecretName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { readSigningSecret } from './link-tokens.ts';

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

/**
 * Gives answers under tokens of the signing secret, which is read when they are first asked for. Where an answer fails, the error's
 * name alone is logged, `busy` is the answer, in the language of a report, and the secret is read again.
 */
export function createAnswers<Tokens, Report, Answer>(
  logger: Logger,
  createTokens: (secret: string) => Tokens,
  { reports, busy }: { reports: readonly Report[]; busy: (report: Report) => Answer },
): (answer: (openTokens: () => Promise<Tokens>) => Promise<Answer>) => Promise<Answer> {
  const secrets = inOwnWords(new SecretsManagerClient({}));
  let tokens: Promise<Tokens> | null = null;
  const openTokens = (): Promise<Tokens> => {
    tokens ??= readSigningSecret(secrets, signingSecretName()).then(createTokens);
    return tokens;
  };
  return async (answer) => {
    try {
      return await answer(openTokens);
    } catch (error) {
      tokens = null;
      logger.error('Could not answer.', { code: error instanceof Error ? error.name : 'unknown' });
      const [report] = reports;
      if (report === undefined) throw error;
      return busy(report);
    }
  };
}
