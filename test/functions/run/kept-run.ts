import { putDigest } from '../../../functions/ledger/runs/digests.ts';
import { openHashes, recordPersons } from '../../../functions/ledger/persons/persons.ts';
import { planMessage } from '../../../functions/ledger/runs/messages.ts';
import { insertRun, keepDigest, recordObservation, requireRun } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { periodBefore, runName, type Period } from '../../../functions/domain/period.ts';
import type { Plan } from '../../../functions/run/plan/plan.ts';
import type { Dependencies } from '../../../functions/run/dependencies.ts';
import { digestsOf } from '../../support/facts/digests.ts';
import { dating } from '../../support/dating.ts';

export const week = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');

const [digest] = digestsOf([], { runs: [14] });
if (digest === undefined) throw new RangeError('There is no digest.');
/** The digest of a week in which nothing was sent. */
export const keptDigest = digest;

/** Stores such a digest for a run; its id. */
export function putKeptDigest(table: Table, run: string): Promise<string> {
  return putDigest(table, run, keptDigest, 1_900_000_000);
}

/** Plans a run of the weekly report that has a digest, for so many subscribers. */
export async function planKeptRun(table: Table, subscribers: number, period: Period = week): Promise<Plan> {
  const expiresAt = 1_900_000_000;
  const run = runName('weekly', period);
  const times = { scheduledTime: '2026-11-16T08:00:00Z', plannedAt: '2026-11-16T08:00:01Z' };
  await insertRun(table, { run, report: 'weekly', period, ...times }, expiresAt);
  const hashOf = await openHashes(table);
  for (let n = 0; n < subscribers; n += 1) {
    const address = `s${n}@example.com`;
    const hash = hashOf(address);
    await recordPersons(table, [{ hash, address }], expiresAt);
    await planMessage(table, run, { id: hash, named: true, expiresAt });
  }
  const id = await putKeptDigest(table, run);
  await recordObservation(table, { report: 'weekly', period }, { account: 'sample', observation: 'one' });
  await keepDigest(table, await requireRun(table, 'weekly', period), id, {});
  return { run, report: 'weekly', period, intended: subscribers };
}

/** What the stages work with, where the mail shows nothing and the link to leave by leads nowhere: for what does not depend on them. */
export function dependenciesOf<Given extends Pick<Dependencies, 'configuration' | 'table' | 'ses'>>(given: Given) {
  return {
    configurationSet: 'digest-events',
    collectFunctionName: 'none',
    accountClock: undefined,
    render: () => Promise.resolve({ subject: 'News', html: '<p>News</p>', text: 'News', files: [], logo: null }),
    dating,
    isLocal: false,
    renderCard: () => ({ text: 'News' }),
    channelAddresses: () => Promise.resolve({}),
    unsubscribeLinks: () => Promise.resolve(() => Promise.resolve('https://unsubscribe.example.com/token')),
    linkToPage: () => Promise.resolve(null),
    ...given,
  } satisfies Dependencies;
}
