import { isDeepStrictEqual } from 'node:util';
import type { Digest, DigestBroadcast, DigestDelivery } from '../../../functions/digest/schema.ts';
import type { Attempt } from '../service/service.ts';
import { canaries, concurrency, type FaultRunOutcome } from './fault-runs.ts';

/** Everything that is wrong with a run, a sentence each; nothing, where it is right. */
export function faultsOfRun(outcome: FaultRunOutcome): string[] {
  return [...faultsOfFigures(outcome), ...faultsOfRequests(outcome), ...leaksOf(outcome)];
}

/** Whether the digest is that of a healthy service, but for what was never answered, and names that. */
function faultsOfFigures({ digest, failure, healthy, log }: FaultRunOutcome): string[] {
  const unanswered = unansweredOf(log.attempts);
  if (unanswered.has('deliveries') || !log.attempts.some(({ thing }) => thing === 'deliveries')) {
    return digest === null && failure === 'service-unavailable' ? [] : ['Without the list there is no clear failure.'];
  }
  if (digest === null) return [`There is no digest: ${failure}.`];
  const [found, expected] = [digest, healthy].map((one) => without(unanswered, one));
  const faults = isDeepStrictEqual(found, expected)
    ? []
    : [`It is not the digest of a healthy service: ${differenceOf(found, expected)}`];
  const gaps = digest.unavailable.map(({ what, delivery, content, broadcast, reason }) => {
    if (what === 'broadcast') return `broadcast ${broadcast?.id}: ${reason}`;
    return `${what === 'content' ? `${delivery}/${content}` : String(delivery)}: ${reason}`;
  });
  // Ratings are unknown in their row; of what could not be read itself no item is named.
  const named = [...unanswered].flatMap(([thing, outcome]) => {
    const [delivery = '', item] = thing.split('/');
    const isNamed = !thing.startsWith('ratings ') && (item === undefined || !unanswered.has(delivery));
    return isNamed ? [`${thing}: ${reasonOf(outcome)}`] : [];
  });
  if (!isDeepStrictEqual(gaps.toSorted(), named.toSorted())) {
    faults.push(`It names ${gaps.join()} in place of ${named.join()}.`);
  }
  const isKnown = digest.totals.seen !== null;
  if (isKnown && [...unanswered.keys()].some((thing) => /^d\d+$/.test(thing)))
    faults.push('There are totals without what was not read.');
  return faults;
}

