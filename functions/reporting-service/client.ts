import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Tally } from './coverage.ts';
import { listOf, type ListPages } from './lists/pages.ts';
import { labelOf, UnavailableError, type Ask, type Authorization, type ServiceRequest } from './requests/request.ts';
import { longestId, readBroadcast } from './shapes.ts';
import type { TokenSource } from './tokens/tokens.ts';

/** A client of the service. */
export type ReportingService = ReturnType<typeof createReportingService>;

/**
 * A client of the service at `settings.baseUrl`, read-only. Each request carries an access token. Every method throws
 * `UnavailableError` where the service does not give what was asked for, and `CodedError` where it refuses the
 * credentials.
 */
export function createReportingService(options: {
  settings: Configuration['service'];
  http: Ask;
  tokens: TokenSource;
  tally: Tally;
}) {
  const { settings, http: ask, tokens, tally } = options;

  const get = (endpoint: ServiceRequest['endpoint'], path: string): ServiceRequest => ({
    endpoint,
    method: 'GET',
    url: new URL(settings.baseUrl + path),
    authorize: () => authorizeBy(tokens),
  });
  const list = (first: ServiceRequest): ListPages => listOf(first, { ask, tally, settings });

  return {
    /** The pages of the account's users, asked for once, however that fails: no digest needs them. */
    users: (): ListPages => list({ ...get('users', '/v1/users'), attempts: 1 }),
    /** The pages of recent deliveries. */
    deliveries: (): ListPages => {
      const request = get('deliveries', settings.deliveries.path);
      for (const [name, value] of Object.entries(settings.deliveries.query)) request.url.searchParams.set(name, value);
      return list(request);
    },
    /** The pages of a delivery's recipients: who saw or responded to at least one content item. */
    recipients: (deliveryId: string): ListPages =>
      list(get('recipients', `/v1/broadcasts/deliveries/${pathSegment(deliveryId)}/recipients`)),
    /** A broadcast and its content items. */
    broadcast: async (broadcastId: string) => {
      const request = get('broadcast', `/v1/broadcasts/${pathSegment(broadcastId)}`);
      const answer = await ask(request);
      return readBroadcast(answer.body, broadcastId, labelOf(request), tally);
    },
    /** The pages of a content item's recipients within a delivery, all of them or those that match a filter. */
    contentRecipients: (deliveryId: string, contentId: string, filter?: { name: string; value: string }): ListPages => {
      const [delivery, content] = [pathSegment(deliveryId), pathSegment(contentId)];
      const request = get('content-recipients', `/v1/broadcasts/deliveries/${delivery}/contents/${content}/recipients`);
      if (filter !== undefined) request.url.searchParams.set(filter.name, filter.value);
      return list(request);
    },
  };
}

/**
 * An identifier as one path segment, encoded whole. Throws `UnavailableError` where no URL can hold it: for `.` and
 * `..`, which URL parsers resolve even when they are encoded (WHATWG URL, section 4.4), for half a surrogate pair,
 * which is no character, and for one that is too long.
 */
function pathSegment(id: string): string {
  if (id !== '' && id.length <= longestId && id.isWellFormed() && !/^\.{1,2}$/.test(id)) return encodeURIComponent(id);
  throw new UnavailableError('[GET]', 'an identifier that no URL can hold', { reason: 'refused' });
}

/** So long before a token is no longer used, a service that rounds or guesses may think that it has ended. */
const nearEndMs = 3_000;
/** A request that was refused so often is given up: another worker may have replaced its first tokens meanwhile. */
const mostRefusals = 3;

/**
 * The access tokens of one request: the newest at each attempt, and a newer one after a refusal. A 403 forbids the request;
 * but an expired token was seen answered with it, so near the token's end or after it, it is once as good as a 401.
 */
function authorizeBy(tokens: TokenSource): Authorization {
  let token = '';
  let refused: string | undefined;
  let refusals = 0;
  return {
    token: async () => {
      token = await tokens.access(refused);
      return token;
    },
    mayRenew: (status) => {
      if (status !== 401 && status !== 403) return false;
      refused = token;
      refusals += 1;
      if (status === 403) return refusals === 1 && !tokens.isCurrent(token, nearEndMs);
      return refusals < mostRefusals;
    },
  };
}
