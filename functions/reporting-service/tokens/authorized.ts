import type { Tally } from '../coverage.ts';
import type { Http } from '../requests/http.ts';
import type { Ask } from '../lists/pages.ts';
import type { AccessToken, TokenSource } from './tokens.ts';
import { UnavailableError } from '../unavailable.ts';

/** A request that was refused so often is given up, whatever its tokens were. */
const mostRefusals = 5;

/**
 * Sends requests under an access token, the newest one at that moment. A request whose token is refused is sent again under
 * a newer one. It is given up (`UnavailableError`) only where a second token, fresh when the request was sent, is refused
 * too: unless that has expired or was replaced meanwhile, since its refusal says nothing about the request then. A 403 forbids
 * the request; but an expired token was seen answered with it, so near the token's end or after it, it is once as good as a 401.
 */
export function createAuthorizedAsk({ http, tokens, tally }: { http: Http; tokens: TokenSource; tally: Tally }): Ask {
  return async (request, createReader) => {
    const sent: AccessToken[] = [];
    for (let refusals = 1; ; refusals += 1) {
      const refused = sent.at(-1)?.value;
      const token = async (): Promise<string> => {
        const newest = await tokens.access(refused);
        sent.push(newest);
        return newest.value;
      };
      try {
        return await http.read({ ...request, token }, createReader);
      } catch (error) {
        const last = sent.at(-1);
        const status = error instanceof UnavailableError ? error.unavailable.status : undefined;
        const mayForbid = status === 403 && (refusals > 1 || last === undefined || !tokens.mayHaveEnded(last));
        if (last === undefined || mayForbid || (status !== 401 && status !== 403)) throw error;
        const wasGood = refusals > 1 && last.isFresh && tokens.isCurrent(last);
        if (wasGood || refusals === mostRefusals) throw error;
        tally.retry();
      }
    }
  };
}
