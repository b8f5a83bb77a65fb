import { InvokeError, withRetry, type DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import * as protocol from '../../collect/protocol.ts';
import * as ledger from '../../ledger/observations.ts';
import { mergeCoverage, type Coverage } from '../../reporting-service/coverage.ts';
import type { Dependencies } from '../dependencies.ts';
import { step } from '../step.ts';
import { CodedError, deathOf, failureOf, mostDeaths, type Failure } from '../../domain/failures.ts';
import { leaseUntil, settingsOf, takeTurn, type Need, type Observation, type ShareOptions, type Turn } from './turn.ts';
import { accountOf } from '../../domain/configuration/account.ts';
import { hourMs, dayMs } from '../../domain/period.ts';
import { readReport } from '../../ledger/reports.ts';
import { areForgotten } from '../../ledger/facts.ts';

type Options = ShareOptions & Pick<Dependencies, 'collectFunctionName'>;
type Own = Extract<Turn, { is: 'own' }>;
type Part = Pick<protocol.ObserveRequest, 'phase' | 'batch' | 'isLastTry'>;
type MakeOptions = Options & { turns: number };
/** Changes the account's current observation, where it is still this execution's. Whether it is. */
type Change = (set: Partial<ledger.CurrentObservation>) => Promise<boolean>;

const shortestWaitSeconds = 5;
const longestWaitSeconds = 60;

/**
 * An observation that will do: the newest, where all that is needed was read after its end; that of others who are at it; or one
 * that is made now. Facts and the closing document stay in the ledger, and only its name is returned. Throws a `CodedError` with the
 * worker's reason where nothing can be read, as it does for all who wait for it.
 */
export async function observe(context: DurableContext, need: Need, options: Options): Promise<Observation> {
  const owner = context.executionContext.durableExecutionArn;
  let joined: string | null = null;
  for (let turns = 0; ; turns += 1) {
    const turn = await step(context, `observation ${turns}`, () => takeTurn(need, { ...options, owner, joined }));
    if (turn.is === 'closed') return turn;
    if (turn.is === 'own') {
      if (await make(context, turn, { ...options, turns })) return turn;
      continue;
    }
    joined = turn.observation;
    const seconds = Math.min(longestWaitSeconds, shortestWaitSeconds * 2 ** turns);
    await context.wait(`wait for the observation, ${turns}`, { seconds });
  }
}

/** The most deliveries that an observation follows: what is known of them is held at once. */
const mostDeliveries = 50_000;

/** Makes an observation, or the rest of one that was taken over. Whether it did: another one may have taken it over meanwhile. */
async function make(context: DurableContext, own: Own, options: MakeOptions): Promise<boolean> {
  const { table, turns } = options;
  // The account's current observation, as its owner knows it.
  const seen = { id: own.observation, owner: context.executionContext.durableExecutionArn, state: 'open' } as const;
  const change: Change = (set) => ledger.changeCurrent(table, own.account, seen, set);
  const collect = collectorOf(context, own, options);
  try {
    const list: Part = { phase: 'list', batch: 0, isLastTry: false };
    const { deliveries, batches } = await collect('list', list, protocol.plannedResponseSchema);
    if (deliveries > mostDeliveries)
      throw new CodedError(
        'account-too-large',
        `The service lists ${deliveries} deliveries, and an observation follows ${mostDeliveries} at most: nothing more was read. ` +
          'Choose fewer with "service.deliveries.query".',
      );
    for (let batch = 0; batch < batches; batch += 1) {
      let last = { read: 1, isDone: false };
      for (let workers = 0; !last.isDone; workers += 1) {
        const name = `batch ${batch}${workers === 0 ? '' : `, worker ${workers}`}`;
        const keepLease = () => change({ leaseMs: leaseUntil(Temporal.Now.instant().epochMilliseconds) });
        if (!(await step(context, `keep ${name}, ${turns}`, keepLease))) return false;
        // What no worker has time for, although it has nothing else to do, no other one has either.
        last = await collect(name, { phase: 'read', batch, isLastTry: last.read === 0 }, protocol.readResponseSchema);
      }
    }
    return await step(context, `close the observation, ${turns}`, () => close(own, options, change));
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const failure = { code: error.name, message: error.message };
    await step(context, `fail the observation, ${turns}`, () => change({ state: 'failed', failure }));
    throw error;
  }
}

/**
 * What invokes the worker, under a name in the durable history, and reads its response; an invocation that fails, by a crash or a
 * time-out, is tried again until it has failed five times. A reason why nothing can be collected is a response and not a failed
 * invocation, since of the latter the engine hands on only the message. Throws a `CodedError` with that reason, or of the deaths.
 */
function collectorOf(context: DurableContext, own: Own, { configuration, collectFunctionName, turns }: MakeOptions) {
  const { account, observation, atMs, before } = own;
  const settings = settingsOf(configuration, Temporal.Instant.fromEpochMilliseconds(atMs));
  return async <Response>(work: string, part: Part, schema: v.GenericSchema<unknown, Response>): Promise<Response> => {
    const name = `${work}, ${turns}`;
    const request = { account, observation, atMs, before, ...settings, ...part };
    const invoke = (ctx: DurableContext) => ctx.invoke<object, unknown>(name, collectFunctionName, request);
    const response = await withRetry(context, name, invoke, {
      wrapWithRunInChildContext: false,
      retryStrategy: (_error, attempt) => ({ shouldRetry: attempt < mostDeaths, delay: { seconds: 5 } }),
    }).catch((error: unknown) => {
      if (!(error instanceof InvokeError)) throw error;
      const { code, message } = deathOf('collect', `, "${name}"`);
      throw new CodedError(code, message, error);
    });
    const failed = v.safeParse(protocol.failureResponseSchema, response);
    if (failed.success) throw new CodedError(failed.output.failure.code, failed.output.failure.message);
    return v.parse(schema, response);
  };
}

/** Writes what the observation leaves, and has it count, where it is still this execution's. Whether it is. */
async function close(own: Own, { table }: Options, change: Change): Promise<boolean> {
  const { account, atMs, before } = own;
  const current = await ledger.readCurrent(table, account);
  const list = await ledger.observedLists.read(table, own);
  if (current === null || list === null) throw new Error('The ledger lacks an observation that is under way.');
  const { id, begunMs, settings } = current;
  if (id !== own.observation) return false;
  const [known, coverages, closingBefore] = await Promise.all([
    ledger.knownDeliveries.readParts(table, own),
    ledger.requestsOfWorkers.readParts(table, own),
    before === null ? null : ledger.closings.read(table, { account, observation: before }),
  ]);
  const found = { list, known: known.flat(), before: closingBefore, coverage: mergeCoverage(coverages) };
  const closing = closingOf(atMs, found);
  await ledger.closings.put(table, { ...own, now: new Date() }, closing);
  return await change({ state: 'closed', closed: { id, atMs, begunMs, settings, isComplete: isComplete(closing) } });
}

/**
 * The observation that no report asks for, once a day: a list may forget what a month is about. It does nothing while no report is
 * on. That it failed is noted, and is no failure of the execution: operators hear of it where it fails day after day.
 */
export async function observeDaily(context: DurableContext, options: Parameters<typeof observe>[2]) {
  const { table, configuration } = options;
  const { reports, service } = configuration;
  const sinceMs = await step(context, 'whether a report is on', async () => {
    const known = await Promise.all(reports.map((report) => readReport(table, report)));
    const isOn = known.some((report) => report !== null && report.pausedAt === undefined);
    return isOn ? Temporal.Now.instant().epochMilliseconds - hourMs : null;
  });
  if (sinceMs === null) return { observed: null };
  const note = (failure: Failure | null): Promise<void> => {
    const execution = context.executionContext.durableExecutionArn;
    return ledger.noteDaily(table, accountOf(service), failure && { ...failure, execution });
  };
  try {
    const { observation } = await observe(context, { endMs: -Infinity, sinceMs }, options);
    await step(context, 'note the observation', () => note(null));
    return { observed: observation };
  } catch (error) {
    const failure = failureOf(error);
    await step(context, 'note the failure', () => note(failure));
    if (failure.code === 'internal') throw error;
    return { observed: null, error: failure };
  }
}

/** A list that had nothing, so long before, overlaps with any. */
const emptyOverlapsMs = 3 * dayMs;
/** So many of the newest deliveries say that two lists overlap, and a list's knowledge begins with the earliest sign of so many. */
const witnesses = 3;
/** A list with fewer first signs says nothing of the time before it. */
const fewestSigns = 5;

/** What an observation found, and how the one before it ended. */
interface Found {
  list: ledger.ObservedList;
  known: readonly ledger.KnownDelivery[];
  before: ledger.Closing | null;
  coverage: Coverage;
}

/** How an observation ends: what it found, against the one before it. */
export function closingOf(atMs: number, { list, known, before, coverage }: Found): ledger.Closing {
  const listed = known.filter(({ isListed }) => isListed);
  const { rows, added, unavailable } = list;
  const isSteady = rows > 0 && rows === before?.rows && 3 * added > rows;
  const steady = isSteady ? before.steady + 1 : 0;
  const isChained = before !== null && doOverlap(before, listed, atMs);
  const followed = new Set(known.map(({ id }) => id));
  const others = (before?.deliveries ?? [])
    .filter((other) => !followed.has(other.id) && !areForgotten(other, atMs))
    .map((other) => Object.assign({}, other, { isListed: false, mayBeReadLater: false }));
  return {
    facts: {
      atMs,
      coveredSinceMs: isChained ? before.facts.coveredSinceMs : knowsSinceMs(listed, atMs),
      ...(unavailable === undefined ? {} : { unavailable }),
      mayHoldOnlyNewest: steady >= 2,
    },
    rows,
    steady,
    wholeMs: unavailable === undefined ? atMs : (before?.wholeMs ?? null),
    deliveries: [...known, ...others],
    coverage,
  };
}

/** Whether the later list has one of the three newest of the earlier. */
function doOverlap({ facts, rows, deliveries }: ledger.Closing, listed: readonly ledger.KnownDelivery[], atMs: number) {
  if (rows === 0) return atMs - facts.atMs <= emptyOverlapsMs;
  const ids = new Set(listed.map(({ id }) => id));
  const before = deliveries.filter(({ isListed }) => isListed).toSorted((a, b) => b.begunMs - a.begunMs);
  return before.slice(0, witnesses).some(({ id }) => ids.has(id));
}

/** From when on a list by itself says everything: the third earliest first sign on it. */
function knowsSinceMs(listed: readonly ledger.KnownDelivery[], atMs: number): number {
  const signs = listed.flatMap(({ firstSignMs }) => firstSignMs ?? []).toSorted((a, b) => a - b);
  return signs.length < fewestSigns ? atMs : (signs[witnesses - 1] ?? atMs);
}

/** Whether an observation could read everything that it asked for. */
function isComplete({ facts, deliveries }: ledger.Closing): boolean {
  return facts.unavailable === undefined && deliveries.every(({ mayBeReadLater }) => !mayBeReadLater);
}
