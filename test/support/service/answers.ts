import type { EndpointAddress } from '../../../infra/local/sample-account/server.ts';

/**
 * What an account of the service answers at each address with data, whose whole URL comes along: a `ServiceReply`, or the
 * body of a 200 in bytes or as a value, or a number for a refusal with this status.
 */
export interface ServiceAnswers {
  deliveries(url: URL): unknown;
  broadcast(broadcastId: string, url: URL): unknown;
  recipients(deliveryId: string, url: URL): unknown;
  contentRecipients(deliveryId: string, contentId: string, url: URL): unknown;
}

/** An answer whole. */
export class ServiceReply {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The body of every refusal: nothing that a reader sees may quote it. */
const refusedBody = '{"error":{"message":"canary-error-body"}}';

/** No client mistakes it for something that the service says. */
export const notAnAddress = new ServiceReply(418, '{"error":"not an address of the service"}');

/** The reply at an address; 404 where nothing is answered there. */
export function replyAt(address: EndpointAddress, url: URL, answers: Partial<ServiceAnswers>): ServiceReply {
  const { endpoint, deliveryId, contentId, broadcastId } = address;
  if (endpoint === 'users') return replyWith([]);
  if (endpoint === 'deliveries') return replyWith(answers.deliveries?.(url));
  if (endpoint === 'recipients') return replyWith(answers.recipients?.(deliveryId, url));
  if (endpoint === 'broadcast') return replyWith(answers.broadcast?.(broadcastId, url));
  if (endpoint === 'content-recipients') return replyWith(answers.contentRecipients?.(deliveryId, contentId, url));
  return replyWith(404);
}

/** An answer as a reply. */
export function replyWith(answer: unknown = 404): ServiceReply {
  if (answer instanceof ServiceReply) return answer;
  if (typeof answer === 'number') return new ServiceReply(answer, refusedBody);
  return new ServiceReply(200, Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
}
