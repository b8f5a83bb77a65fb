import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { RunError } from './failure.ts';

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}

const instant = v.pipe(
  v.string('expected an instant as text'),
  v.check(isInstant, 'expected an instant, ISO 8601 with Z or an offset'),
);

const triggerSchema = v.strictObject({
  report: v.string('expected the name of a report'),
  /** The instant that the schedule meant; without it, the report's latest. */
  scheduledTime: v.exactOptional(instant),
  /** Key of a list of addresses in the ledger: these subscribers instead of the configured ones. */
  subscribers: v.exactOptional(v.pipe(v.string('expected a key'), v.regex(/^[\w-]{1,64}$/, 'expected a key'))),
  /** Everything but claims and sends. */
  dryRun: v.exactOptional(v.boolean('expected true or false')),
});

/** What starts a run: a schedule's event, or an operator's. It names no address. */
export type Trigger = v.InferOutput<typeof triggerSchema>;

/** The trigger that an event is. Throws a `RunError` that names every fault. */
export function parseTrigger(event: unknown): Trigger {
  const parsed = v.safeParse(triggerSchema, event);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => {
    const path = v.getDotPath(issue) ?? 'the event';
    if (issue.type !== 'strict_object') return `${path}: ${issue.message}`;
    return issue.expected === 'never' ? `${path}: no such field` : `${path}: missing`;
  });
  throw new RunError('bad-trigger', `The run was triggered wrongly. ${faults.join('; ')}.`);
}
