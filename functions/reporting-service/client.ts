import type { Configuration } from '../domain/configuration/configuration.ts';
import { urlOf, pathSegment } from './requests/urls.ts';
import { createAuthorizedAsk } from './tokens/authorized.ts';
import type { Tally } from './coverage.ts';
import type { Http, ServiceRequest } from './requests/http.ts';
import { createJsonReader } from './requests/body-reader.ts';
import { listOf, type ListPages } from './lists/pages.ts';
import { readBroadcast, type Broadcast } from './shapes.ts';
import type { TokenSource } from './tokens/tokens.ts';

/**
 * The reporting service, read-only. Every method throws `UnavailableError` where the service does not give what was asked
 * for, and `CredentialsError` where it refuses the credentials.
 */
export interface ReportingService {
  /** The pages of the account's users. Their rows are documented nowhere. */
  users(): ListPages;
  /** The pages of recent deliveries. */
  deliveries(): ListPages;
  /** The pages of a delivery's recipients: who saw or responded to at least one content item. */
  recipients(deliveryId: string): ListPages;
  /** A broadcast and its content items. */
  broadcast(broadcastId: string): Promise<Broadcast>;
  /** The pages of a content item's recipients within a delivery, all of them or those that match a filter. */
  contentRecipients(deliveryId: string, contentId: string, filter?: { name: string; value: string }): ListPages;
}

/** A client of the service at `settings.baseUrl`. Each request carries an access token. */
export function createReportingService(options: {
  settings: Configuration['service'];
  http: Http;
  tokens: TokenSource;
  tally: Tally;
}): ReportingService {
  const { settings, http, tokens, tally } = options;

  const ask = createAuthorizedAsk({ http, tokens, tally });

  const get = (endpoint: ServiceRequest['endpoint'], path: string): ServiceRequest => ({
    endpoint,
    method: 'GET',
    url: urlOf(settings.baseUrl, path),
  });

  const list = (first: ServiceRequest): ListPages => listOf(first, { ask, tally, notPaging: settings.notPaging });

  return {
    users: () => list(get('users', '/v1/users')),
    deliveries: () => {
      const request = get('deliveries', settings.deliveries.path);
      for (const [name, value] of Object.entries(settings.deliveries.query)) request.url.searchParams.set(name, value);
      return list(request);
    },
    recipients: (deliveryId) => {
      const id = pathSegment(deliveryId, '[GET] recipients of a delivery');
      return list(get('recipients', `/v1/broadcasts/deliveries/${id}/recipients`));
    },
    broadcast: async (broadcastId) => {
      const label = '[GET] a broadcast';
      const request = get('broadcast', `/v1/broadcasts/${pathSegment(broadcastId, label)}`);
      const answer = await ask(request, createJsonReader);
      return readBroadcast(answer.body, broadcastId, label, tally);
    },
    contentRecipients: (deliveryId, contentId, filter) => {
      const label = '[GET] recipients of a content item';
      const path = `/v1/broadcasts/deliveries/${pathSegment(deliveryId, label)}/contents/${pathSegment(contentId, label)}/recipients`;
      const request = get('content-recipients', path);
      if (filter !== undefined) request.url.searchParams.set(filter.name, filter.value);
      return list(request);
    },
  };
}
