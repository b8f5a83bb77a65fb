import * as v from 'valibot';
import {
  broadcastById,
  contentRecipientsOf,
  contentTypeOf,
  deliveriesAsOf,
  recipientsOf,
  type Recipient,
} from './account.ts';
import type { EndpointAddress, Endpoint } from './addresses.ts';
import { users } from './catalogue.ts';
import { refuseRequest } from './refusal.ts';
import type { Tokens } from './tokens.ts';

/** A request for an address of the account. */
interface Call {
  address: EndpointAddress;
  query: URLSearchParams;
  /** The parsed JSON body; throws a `RequestRefusal` where it is none. */
  body(): Promise<unknown>;
}

/** The present of the account, and who may ask. */
export interface AccountPresent {
  asOf: Date | string;
  tokens: Tokens;
}

const credentialsRequest = v.object({ id: v.string(), secret: v.string() });
const refreshRequest = v.object({ refresh_token: v.string() });

/** What each endpoint answers: the body of a 200. Throws a `RequestRefusal`. */
export const answers: Readonly<Record<Endpoint, (call: Call, account: AccountPresent) => unknown>> = {
  async auth(call, { tokens }) {
    const issued = await tokens.exchange(await requestBody(call, credentialsRequest));
    return (
      issued ?? refuseRequest(401, 'invalid_credentials', 'The client id and secret are not those of this account.')
    );
  },
  async refresh(call, { tokens }) {
    const issued = await tokens.refresh((await requestBody(call, refreshRequest)).refresh_token);
    return issued ?? refuseRequest(401, 'invalid_refresh_token', 'The refresh token is unknown or was used before.');
  },
  users: () => users.map((user) => ({ user })),
  deliveries: (_call, { asOf }) => deliveriesAsOf(asOf).map((delivery) => ({ delivery })),
  recipients: ({ address }, { asOf }) =>
    recipientsOf(address.deliveryId, asOf) ?? refuseRequest(404, 'not_found', 'There is no such delivery.'),
  'content-recipients': contentRecipients,
  broadcast: ({ address }, { asOf }) =>
    broadcastById(address.broadcastId, asOf) ?? refuseRequest(404, 'not_found', 'There is no such broadcast.'),
};

/** The one filter there is: `rating`, for ratings alone, repeated or separated by commas. Others are refused. */
function contentRecipients({ address, query }: Call, { asOf }: AccountPresent): Recipient[] {
  const { deliveryId, contentId } = address;
  const type = contentTypeOf(deliveryId, contentId, asOf);
  const rows = contentRecipientsOf(deliveryId, contentId, asOf);
  if (!type || !rows) return refuseRequest(404, 'not_found', 'There is no such content item in this delivery.');
  if ([...query.keys()].some((name) => name !== 'rating' || type !== 'rating')) {
    return refuseRequest(
      400,
      'invalid_parameter',
      `A query parameter does not apply to a content item of type ${type}.`,
    );
  }
  if (!query.has('rating')) return rows;
  const wanted = query.getAll('rating').flatMap((value) => value.split(','));
  if (wanted.some((value) => !/^[1-5]$/.test(value))) {
    return refuseRequest(400, 'invalid_parameter', 'A rating is a whole number from 1 to 5.');
  }
  return rows.filter(({ rating }) => wanted.includes(String(rating)));
}

async function requestBody<T>(call: Call, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const parsed = v.safeParse(schema, await call.body());
  if (parsed.success) return parsed.output;
  const fields = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'body');
  return refuseRequest(400, 'invalid_body', `Missing or of the wrong type: ${fields.join(', ')}.`);
}
