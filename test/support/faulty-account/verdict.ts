import { isDeepStrictEqual } from 'node:util';
import { canaries, concurrency, type FaultRunOutcome } from './fault-runs.ts';
import type { Attempt } from '../service/service.ts';
import { faultsOfDigest } from '../oracle/compare/digest.ts';
import { gapOfStatus, type Gap } from '../oracle/lists.ts';
import { knownOf } from '../oracle/known.ts';

/** Everything that is wrong with a run, a sentence each; nothing, where it is right. */
export function faultsOfRun(outcome: FaultRunOutcome): string[] {
  return [...faultsOfFigures(outcome), ...faultsOfRequests(outcome), ...leaksOf(outcome)];
}

/** Whether the digest has the right figures and the receipt the same gaps, and the mail was sent once. */
function faultsOfFigures(outcome: FaultRunOutcome): string[] {
  const { account, digest, receipt, mails, log } = outcome;
  const unanswered = unansweredOf(log.attempts);
  if (!log.attempts.some(({ thing, outcome: became }) => thing === 'deliveries' && became === 'answered')) {
    const failed = digest === null && receipt.state === 'failed' && receipt.error?.code === 'service-unavailable';
    return failed && mails.length === 0 ? [] : ['Without the list there is a digest, a mail or no clear failure.'];
  }
  if (digest === null) return [`There is no digest: ${JSON.stringify(receipt.error)}.`];
  const known = knownOf(account, { unanswered });
  const faults = faultsOfDigest(known, digest).slice(0, 5);
  if (!isDeepStrictEqual(receipt.coverage.unavailable, digest.missing)) {
    faults.push('The receipt names other gaps than the digest.');
  }
  if (receipt.balance.sent !== 1 || mails.length !== 1) faults.push('The mail was not sent once.');
  return faults;
}

/** Things that were asked for and never answered, as the digest names them, with the reason that it has to give. */
function unansweredOf(attempts: readonly Attempt[]): Map<string, Gap> {
  const gaps = new Map<string, Gap>();
  for (const [, tries] of byAddress(attempts)) {
    const last = tries.at(-1);
    if (last === undefined || tries.some(({ outcome }) => outcome === 'answered')) continue;
    gaps.set(last.thing.replace(/^recipients /, 'delivery '), gapOf(last.outcome));
  }
  return gaps;
}

/** The reason that an outcome is, with the status where there was one. */
function gapOf(outcome: string): Gap {
  if (outcome === 'html' || outcome === 'cut') return { reason: 'unreadable' };
  const status = Number.parseInt(outcome, 10);
  if (Number.isNaN(status)) return { reason: 'failed' };
  return status === 429 || status >= 500 ? { reason: 'failed', status } : gapOfStatus(status);
}

function byAddress(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  const asked = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    if (attempt.thing === 'auth' || attempt.thing === 'refresh') continue;
    asked.set(attempt.address, [...(asked.get(attempt.address) ?? []), attempt]);
  }
  return asked;
}

/** Whether each thing was asked for once, again only after a failure, and never too much at once. */
function faultsOfRequests({ log, receipt }: FaultRunOutcome): string[] {
  const faults: string[] = log.strange.map((address) => `Nobody should ask for ${address}.`);
  for (const [address, tries] of byAddress(log.attempts)) {
    const answered = tries.findIndex(({ outcome }) => outcome === 'answered');
    if (answered !== -1 && answered < tries.length - 1) faults.push(`${address} was asked for again after its answer.`);
    const refused = tries.filter(({ outcome }) => outcome === '401').map(({ token }) => token);
    if (new Set(refused).size < refused.length) faults.push(`${address} was asked for with a refused token again.`);
  }
  if (log.mostInFlight > concurrency) faults.push(`${log.mostInFlight} requests were in flight at once.`);
  if (log.authority.reused > 0) faults.push(`${log.authority.reused} refresh tokens were used twice.`);
  const counted = Object.values(receipt.coverage.requests).flatMap((byStatus) => Object.values(byStatus));
  const total = counted.reduce((sum, count) => sum + count, 0);
  if (total !== log.attempts.length) faults.push(`The coverage counts ${total} requests of ${log.attempts.length}.`);
  return faults;
}

/** Where a secret, a token, a body of an error or a subscriber's address came to light. */
function leaksOf({ log, logs, history, ledger, digest, receipt, mails }: FaultRunOutcome): string[] {
  const secrets = [canaries.secret, canaries.errorBody, ...log.authority.issued];
  const public_ = {
    logs,
    history,
    ledger,
    digest: JSON.stringify(digest),
    mails: mails.join(''),
  };
  const places = { ...public_, receipt: JSON.stringify({ ...receipt, messages: [] }) };
  const leaks = Object.entries(places)
    .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
    .map(([place]) => `A secret or a token is in the ${place}.`);
  for (const [place, text] of Object.entries({ logs, history })) {
    if (text.includes(canaries.subscriber)) leaks.push(`A subscriber's address is in the ${place}.`);
  }
  return leaks;
}
