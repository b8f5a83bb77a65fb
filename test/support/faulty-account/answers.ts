import { broadcastById, contentOf, deliveriesAsOf, recipientsOf } from '../../../infra/local/sample-account/account.ts';
import type { EndpointAddress } from '../../../infra/local/sample-account/server.ts';
import { replyWith, ServiceReply, type ServiceAnswers } from '../service/answers.ts';
import type { Deviation } from './deviation.ts';
import { contentRows, recipientRows, plainId, type PlainRow, type Victims } from './meaning.ts';
import { writeBody, writeBroadcast, writeDelivery, writePage, writeRecipient } from './wire.ts';

/** The account that answers: the sample account as it is at `asOf`. */
export interface Place {
  asOf: string;
  victims: Victims;
  otherOrigin: string;
}

const paged: ReadonlySet<Deviation['paging']> = new Set([
  'link',
  'next',
  'links.next',
  'meta.next',
  'pagination.next',
  'empty pages',
]);

/**
 * What an address gives, in the account's own identifiers: `auth`, `refresh`, `deliveries`, `recipients <delivery>`,
 * `broadcast <id>`, `content <delivery> <content>`, `ratings <the same>`.
 */
export function thingAt(address: EndpointAddress, url: URL, { ids }: Deviation): string {
  const { endpoint, deliveryId, contentId, broadcastId } = address;
  if (endpoint === 'recipients') return `recipients ${plainId(deliveryId, ids)}`;
  if (endpoint === 'broadcast') return `broadcast ${plainId(broadcastId, ids)}`;
  if (endpoint !== 'content-recipients') return endpoint;
  return `${url.searchParams.has('rating') ? 'ratings' : 'content'} ${plainId(deliveryId, ids)} ${plainId(contentId, ids)}`;
}

/** The sample account's data as the deviation gives them. */
export function deviatingAnswers(deviation: Deviation, place: Place): ServiceAnswers {
  const id = (odd: string): string => plainId(odd, deviation.ids);
  const listAt = ({ pathname, searchParams }: URL): ListRequest => ({
    deviation,
    path: pathname,
    rating: searchParams.get('rating'),
    page: Number(searchParams.get('page') ?? 1),
  });
  return {
    deliveries: (url) => answerDeliveries(listAt(url), place),
    broadcast: (broadcastId) => answerBroadcast(id(broadcastId), deviation, place),
    recipients: (deliveryId, url) => answerRecipients(listAt(url), id(deliveryId), place),
    contentRecipients: (deliveryId, contentId, url) => answerContent(listAt(url), id(deliveryId), id(contentId), place),
  };
}

interface ListRequest {
  deviation: Deviation;
  path: string;
  rating: string | null;
  page: number;
}

function answerDeliveries(list: ListRequest, place: Place): ServiceReply {
  const rows = deliveriesAsOf(place.asOf);
  return answerPage(list, rows, false, place, (delivery) => writeDelivery(delivery, list.deviation));
}

function answerBroadcast(id: string, deviation: Deviation, { asOf }: Place): ServiceReply {
  return new ServiceReply(200, writeBody(writeBroadcast(known(broadcastById(id, asOf), id), deviation)));
}

function answerRecipients(list: ListRequest, id: string, place: Place): ServiceReply {
  const isVictim = id === place.victims.delivery;
  const rows = recipientRows(known(recipientsOf(id, place.asOf), id), isVictim, list.deviation);
  return answerRows(list, rows, isVictim, place);
}

function answerContent(list: ListRequest, id: string, content: string, place: Place): ServiceReply {
  const { deviation, rating } = list;
  const { asOf } = place;
  const ofDelivery = known(recipientsOf(id, asOf), id);
  const all = contentRows(known(contentOf(id, content, asOf), content).rows, ofDelivery.length, deviation);
  if (rating !== null && deviation.ratings === 'refused filter') return replyWith(400);
  const chosen =
    rating === null || deviation.ratings === 'ignored filter'
      ? all
      : all.filter((row) => String(row.rating) === rating);
  return answerRows(list, chosen, false, place);
}

function answerRows(list: ListRequest, rows: readonly PlainRow[], isVictim: boolean, place: Place): ServiceReply {
  // Rows that come thousands of times are written once.
  const written = new Map<PlainRow, unknown>();
  return answerPage(list, rows, isVictim, place, (row) => {
    const known = written.get(row) ?? writeRecipient(row, written.size, list.path, list.deviation);
    written.set(row, known);
    return known;
  });
}

/** A thing that the account must have, because the id came from it. */
function known<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined) throw new Error(`The sample account has no ${id}.`);
  return found;
}

function answerPage<Row>(
  { deviation, path, rating, page }: ListRequest,
  rows: readonly Row[],
  isVictim: boolean,
  { otherOrigin }: Place,
  write: (row: Row) => unknown,
): ServiceReply {
  const size = paged.has(deviation.paging) ? deviation.rowsOfPage : Math.max(1, rows.length);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const ofPage = rows.slice((page - 1) * size, page * size).map(write);
  const address = rating === null ? path : `${path}?rating=${rating}`;
  const { body, headers } = writePage(ofPage, { page, pages, address, otherOrigin, deviation, isVictim });
  return new ServiceReply(200, writeBody(body), headers);
}
