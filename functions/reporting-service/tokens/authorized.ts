import type { Tally } from '../coverage.ts';
import type { Http } from '../requests/http.ts';
import type { Ask } from '../lists/pages.ts';
import type { AccessToken, TokenSource } from './tokens.ts';
import { UnavailableError } from '../unavailable.ts';

/** Whatever becomes of its tokens, a request is refused at most so often before it is given up. */
const mostRefusals = 5;

/**
 * Asks under an access token, the newest one whenever the request leaves. A request whose token is refused is asked again
 * under a newer one, and given up (`UnavailableError`) only under a second one that was fresh when the request left: and
 * not if that one has run out or was replaced meanwhile, since its refusal says nothing about the request.
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
        if (last === undefined || !isRefusal(error)) throw error;
        const wasGood = refusals > 1 && last.isFresh && tokens.isCurrent(last);
        if (wasGood || refusals === mostRefusals) throw error;
        tally.retry();
      }
    }
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof UnavailableError && error.unavailable.status === 401;
}
