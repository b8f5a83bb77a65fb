import { firstMomentMs, type BroadcastFacts, type ContentFacts, type DeliveryFacts } from '../../domain/facts.ts';
import { dayMs } from '../../domain/period.ts';
import { isGoneForGood, type Unavailable } from '../../domain/reasons.ts';
import { isWantedStatus } from '../../domain/report-filter.ts';
import { byDocument, putFacts, readFactsOf } from '../../ledger/facts.ts';
import { batchesOfWork, knownDeliveries, type Followed } from '../../ledger/observations.ts';
import type { Table } from '../../ledger/table.ts';
import type { ReportingService } from '../../reporting-service/client.ts';
import type { Tally } from '../../reporting-service/coverage.ts';
import { readDate } from '../../reporting-service/dates.ts';
import type { ListPages } from '../../reporting-service/lists/pages.ts';
import { OutOfTimeError, UnavailableError } from '../../reporting-service/requests/request.ts';
import type { ObserveRequest } from '../protocol.ts';
import { createRatingCollector, type RatingCollector } from '../ratings.ts';
import { areSame, readListFacts, toleratedMs, type ReadList } from './list-facts.ts';
import { knownOf } from './followed-batches.ts';

/** Content items are read, and a delivery of a status that is not wanted, while its first listing is no older. */
const youngMs = 14 * dayMs;
/** Nobody saw a delivery so long before the last whole list that did not have it: a clock is wrong. */
const unlistedToleratedMs = 3 * dayMs;

/** Deliveries under way for each request in flight: while some wait before a retry, others take their place. */
const itemsPerRequest = 4;

interface Options {
  service: ReportingService;
  tally: Tally;
  table: Table;
  /** In milliseconds of `performance.now()`: from then on no delivery is begun. */
  beginUntil: number;
  now: Date;
}

/** What the deliveries of a batch are read with. */
interface Context extends Pick<Options, 'service' | 'tally'>, Omit<ObserveRequest, 'service'> {
  collectRatings: RatingCollector;
  broadcastOf: (facts: BroadcastFacts) => Promise<BroadcastFacts>;
}

/**
 * Reads what this observation has not read yet of the deliveries of a batch, each whole, and writes their facts. Gives how many it
 * read, and whether none is left: a worker has a time limit.
 */
export async function readBatch(request: ObserveRequest, options: Options) {
  const { service, tally, table, beginUntil, now } = options;
  const { account, atMs } = request;
  const work = await batchesOfWork.read(table, request, request.batch);
  if (work === null) throw new Error('The ledger lacks a batch of an observation that is under way.');
  const { deliveries, unlistedMs } = work;
  const documents = byDocument(account, deliveries);
  const facts = new Map<string, DeliveryFacts>();
  for (const [key, group] of documents) {
    const known = new Map((await readFactsOf(table, key)).map((delivery) => [delivery.id, delivery]));
    for (const delivery of group) {
      const listed = listedNow(known.get(delivery.id), delivery, { atMs, unlistedMs });
      if (listed !== null) facts.set(delivery.id, listed);
    }
  }
  const broadcastOf = broadcastsOf([...facts.values()], request, options);
  const collectRatings = createRatingCollector(request.service.ratingFilter, tally);
  const context: Context = { ...request, service, tally, collectRatings, broadcastOf };
  const due = [...facts.values()].filter((delivery) => isToBeRead(delivery, request));
  const width = request.service.concurrency * itemsPerRequest;
  const { done: read, isDone } = await workWithin(due, { width, deadline: beginUntil }, async (delivery) => {
    facts.set(delivery.id, await readDelivery(delivery, context));
  });
  nameFields([...facts.values()], atMs);
  for (const [key, group] of documents) {
    const ofGroup = group.flatMap(({ id }) => facts.get(id) ?? []);
    if (ofGroup.length > 0) await putFacts(table, { ...key, now }, ofGroup);
  }
  const known = deliveries.flatMap((followed) => {
    const delivery = facts.get(followed.id);
    return delivery === undefined ? [] : [knownOf(delivery, followed)];
  });
  await knownDeliveries.put(table, { ...request, now }, known, request.batch);
  return { read, isDone };
}