/** Where two values first differ. */
function differenceOf(found: unknown, expected: unknown, path = ''): string {
  const [a, b] = [Object(found), Object(expected)];
  const key = [...Object.keys(a), ...Object.keys(b)].find((name) => !isDeepStrictEqual(a[name], b[name]));
  const isValue = typeof found !== 'object' || typeof expected !== 'object' || found === null || expected === null;
  if (isValue || key === undefined) return `${path} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
  return differenceOf(a[key], b[key], `${path}.${key}`);
}

/** Things of which an address was asked for and never answered, with what became of its last attempt. */
function unansweredOf(attempts: readonly Attempt[]): Map<string, string> {
  const unanswered = [...byAddress(attempts).values()].filter((tries) =>
    tries.every(({ outcome }) => outcome !== 'answered'),
  );
  return new Map(unanswered.flatMap((tries) => tries.slice(-1)).map(({ thing, outcome }) => [thing, outcome]));
}

/** The reason that an outcome is. */
function reasonOf(outcome: string): string {
  if (outcome === 'html' || outcome === 'cut') return 'unreadable';
  return { 403: 'forbidden', 404: 'not-found', 410: 'gone' }[Number(outcome)] ?? 'failed';
}

/** A digest without what follows from things that were never answered. */
function without(unanswered: ReadonlyMap<string, string>, digest: Digest): unknown {
  const {
    broadcasts,
    totals,
    trend,
    unavailable: _unavailable,
    readAt: _readAt,
    needs,
    unjudged: _unjudged,
    coveredSince,
    ...others
  } = digest;
  const isWhole = unanswered.size === 0;
  const areDeliveriesWhole = ![...unanswered.keys()].some((thing) => /^d\d+$/.test(thing));
  const { asked: _asked, responseRate: _rate, ...figures } = totals;
  const rows = broadcasts.flatMap((row) => {
    const deliveries = row.deliveries
      .filter(({ id }) => !unanswered.has(id))
      .map((one) => withoutItems(unanswered, row, one));
    const { id, name, createdAt, createdBy } = row;
    const creation = unanswered.has(`broadcast ${id}`) ? {} : { createdAt, createdBy };
    return deliveries.length === 0
      ? []
      : [{ id, name, ...creation, deliveries: deliveries.toSorted(byId), ...(isWhole ? row : {}) }];
  });
  return {
    ...others,
    broadcasts: rows.toSorted(byId),
    ...(areDeliveriesWhole ? { coveredSince } : {}),
    ...(isWhole ? { totals, trend, needs } : areDeliveriesWhole ? { totals: figures } : {}),
  };
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

function withoutItems(
  unanswered: ReadonlyMap<string, string>,
  { id }: DigestBroadcast,
  { contents, ...delivery }: DigestDelivery,
) {
  const { audience: _ofItems, ...own } = delivery;
  if (unanswered.has(`broadcast ${id}`)) return own;
  const items = contents?.map((item) => {
    const thing = `${delivery.id}/${item.id}`;
    if (unanswered.has(thing)) return { id: item.id };
    return unanswered.has(`ratings ${thing}`) ? { ...item, ratings: null } : item;
  });
  return { ...delivery, contents: items };
}

function byAddress(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  return Map.groupBy(
    attempts.filter(({ thing }) => thing !== 'auth' && thing !== 'refresh'),
    ({ address }) => address,
  );
}

/** What may pass is tried so often before it is given up. */
const fewestTries = 5;

/** Whether each thing was asked for once, again only after a failure, and never too much at once. */
function faultsOfRequests({ log, coverage }: FaultRunOutcome): string[] {
  const faults: string[] = log.strange.map((address) => `Nobody should ask for ${address}.`);
  for (const [address, tries] of byAddress(log.attempts)) {
    const answered = tries.findIndex(({ outcome }) => outcome === 'answered');
    if (answered !== -1 && answered < tries.length - 1) faults.push(`${address} was asked for again after its answer.`);
    const isFinal = tries.some(({ outcome }) => /^40[34]|410$/.test(outcome));
    if (answered === -1 && !isFinal && tries.length < fewestTries) faults.push(`${address} was given up too early.`);
    const refused = tries.filter(({ outcome }) => outcome === '401').map(({ token }) => token);
    if (new Set(refused).size < refused.length) faults.push(`${address} was asked for with a refused token again.`);
  }
  if (log.mostInFlight > concurrency) faults.push(`${log.mostInFlight} requests were in flight at once.`);
  if (log.authority.reused > 0) faults.push(`${log.authority.reused} refresh tokens were used twice.`);
  if (coverage === null) return faults;
  const counted = Object.values(coverage.requests).flatMap((byStatus) => Object.values(byStatus));
  const total = counted.reduce((sum, count) => sum + count, 0);
  if (total !== log.attempts.length) faults.push(`The coverage counts ${total} requests of ${log.attempts.length}.`);
  return faults;
}

/** Where a secret, a token or a body of an error came to light. */
function leaksOf({ log, digest, failure, tokens }: FaultRunOutcome): string[] {
  const secrets = [canaries.secret, canaries.errorBody, ...log.authority.issued];
  const places = { digest: JSON.stringify(digest), failure: failure ?? '', tokens };
  return Object.entries(places)
    .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
    .map(([place]) => `A secret or a token is in the ${place}.`);
}
