import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { namesOf, type ReportNames } from '../../domain/report-names.ts';
import type { Table } from '../table.ts';

/** What operators can do that leaves a record. */
const actionNames = [
  'run',
  'hold',
  'release',
  'discard',
  'resend-unknown',
  'test',
  'pause',
  'resume',
  'add-subscribers',
  'remove-subscribers',
  'lift-address',
  'forget-address',
] as const;
export type ActionName = (typeof actionNames)[number];

const actionSchema = v.object({
  what: v.picklist(actionNames),
  /** Who did it: the caller's identity. */
  by: v.string(),
  /** When, ISO 8601 in UTC. */
  at: v.string(),
  run: v.exactOptional(v.string()),
  /** What else there is to say of it, such as a count. Never an address. */
  detail: v.exactOptional(v.string()),
});

/** One thing that an operator did. */
export type Action = v.InferOutput<typeof actionSchema>;

/** What an action was about: a report and its runs, or addresses whatever the report. No report can be called `@…`. */
export type ActionSubject = { report: string } | 'addresses';

/** Who acted where nobody said: the trigger came from outside of the operators' command. */
export const unnamedOperator = 'not named (AWS CloudTrail knows the caller)';

function partition(subject: ActionSubject): string {
  return subject === 'addresses' ? 'ACTIONS#@addresses' : `ACTIONS#${subject.report}`;
}

/** Notes what an operator does. Returns a key that a trigger can pass on, so that the run knows that it is noted. */
export async function recordAction(
  table: Table,
  subject: ActionSubject,
  action: Action,
  expiresAt: number,
): Promise<string> {
  const key = randomUUID();
  await table.putMany([{ pk: partition(subject), sk: `${action.at}#${key}`, ...action, expiresAt }]);
  return key;
}

/** What operators did about a report under any of its names, or about addresses, oldest first. */
export async function readActions(table: Table, subject: ReportNames | 'addresses'): Promise<Action[]> {
  const partitions =
    subject === 'addresses' ? [partition(subject)] : namesOf(subject).map((report) => partition({ report }));
  const actions: Action[] = [];
  for (const pk of partitions)
    for await (const item of table.query(pk, { from: '0', to: '~' })) actions.push(v.parse(actionSchema, item));
  return actions.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