/**
 * Notes in lists whose rows lack a date's field that this observation read it elsewhere: later ones read those lists again, and
 * these facts may be all that is left of it.
 */
function nameFields(facts: readonly DeliveryFacts[], atMs: number): void {
  const lists = facts.flatMap(({ list, contents }) => [list, ...contents.map((content) => content.list)]);
  const read = lists.filter((list) => list?.readMs === atMs);
  const areNamed = (['seenAt', 'respondedAt'] as const).every((field) =>
    read.some((list) => list !== null && list.listed > (list.lacking?.[field] ?? 0)),
  );
  if (!areNamed) return;
  for (const list of read) if (list?.lacking !== undefined) list.lacking.areNamed = true;
}

/** Facts with what the list says now; `null` of what has left it and has none. What is first is written once. */
function listedNow(
  known: DeliveryFacts | undefined,
  { id, listed }: Followed,
  { atMs, unlistedMs }: { atMs: number; unlistedMs: number | null },
): DeliveryFacts | null {
  if (listed === null) return known ?? null;
  const { broadcast, status } = listed;
  const unknown = { createdMs: null, createdBy: null, contents: null };
  const never = { firstSign: null, list: null, contents: [] };
  const listing = { statuses: [], status, firstListedMs: atMs, lastListedMs: atMs, unlistedMs };
  const before: DeliveryFacts = known ?? { id, broadcast: { ...broadcast, ...unknown }, ...listing, ...never };
  const isNew = before.statuses.every((one) => one.status !== status);
  const name = broadcast.name ?? before.broadcast.name;
  return {
    ...before,
    broadcast: { ...before.broadcast, id: before.broadcast.id || broadcast.id, name },
    statuses: isNew ? [...before.statuses, { status, firstListedMs: atMs }] : before.statuses,
    status,
    lastListedMs: Math.max(atMs, before.lastListedMs),
  };
}

/** Whether this observation has to read a delivery. Silence is told of wanted ones alone: of the others less is read. */
function isToBeRead(delivery: DeliveryFacts, { atMs, statuses }: ObserveRequest): boolean {
  if ((delivery.askedMs ?? 0) >= atMs) return false;
  const wasWanted = delivery.statuses.some(({ status }) => isWantedStatus(status, { statuses }));
  return wasWanted || delivery.firstSign !== null || atMs - delivery.firstListedMs <= youngMs;
}

/** Asks for each broadcast that is not known yet, once. One that is gone is not asked for again. */
function broadcastsOf(deliveries: readonly DeliveryFacts[], request: ObserveRequest, { service }: Options) {
  const { atMs, timeZone, isLastTry } = request;
  const asked = new Map<string, Promise<BroadcastFacts>>();
  for (const { broadcast } of deliveries)
    if (broadcast.contents !== null) asked.set(broadcast.id, Promise.resolve(broadcast));
  const ask = async (before: BroadcastFacts): Promise<BroadcastFacts> => {
    const { id, unread } = before;
    if (unread !== undefined && isGoneForGood(unread)) return before;
    const read = await orUnavailable(() => service.broadcast(id), isLastTry);
    if ('reason' in read) return { ...before, unread: { sinceMs: unread?.sinceMs ?? atMs, ...read } };
    const { instant } = readDate(read.createdAt, timeZone);
    const isWrong = instant !== null && instant > atMs + toleratedMs;
    const { name, createdBy, contents } = read;
    return { id, name, createdMs: isWrong ? null : instant, createdBy, contents };
  };
  return async (before: BroadcastFacts): Promise<BroadcastFacts> => {
    const { id } = before;
    if (id === '') return before;
    const asking = asked.get(id) ?? ask(before);
    asked.set(id, asking);
    const read = await asking;
    return { ...read, name: before.name ?? read.name };
  };
}

