import { notAnAddress, ServiceReply, type ServiceAnswers } from '../service/answers.ts';
import { dayOf, listAt, rowsAt, type Account, type Delivered, type Fault, type Form, type Row } from './account.ts';

/** What a list's address answered: all rows, a part of them, or a status. */
type Listed<T> = number | { rows: readonly T[]; isWhole: boolean };

/** What was answered at one instant, by what was asked for. */
export interface Answered {
  atMs: number;
  list: Listed<{ id: string; status: string }>;
  rows: Map<string, Listed<Row>>;
  /** How often each address was asked for. */
  asked: Map<string, number>;
}

/** The answers of an account at an instant, and what of it was asked for. */
export function serve(account: Account, atMs: number): { answers: ServiceAnswers; answered: Answered } {
  const { form, faults, sent } = account;
  const answered: Answered = { atMs, list: 404, rows: new Map(), asked: new Map() };
  const ask = (url: URL): void => void answered.asked.set(url.href, (answered.asked.get(url.href) ?? 0) + 1);
  const faultAt = (place: string): Fault['answer'] | undefined =>
    faults.find(({ at, fromMs, untilMs }) => at === place && fromMs <= atMs && untilMs > atMs)?.answer;

  /** What is answered of a list, and whether that is all. */
  const listed = <T>(place: string, rows: readonly T[]): Listed<T> => {
    const fault = faultAt(place);
    if (typeof fault === 'number') return fault;
    if (fault === 'cut') return { rows: rows.slice(0, Math.ceil(rows.length / 2)), isWhole: false };
    return { rows: fault === 'empty' ? [] : rows, isWhole: true };
  };
  const reply = <T>(answer: Listed<T>, write: (row: T, place: number) => object, url: URL): unknown =>
    typeof answer === 'number' ? answer : pageOf(answer.rows.map(write), { ...form, isCut: !answer.isWhole }, url);
  const answerRows = (place: string, rows: readonly Row[], url: URL): unknown => {
    const answer = listed(place, rows);
    answered.rows.set(place, answer);
    return reply(answer, (row, id) => ({ id, ...writeRow(row, form) }), url);
  };
  const deliveryOf = (id: string): Delivered | undefined => sent.find((delivery) => delivery.id === id);
  const writeDelivery = ({ id, status }: { id: string; status: string }): object => {
    const { name, broadcast = `b-${id}` } = deliveryOf(id) ?? {};
    return { delivery: { id, broadcast: { id: broadcast, name }, status } };
  };
  const answers: ServiceAnswers = {
    deliveries: (url) => {
      ask(url);
      answered.list = listed('list', listAt(account, atMs));
      return reply(answered.list, writeDelivery, url);
    },
    broadcast: (id, url) => {
      ask(url);
      const delivery = sent.find((one) => (one.broadcast ?? `b-${one.id}`) === id);
      if (delivery === undefined) return notAnAddress;
      const fault = faultAt(`broadcast ${id}`);
      if (typeof fault === 'number') return fault;
      const { name, createdMs, author = 'Ada Byron', items } = delivery;
      const at = createdMs === undefined ? undefined : new Date(createdMs).toISOString();
      return { broadcast: { id, name, created: { by: { firstName: author ?? undefined }, at } }, contents: items };
    },
    recipients: (id, url) => {
      ask(url);
      const delivery = deliveryOf(id);
      return delivery === undefined ? notAnAddress : answerRows(id, rowsAt(delivery, form, atMs), url);
    },
    contentRecipients: (id, item, url) => {
      ask(url);
      const delivery = deliveryOf(id);
      const type = delivery?.items.find((one) => one.id === item)?.type;
      if (delivery === undefined || type === undefined) return notAnAddress;
      const rows = rowsAt(delivery, form, atMs, true);
      const rating = url.searchParams.get('rating');
      if (rating === null) return answerRows(`${id}/${item}`, rows, url);
      const rated = rows.filter((row) => String(row.rating) === rating);
      return form.ratings === 'filter' ? rated.map((row) => writeRow(row, form)) : 400;
    },
  };
  return { answers, answered };
}

function writeRow({ seenAtMs, respondedAtMs, rating }: Row, form: Form): object {
  const row = { seenAt: writeDate(seenAtMs, form), respondedAt: writeDate(respondedAtMs, form) };
  const fields = form.areSparse ? Object.entries(row).filter(([, date]) => date !== null) : Object.entries(row);
  return Object.fromEntries(
    rating === undefined || form.ratings === 'filter' ? fields : [...fields, ['rating', rating]],
  );
}

/** A date that nobody can read: which of its numbers is the month is not said. */
const unreadable = '10/11/2026 10:00';

function writeDate(at: Row['seenAtMs'], { dates, timeZone }: Form): unknown {
  if (at === null || at === '?') return at && unreadable;
  if (dates === 'seconds') return Math.floor(at / 1_000);
  if (dates === 'days') return dayOf(at, timeZone).date;
  const offsetMs = dates === 'with offset' ? 5.5 * 3_600_000 : 0;
  return new Date(at + offsetMs).toISOString().replace('Z', dates === 'with offset' ? '+05:30' : 'Z');
}

function pageOf(all: readonly object[], form: Pick<Form, 'pageSize' | 'wrapper'> & { isCut: boolean }, url: URL) {
  const { pageSize, wrapper, isCut } = form;
  const page = Number(url.searchParams.get('page') ?? '1');
  const rows = all.slice((page - 1) * pageSize || 0, page * pageSize);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const isLast = page * pageSize >= all.length;
  const total: Record<string, string> = isLast && isCut ? { 'x-total-count': String(all.length + 3) } : {};
  const link: Record<string, string> = isLast || wrapper !== null ? {} : { link: `<${next.href}>; rel="next"` };
  const body = wrapper === null ? rows : { ...(isLast ? {} : { meta: { next: next.href } }), [wrapper]: rows };
  return new ServiceReply(200, JSON.stringify(body), { ...total, ...link });
}
