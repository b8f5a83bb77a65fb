import * as v from 'valibot';
import {
  broadcastById,
  contentRecipientsOf,
  contentTypeOf,
  deliveriesAsOf,
  recipientsOf,
  type Recipient,
} from './account.ts';
import { users } from './catalogue.ts';
import { refuse } from './refusal.ts';
import type { Tokens } from './tokens.ts';

/** A request for one of the account's endpoints, its path already matched. */
export interface Call {
  /** What the path names, decoded; empty text where it has no such part. */
  named: { deliveryId: string; broadcastId: string; contentId: string };
  query: URLSearchParams;
  /** The parsed JSON body; throws a Refusal where it is none. */
  body(): Promise<unknown>;
}

/** The present of the account, and who may ask. */
export interface Account {
  asOf: Date | string;
  tokens: Tokens;
}

export interface Endpoint {
  method: 'GET' | 'POST';
  path: RegExp;
  /** Answers without an access token. */
  open?: true;
  /** Gives the body of the answer; throws a Refusal. */
  answer(call: Call, account: Account): unknown;
}

const credentialsRequest = v.object({ id: v.string(), secret: v.string() });
const refreshRequest = v.object({ refresh_token: v.string() });

/** The whole service interface. An address that two patterns fit belongs to the first of them. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: /^\/v1\/auth$/,
    open: true,
    async answer(call, { tokens }) {
      const issued = await tokens.exchange(await requestBody(call, credentialsRequest));
      return issued ?? refuse(401, 'invalid_credentials', 'The client id and secret are not those of this account.');
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/auth\/refresh$/,
    open: true,
    async answer(call, { tokens }) {
      const issued = await tokens.refresh((await requestBody(call, refreshRequest)).refresh_token);
      return issued ?? refuse(401, 'invalid_refresh_token', 'The refresh token is unknown or was used before.');
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/users$/,
    answer: () => users.map((user) => ({ user })),
  },
  {
    method: 'GET',
    path: /^\/v1\/broadcasts\/deliveries$/,
    answer: (_call, { asOf }) => deliveriesAsOf(asOf).map((delivery) => ({ delivery })),
  },
  {
    method: 'GET',
    path: /^\/v1\/broadcasts\/deliveries\/(?<deliveryId>[^/]+)\/recipients$/,
    answer: ({ named }, { asOf }) =>
      recipientsOf(named.deliveryId, asOf) ?? refuse(404, 'not_found', 'There is no such delivery.'),
  },
  {
    method: 'GET',
    path: /^\/v1\/broadcasts\/deliveries\/(?<deliveryId>[^/]+)\/contents\/(?<contentId>[^/]+)\/recipients$/,
    answer: contentRecipients,
  },
  {
    method: 'GET',
    path: /^\/v1\/broadcasts\/(?<broadcastId>[^/]+)$/,
    answer: ({ named }, { asOf }) =>
      broadcastById(named.broadcastId, asOf) ?? refuse(404, 'not_found', 'There is no such broadcast.'),
  },
];

/** The one filter there is: `rating`, for ratings alone, repeated or separated by commas. Others are refused. */
function contentRecipients({ named, query }: Call, { asOf }: Account): Recipient[] {
  const type = contentTypeOf(named.deliveryId, named.contentId, asOf);
  const rows = contentRecipientsOf(named.deliveryId, named.contentId, asOf);
  if (!type || !rows) return refuse(404, 'not_found', 'There is no such content item in this delivery.');
  if ([...query.keys()].some((name) => name !== 'rating' || type !== 'rating')) {
    return refuse(400, 'invalid_parameter', `A query parameter does not apply to a content item of type ${type}.`);
  }
  if (!query.has('rating')) return rows;
  const wanted = query.getAll('rating').flatMap((value) => value.split(','));
  if (wanted.some((value) => !/^[1-5]$/.test(value))) {
    return refuse(400, 'invalid_parameter', 'A rating is a whole number from 1 to 5.');
  }
  return rows.filter(({ rating }) => wanted.includes(String(rating)));
}

async function requestBody<T>(call: Call, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const parsed = v.safeParse(schema, await call.body());
  if (parsed.success) return parsed.output;
  const fields = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'body');
  return refuse(400, 'invalid_body', `Missing or of the wrong type: ${fields.join(', ')}.`);
}