/** A delivery with its own list and those of its content items, as far as they are due. */
async function readDelivery(before: DeliveryFacts, context: Context): Promise<DeliveryFacts> {
  const { service, atMs, stepMinutes, isLastTry } = context;
  const broadcast = await context.broadcastOf(before.broadcast);
  const signsFrom = before.unlistedMs === null ? -Infinity : before.unlistedMs - unlistedToleratedMs;
  const within = { timeZone: context.timeZone, createdAt: broadcast.createdMs, readAt: atMs, signsFrom, stepMinutes };
  const count = (pages: ListPages): Promise<ReadList> => readListFacts(pages, within, context.tally);
  const { unread, ...known } = before;
  const own = await orUnavailable(() => count(service.recipients(before.id)), isLastTry);
  const isRead = !('reason' in own);
  const list = isRead ? own.facts : before.list;
  const areDue = atMs - before.firstListedMs <= youngMs || (isRead && !areSame(before.list, list));
  const contents = (broadcast.contents ?? []).map(async (content) => {
    const last = before.contents.find(({ id }) => id === content.id) ?? { id: content.id, list: null };
    const wasRead = last.list !== null && last.unread === undefined;
    if (!areDue && (wasRead || (last.unread && isGoneForGood(last.unread)))) return last;
    return await readContent(last, before.id, content.type, { ...context, count });
  });
  const signMs = isRead ? firstMomentMs(own.facts.moments) : null;
  return {
    ...known,
    broadcast,
    firstSign: before.firstSign ?? (signMs === null ? null : { atMs: signMs, readMs: atMs }),
    askedMs: atMs,
    list,
    ...(isRead ? {} : { unread: { sinceMs: unread?.sinceMs ?? atMs, ...own } }),
    contents: await Promise.all(contents),
  };
}

/** A content item of a delivery with its list, and the ratings in that. */
export async function readContent(
  { id, list, unread }: ContentFacts,
  delivery: string,
  type: string,
  context: Pick<Context, 'service' | 'atMs' | 'isLastTry' | 'collectRatings'> & {
    count: (pages: ListPages) => Promise<ReadList>;
  },
): Promise<ContentFacts> {
  const { service, atMs, count } = context;
  const read = await orUnavailable(async () => {
    const all = await count(service.contentRecipients(delivery, id));
    const { ratingsUnavailable, ...ratings } = await context.collectRatings(all, type, (filter) =>
      count(service.contentRecipients(delivery, id, filter)),
    );
    return { list: { ...all.facts, ...ratings }, ...(ratingsUnavailable && { ratingsUnavailable }) };
  }, context.isLastTry);
  return 'reason' in read ? { id, list, unread: { sinceMs: unread?.sinceMs ?? atMs, ...read } } : { id, ...read };
}

/** What is read, or why it is unavailable; so it is where a worker's time is up at the last try. */
export async function orUnavailable<T extends object>(
  read: () => Promise<T>,
  isLastTry: boolean,
): Promise<T | Unavailable> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnavailableError) return error.unavailable;
    if (isLastTry && error instanceof OutOfTimeError) return { reason: 'failed' };
    // An absurd answer makes the language throw. What the ledger, secrets and credentials throw has classes of its own, and ends all.
    if (error instanceof RangeError || error instanceof TypeError) return { reason: 'unreadable' };
    throw error;
  }
}

/**
 * Works through items, `width` at a time, and begins no further one after `deadline` (milliseconds of `performance.now()`). Gives how
 * many were done, and whether all were: a worker has a time limit, and what it did not begin, or an `OutOfTimeError` interrupted, is
 * left to another one. The first is always begun, since without any progress there would be workers without end.
 */
export async function workWithin<Item>(
  items: readonly Item[],
  { width, deadline }: { width: number; deadline: number },
  work: (item: Item) => Promise<void>,
): Promise<{ done: number; isDone: boolean }> {
  const left = items.values();
  let [begun, done] = [0, 0];
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (begun > 0 && performance.now() >= deadline) return;
      begun += 1;
      try {
        await work(item);
        done += 1;
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return { done, isDone: done === items.length };
}
