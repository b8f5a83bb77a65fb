/** An address of the service interface, and the identifiers in it: decoded, and empty text where it has no such part. */
export interface EndpointAddress {
  endpoint: Endpoint;
  /** The one method that is answered here. */
  method: 'GET' | 'POST';
  deliveryId: string;
  contentId: string;
  broadcastId: string;
}

export type Endpoint = 'auth' | 'refresh' | 'users' | 'deliveries' | 'recipients' | 'content-recipients' | 'broadcast';

/** The whole service interface. A path that two patterns fit belongs to the first of them. */
const patterns: ReadonlyArray<[Endpoint, EndpointAddress['method'], RegExp]> = [
  ['auth', 'POST', /^\/v1\/auth$/],
  ['refresh', 'POST', /^\/v1\/auth\/refresh$/],
  ['users', 'GET', /^\/v1\/users$/],
  ['deliveries', 'GET', /^\/v1\/broadcasts\/deliveries$/],
  ['recipients', 'GET', /^\/v1\/broadcasts\/deliveries\/(?<deliveryId>[^/]+)\/recipients$/],
  [
    'content-recipients',
    'GET',
    /^\/v1\/broadcasts\/deliveries\/(?<deliveryId>[^/]+)\/contents\/(?<contentId>[^/]+)\/recipients$/,
  ],
  ['broadcast', 'GET', /^\/v1\/broadcasts\/(?<broadcastId>[^/]+)$/],
];

/** The address that a path, without its query, is; `null` where the service has none. Throws a `URIError` for an escape that cannot be read. */
export function addressOf(path: string): EndpointAddress | null {
  for (const [endpoint, method, pattern] of patterns) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const { deliveryId = '', contentId = '', broadcastId = '' } = found.groups ?? {};
    return {
      endpoint,
      method,
      deliveryId: decodeURIComponent(deliveryId),
      contentId: decodeURIComponent(contentId),
      broadcastId: decodeURIComponent(broadcastId),
    };
  }
  return null;
}
