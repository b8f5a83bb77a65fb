import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Named } from '../reports.ts';
import type { Table } from '../table.ts';

/** The actions that are orders to the run function: it says what became of them. The others are done once they are recorded. */
const orderNames = ['run', 'hold', 'release', 'discard', 'resend-unknown', 'test'] as const;

const actionNames = [
  ...orderNames,
  'pause',
  'resume',
  'note',
  'revoke-pages',
  'store-secret',
  'add-subscribers',
  'remove-subscribers',
  'lift-address',
  'rejoin-address',
  'forget-address',
  'end-forgotten',
  'recover',
  // Of the release before.
  'move',
  'retire',
] as const;
export type ActionName = (typeof actionNames)[number];

export const isOrderName = (what: ActionName): boolean => orderNames.some((name) => name === what);

const outcomeSchema = v.object({
  state: v.picklist(['done', 'refused', 'failed']),
  error: v.exactOptional(v.object({ code: v.string(), message: v.string() })),
  /** What else there is to say of an order that was carried out. */
  note: v.exactOptional(v.string()),
});

/** What became of an order to the run function. Of a run, the receipt says more. */
export type OrderOutcome = v.InferOutput<typeof outcomeSchema>;

const actionSchema = v.object({
  what: v.picklist(actionNames),
  by: v.string(),
  /** When, ISO 8601 in UTC. */
  at: v.string(),
  run: v.exactOptional(v.string()),
  /** What else there is to say of it, such as a count. Never an address. */
  detail: v.exactOptional(v.string()),
  /** For an order to the run function, once it has ended. */
  outcome: v.exactOptional(outcomeSchema),
});

export type Action = v.InferOutput<typeof actionSchema>;

/** The subjects of actions that are about no report: about addresses, or the service. No report can be called `@…`. */
export const addressesSubject = '@addresses';
export const serviceSubject = '@service';

/** Who acted where nobody said: the trigger came from outside of the operators' command. */
export const unnamedOperator = 'not named (AWS CloudTrail knows the caller)';

const partitionOf = (subject: string): string => `ACTIONS#${subject}`;

/** Records what an operator does. Returns a key that a trigger can pass on, under which its outcome is recorded. */
export async function recordAction(table: Table, subject: string, action: Action, expiresAt: number): Promise<string> {
  // In the order of time, and in the letters that a trigger's key may have.
  const key = `${action.at.replaceAll(/\W/g, '-')}_${randomBytes(8).toString('hex')}`;
  // By itself: the right to write in batches would be one to delete such records, too.
  await table.insert({ pk: partitionOf(subject), sk: key }, { ...action, expiresAt });
  return key;
}

/** Records what became of an order, by the key of its record. Without effect where the report has no such record. */
export async function recordOrderOutcome(table: Table, report: Named, key: string, outcome: OrderOutcome) {
  const item = { pk: partitionOf(report.name), sk: key };
  await table.update(item, { set: { outcome }, condition: 'attribute_exists(#pk)' });
}

/** What operators did about a report or another subject, oldest first. */
export async function readActions(table: Table, subject: string): Promise<Action[]> {
  const actions = await Array.fromAsync(table.query(partitionOf(subject)), (item) => v.parse(actionSchema, item));
  return actions.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
