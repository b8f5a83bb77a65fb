import { isSet } from '../oracle/dates.ts';
import { notAnAddress, ServiceReply, type ServiceAnswers } from '../service/answers.ts';
import { hiddenRating, pagesOf, rowsOfList } from './account.ts';
import type { Account, AccountDelivery, InPages, ListAnswer, RecipientRow } from './account.ts';

/** What each address answers for one account after the other: a run begins with the list, which it asks for once. */
export function answersInTurn(accounts: readonly Account[]): ServiceAnswers {
  let runs = 0;
  const answers = answersOf(() => {
    const account = accounts[runs - 1];
    if (account === undefined) throw new Error(`The list was asked for ${runs} times in ${accounts.length} runs.`);
    return account;
  });
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
    const index = indexes.get(account) ?? new Map(account.deliveries.map((delivery) => [delivery.id, delivery]));
    indexes.set(account, index);
    return index.get(id);
  };
  return {
    deliveries: (url) => {
      const account = now();
      return 'status' in account.list ? reply(account.list.status, {}) : pageOf(rowsOfList(account), account.list, url);
    },
    broadcast: (id) => answerBroadcast(now(), id),
    recipients: (id, url) => answerList(deliveryOf(id)?.recipients, url),
    contentRecipients: (id, contentId, url) => {
      const delivery = deliveryOf(id);
      return delivery === undefined ? notAnAddress : answerContent(now(), delivery, contentId, url);
    },
  };
}

function reply(status: number, body: unknown, headers?: Record<string, string>): ServiceReply {
  return new ServiceReply(status, JSON.stringify(body), headers);
}

function answerBroadcast({ broadcasts }: Account, id: string): ServiceReply {
  const broadcast = broadcasts.find((candidate) => candidate.id === id);
  if (broadcast === undefined) return notAnAddress;
  const { header, items, status } = broadcast;
  return status === undefined ? reply(200, { broadcast: { id, ...header }, contents: items }) : reply(status, {});
}

function answerContent(account: Account, { broadcast, contents }: AccountDelivery, id: string, url: URL): ServiceReply {
  const items = account.broadcasts[broadcast]?.items ?? [];
  const place = items.findIndex((item) => item.id === id);
  const list = contents[place];
  const rating = url.searchParams.get('rating');
  if (list === undefined || rating === null) return answerList(list, url);
  const isAnswered = account.ratingFilter === 'honest' && /rating/i.test(items[place]?.type ?? '');
  if (!isAnswered || !('rows' in list)) return reply(400, {});
  return pageOf(ratedWith(rating, list.rows), { ...list, pageSize: Infinity, isCutOff: false }, url);
}

/** The rows of those who responded with a rating. */
export function ratedWith(rating: string, rows: readonly RecipientRow[]): RecipientRow[] {
  return rows.filter(({ respondedAt }, place) => isSet(respondedAt) && hiddenRating(place) === rating);
}

function answerList(list: ListAnswer | undefined, url: URL): ServiceReply {
  if (list === undefined) return notAnAddress;
  return 'status' in list ? reply(list.status, {}) : pageOf(list.rows, list, url);
}

function pageOf(allRows: readonly object[], form: InPages, url: URL): ServiceReply {
  const { wrapper, isCutOff = false } = form;
  const pages = pagesOf(allRows, form);
  const number = Number(url.searchParams.get('page') ?? '1');
  const rows = pages[number - 1];
  if (rows === undefined) return notAnAddress;
  const next = new URL(url);
  next.searchParams.set('page', String(number + 1));
  const isLast = number === pages.length;
  const total = isLast && isCutOff ? { 'x-total-count': String(allRows.length + 3) } : undefined;
  if (wrapper === null) return reply(200, rows, isLast ? total : { link: `<${next.href}>; rel="next"` });
  return reply(200, { ...(isLast ? {} : { meta: { next: next.href } }), [wrapper]: rows }, total);
}
