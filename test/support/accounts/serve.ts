import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  broadcastBody,
  deliveryRows,
  hiddenRating,
  writeJson,
  type Account,
  type AccountDelivery,
  type FilterAnswer,
  type ListAnswer,
  type ListInPages,
} from './account.ts';
import { isSet } from './dates.ts';
import { endingOf, pagesOf, ways, type Said } from './paging.ts';

/** One server for many accounts, each below a path of its own. */
export interface AccountServer {
  /** Answers as this account from now on; gives its base address, and what ends it. */
  open(account: Account): { url: string; close(): void };
  close(): Promise<void>;
}

interface Response {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export async function serveAccounts(): Promise<AccountServer> {
  const accounts = new Map<string, Account>();
  let opened = 0;
  const server = createServer((request, response) => {
    request.resume();
    const { status, headers, body } = answer(accounts, request, base());
    respond(response, status, headers, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = (): string => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return `http://127.0.0.1:${address.port}`;
  };
  return {
    open: (account) => {
      opened += 1;
      const name = `case-${opened}`;
      accounts.set(name, account);
      return { url: `${base()}/${name}`, close: () => void accounts.delete(name) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, status: number, headers: Record<string, string> = {}, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(writeJson(body));
}

const nothing: Response = { status: 418, body: { error: 'not an address of the service' } };

function answer(accounts: ReadonlyMap<string, Account>, request: IncomingMessage, base: string): Response {
  const url = new URL(request.url ?? '/', base);
  const [, name = '', version, ...path] = url.pathname.split('/').map(decodeURIComponent);
  const account = accounts.get(name);
  if (account === undefined || version !== 'v1') return nothing;
  if (path[0] === 'auth') return { status: 200, body: { token: 'access', refresh_token: 'refresh' } };
  if (request.headers.authorization !== 'Bearer access') return { status: 401, body: {} };
  const [collection, first, delivery = '', kind, content = '', last] = path;
  if (collection !== 'broadcasts') return nothing;
  if (first !== 'deliveries') return path.length === 2 ? answerBroadcast(account, first ?? '') : nothing;
  if (path.length === 2) return answerDeliveries(account, url);
  const found = account.deliveries.find(({ id }) => id.text === delivery);
  if (found === undefined) return nothing;
  if (kind === 'recipients' && path.length === 4) return answerList(found.recipients, url);
  return kind === 'contents' && last === 'recipients' ? answerContent(account, found, content, url) : nothing;
}

function answerDeliveries(account: Account, url: URL): Response {
  const { list } = account;
  return answerList('wrapper' in list ? { ...list, rows: deliveryRows(account) } : list, url);
}

function answerBroadcast({ broadcasts }: Account, id: string): Response {
  const broadcast = broadcasts.find((one) => one.id.text === id);
  if (broadcast === undefined) return nothing;
  const { answer: given } = broadcast;
  if (given !== 'whole' && 'status' in given) return { status: given.status, body: {} };
  return { status: 200, body: broadcastBody(broadcast) };
}

function answerContent({ broadcasts }: Account, delivery: AccountDelivery, id: string, url: URL): Response {
  const items = broadcasts[delivery.of]?.items ?? [];
  const place = items.findIndex((item) => item.id.text === id);
  const content = delivery.contents[place];
  if (content === undefined) return nothing;
  const rating = url.searchParams.get('rating');
  if (rating === null) return answerList(content.list, url);
  const { list } = content;
  const filter = filterOf(items[place]?.type, content);
  if (filter === 'refused' || !('rows' in list)) return { status: 400, body: {} };
  if (filter === 'forbidden') return { status: 403, body: {} };
  return { status: 200, body: filter === 'ignored' ? list.rows : ratedWith(rating, list.rows) };
}

/** How an item answers the rating filter, which is only for items of a rating. */
export function filterOf(type: unknown, content: AccountDelivery['contents'][number] | undefined): FilterAnswer {
  return typeof type === 'string' && /rating/i.test(type) ? (content?.filter ?? 'refused') : 'refused';
}

/** The rows of those who responded with a rating. */
export function ratedWith(rating: string, rows: readonly unknown[]): unknown[] {
  return rows.filter((row, place) => {
    const { recipient = row } = Object(row);
    return isSet(Object(recipient).respondedAt) && hiddenRating(place) === rating;
  });
}

function answerList(list: ListAnswer, url: URL): Response {
  if ('status' in list) return { status: list.status, body: {} };
  if ('body' in list) return { status: 200, body: list.body };
  const pages = pagesOf(list);
  const number = Number(url.searchParams.get('page') ?? '1');
  const rows = pages[number - 1];
  const { means, say } = endingOf(list);
  if (rows === undefined) return typeof means === 'object' ? { status: 200, body: {}, ...means } : nothing;
  const next = new URL(url);
  next.searchParams.set('page', String(number + 1));
  const isLast = number === pages.length;
  const said = isLast
    ? say({ got: list.rows.length, self: url.href, next: next.href })
    : wayOf(list)(next.href, list.rows.length);
  return pageOf(list, rows, said);
}

function wayOf({ way, wrapper }: ListInPages): (next: string, total: number) => Said {
  const linked = ways['Link header'] ?? (() => ({}));
  return wrapper === null ? linked : (ways[way] ?? linked);
}

function pageOf({ wrapper }: ListInPages, rows: unknown[], { body, headers = {}, status = 200 }: Said): Response {
  return { status, headers, body: wrapper === null ? rows : { ...body, [wrapper]: rows } };
}
