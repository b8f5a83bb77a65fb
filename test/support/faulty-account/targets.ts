import {
  broadcastById,
  contentRecipientsOf,
  deliveriesAsOf,
  recipientsOf,
} from '../../../infra/local/sample-account/account.ts';
import type { Deviation } from './deviation.ts';
import { contentRows, deliveryRows, plainId, type PlainRow, type Victims } from './meaning.ts';
import { writeBody, writeBroadcast, writeDelivery, writePage, writeRecipient } from './wire.ts';

/** The account that answers: the sample account as it is at `asOf`. */
export interface Place {
  asOf: string;
  victims: Victims;
  otherOrigin: string;
}

/** The thing that a request asks for, in the account's own identifiers, and its answer; the status is 200 by default. */
export interface Target {
  /** `deliveries`, `recipients <delivery>`, `broadcast <id>`, `content <delivery> <content>`, `ratings <the same>`. */
  thing: string;
  answer(place: Place): { text: string; headers: Record<string, string>; status?: number };
}

const paged: ReadonlySet<Deviation['paging']> = new Set([
  'link',
  'next',
  'links.next',
  'meta.next',
  'pagination.next',
  'empty pages',
]);

/** The target of a request; `null` where it is nothing of the interface. `url` is the path with its query. */
export function targetOf(method: string, url: string, deviation: Deviation): Target | null {
  const [path = '', query = ''] = url.split('?');
  if (method === 'POST' && path === '/v1/auth') return { thing: 'auth', answer: noList };
  if (method === 'POST' && path === '/v1/auth/refresh') return { thing: 'refresh', answer: noList };
  if (method !== 'GET') return null;
  const parameters = new URLSearchParams(query);
  const list: ListRequest = {
    deviation,
    path,
    rating: parameters.get('rating'),
    page: Number(parameters.get('page') ?? 1),
  };
  if (path === '/v1/broadcasts/deliveries')
    return { thing: 'deliveries', answer: (place) => answerDeliveries(list, place) };
  const [, delivery, content] =
    /^\/v1\/broadcasts\/deliveries\/([^/]+)(?:\/contents\/([^/]+))?\/recipients$/.exec(path) ?? [];
  const [, broadcast] = /^\/v1\/broadcasts\/([^/]+)$/.exec(path) ?? [];
  const id = (segment: string): string => plainId(decodeURIComponent(segment), deviation.ids);
  if (broadcast !== undefined) {
    const thing = `broadcast ${id(broadcast)}`;
    return { thing, answer: (place) => answerBroadcast(id(broadcast), deviation, place) };
  }
  if (delivery === undefined) return null;
  if (content === undefined) {
    return { thing: `recipients ${id(delivery)}`, answer: (place) => answerRecipients(list, id(delivery), place) };
  }
  return {
    thing: `${list.rating === null ? 'content' : 'ratings'} ${id(delivery)} ${id(content)}`,
    answer: (place) => answerContent(list, id(delivery), id(content), place),
  };
}

interface ListRequest {
  deviation: Deviation;
  path: string;
  rating: string | null;
  page: number;
}

type Answer = ReturnType<Target['answer']>;

/** Tokens are the authority's to give. */
function noList(): never {
  throw new Error('A request for tokens has no list for an answer.');
}

function answerDeliveries(list: ListRequest, place: Place): Answer {
  const rows = deliveriesAsOf(place.asOf);
  return answerPage(list, rows, false, place, (delivery) => writeDelivery(delivery, list.deviation));
}

function answerBroadcast(id: string, deviation: Deviation, { asOf }: Place): Answer {
  return { text: writeBody(writeBroadcast(known(broadcastById(id, asOf), id), deviation)), headers: {} };
}

function answerRecipients(list: ListRequest, id: string, place: Place): Answer {
  const isVictim = id === place.victims.delivery;
  const rows = deliveryRows(known(recipientsOf(id, place.asOf), id), isVictim, list.deviation);
  return answerRows(list, rows, isVictim, place);
}

function answerContent(list: ListRequest, id: string, content: string, place: Place): Answer {
  const { deviation, rating } = list;
  const { asOf } = place;
  const ofDelivery = known(recipientsOf(id, asOf), id);
  const all = contentRows(known(contentRecipientsOf(id, content, asOf), content), ofDelivery.length, deviation);
  if (rating !== null && deviation.ratings === 'refused filter') return { text: '{}', headers: {}, status: 400 };
  const chosen =
    rating === null || deviation.ratings === 'ignored filter'
      ? all
      : all.filter((row) => String(row.rating) === rating);
  return answerRows(list, chosen, false, place);
}

function answerRows(list: ListRequest, rows: readonly PlainRow[], isVictim: boolean, place: Place): Answer {
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
): Answer {
  const size = paged.has(deviation.paging) ? deviation.rowsOfPage : Math.max(1, rows.length);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const ofPage = rows.slice((page - 1) * size, page * size).map(write);
  const address = rating === null ? path : `${path}?rating=${rating}`;
  const { body, headers } = writePage(ofPage, { page, pages, address, otherOrigin, deviation, isVictim });
  return { text: writeBody(body), headers };
}
