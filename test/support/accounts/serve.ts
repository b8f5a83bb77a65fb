import { notAnAddress, ServiceReply, type ServiceAnswers } from '../service/answers.ts';
import {
  broadcastBody,
  rowsOfList,
  hiddenRating,
  recipientOf,
  writeJson,
  type Account,
  type AccountDelivery,
  type FilterAnswer,
  type ListAnswer,
  type ListInPages,
} from './account.ts';
import { isSet } from './dates.ts';
import { endingOf, pagesOf, repeating, ways, type Said } from './paging.ts';

/** What each address answers for one account after the other: a run begins with the list, which it asks for once. */
export function answersInTurn(accounts: readonly Account[]): ServiceAnswers {
  let runs = 0;
  const now = (): Account => {
    const account = accounts[runs - 1];
    if (account === undefined) throw new Error(`The list was asked for ${runs} times in ${accounts.length} runs.`);
    return account;
  };
  const answers = answersOf(now);
  return {
    ...answers,
    deliveries: (url) => {
      if (!url.searchParams.has('page')) runs += 1;
      return answers.deliveries(url);
    },
  };
}

/** What each address answers for the account that there is now. */
export function answersOf(now: () => Account): ServiceAnswers {
  const indexes = new WeakMap<Account, Map<string, AccountDelivery>>();
  const deliveryOf = (id: string): AccountDelivery | undefined => {
    const account = now();
    // The first of two with one id.
    const index = indexes.get(account) ?? new Map(account.deliveries.toReversed().map((each) => [each.id.text, each]));
    indexes.set(account, index);
    return index.get(id);
  };
  return {
    deliveries: (url) => answerDeliveries(now(), url),
    broadcast: (id) => answerBroadcast(now(), id),
    recipients: (id, url) => {
      const delivery = deliveryOf(id);
      return delivery === undefined ? notAnAddress : answerList(delivery.recipients, url);
    },
    contentRecipients: (id, contentId, url) => {
      const delivery = deliveryOf(id);
      return delivery === undefined ? notAnAddress : answerContent(now(), delivery, contentId, url);
    },
  };
}

function reply(status: number, body: unknown, headers?: Record<string, string>): ServiceReply {
  return new ServiceReply(status, writeJson(body), headers);
}

function answerDeliveries(account: Account, url: URL): ServiceReply {
  const { list } = account;
  return answerList('wrapper' in list ? { ...list, rows: rowsOfList(account) } : list, url);
}

function answerBroadcast({ broadcasts }: Account, id: string): ServiceReply {
  const broadcast = broadcasts.find((one) => one.id.text === id);
  if (broadcast === undefined) return notAnAddress;
  const { answer: given } = broadcast;
  if (given !== 'whole' && 'status' in given) return reply(given.status, {});
  return reply(200, broadcastBody(broadcast));
}

function answerContent(account: Account, delivery: AccountDelivery, id: string, url: URL): ServiceReply {
  const items = account.broadcasts[delivery.of]?.items ?? [];
  const place = items.findIndex((item) => item.id.text === id);
  const list = delivery.contents[place];
  if (list === undefined) return notAnAddress;
  const rating = url.searchParams.get('rating');
  if (rating === null) return answerList(list, url);
  const isRating = /rating/i.test(String(items[place]?.type));
  const filter = isRating ? account.ratingFilter : 'refused';
  if (filter === 'refused' || !('rows' in list)) return reply(400, {});
  if (filter === 'forbidden') return reply(403, {});
  return pageOf(list, filter === 'ignored' ? list.rows : ratedWith(rating, list.rows, filter), {});
}

/** The rows of those who responded with a rating. */
export function ratedWith(rating: string, rows: readonly unknown[], filter: FilterAnswer): unknown[] {
  const responded = [...rows.entries()].filter(([, row]) => isSet(recipientOf(row)['respondedAt']));
  const given = responded.filter(([place]) => hiddenRating(place, filter) === rating).map(([, row]) => row);
  return filter === 'one more' && rating === '1' ? [...given, ...responded.slice(0, 1).map(([, row]) => row)] : given;
}

function answerList(list: ListAnswer, url: URL): ServiceReply {
  if ('status' in list) return reply(list.status, {});
  if ('body' in list) {
    return reply(200, list.body, list.contentType === undefined ? {} : { 'content-type': list.contentType });
  }
  const pages = pagesOf(list);
  const asked = Number(url.searchParams.get('page') ?? '1');
  const number = list.ending === repeating && asked > pages.length ? 1 : asked;
  const rows = pages[number - 1];
  const { means, say } = endingOf(list);
  if (rows === undefined) {
    if (typeof means !== 'object') return notAnAddress;
    return 'status' in means ? reply(means.status, {}) : reply(200, means.body);
  }
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

function pageOf(
  { wrapper }: ListInPages,
  rows: readonly unknown[],
  { body, headers = {}, status = 200 }: Said,
): ServiceReply {
  return reply(status, wrapper === null ? rows : { ...body, [wrapper]: rows }, headers);
}
