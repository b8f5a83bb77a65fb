import * as v from 'valibot';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { expectedUnseen, faultOf } from '../domain/configuration/fault.ts';
import { fields, Instant, textThat } from '../domain/configuration/fields.ts';
import { partsOfRunName } from '../domain/period.ts';
import { CodedError } from '../domain/failures.ts';
import { unknownReportMessage } from './find-run.ts';

const key = textThat((text) => /^[\w-]{1,64}$/.test(text), 'a key');
const runNamed = textThat((run) => partsOfRunName(run) !== null, 'the name of a run, such as "weekly_2026-W46"');
const yesOrNo = v.boolean(expectedUnseen('true or false'));
/** Key of the ledger's record of who ordered it. */
const operation = v.exactOptional(key);

/** What each action takes, with its report from the configuration. A trigger without an action means the first. */
function schemasOf(reports: readonly ReportConfiguration[]) {
  const report = v.pipe(
    v.string(expectedUnseen('the name of a report')),
    v.transform((name) => reports.find((configured) => configured.name === name)),
    v.custom<ReportConfiguration>((configured) => configured !== undefined, unknownReportMessage(reports)),
  );
  const scheduledTime = v.exactOptional(Instant);
  return {
    run: fields({
      action: v.optional(v.literal('run'), 'run'),
      report,
      /** What triggered the run: its schedule, which does nothing while the report is paused or off. */
      trigger: v.exactOptional(v.literal('schedule', expectedUnseen('"schedule"'))),
      /** The instant that the schedule meant; without it, the report's latest. */
      scheduledTime,
      /** Key of a list of addresses in the ledger: these subscribers instead of the report's own. */
      subscribers: v.exactOptional(key),
      /** Stops when the digest is kept: the run is then held. */
      hold: v.exactOptional(yesOrNo),
      /** Sends messages again of which nobody knows whether they were sent. */
      resendUnknown: v.exactOptional(yesOrNo),
      /** Sends one message again, to somebody who says that they have not got it, where it still is what this claim made of it. */
      again: v.exactOptional(fields({ id: key, claim: key })),
      operation,
    }),
    release: fields({ action: v.literal('release'), run: runNamed, operation }),
    discard: fields({ action: v.literal('discard'), run: runNamed, operation }),
    /** Sends the real digest, marked as a test, to the addresses under the key `subscribers` alone. */
    test: fields({ action: v.literal('test'), report, scheduledTime, subscribers: key, operation }),
    /** Reads the account alone, as every day. */
    observe: fields({ action: v.literal('observe') }),
  };
}

type Schemas = ReturnType<typeof schemasOf>;
type TriggerOf<Action extends keyof Schemas> = v.InferOutput<Schemas[Action]>;

/** What starts a run: a schedule's event, or an operator's. It names no address. */
export type RunTrigger = TriggerOf<'run'>;
export type ReleaseTrigger = TriggerOf<'release'>;
export type DiscardTrigger = TriggerOf<'discard'>;
export type TestTrigger = TriggerOf<'test'>;

/** What can be asked of the function, distinguished by `action`. */
export type Trigger = TriggerOf<keyof Schemas>;
/** What an operator can order: the rest comes from schedules alone. */
export type Order = Exclude<Trigger, TriggerOf<'observe'>>;

/** What an event says of its action: without one it is a run's trigger. */
const actions = ['run', 'release', 'discard', 'test', 'observe'] as const;
const action = v.optional(v.picklist(actions, expectedUnseen(`one of ${actions.join(', ')}`)), 'run');
const actionSchema = v.looseObject({ action }, expectedUnseen('an object'));

/**
 * The trigger that an event is, with its report from the configuration. Throws a `CodedError` that names every fault, an
 * unknown report among them. What else is wrong with an unknown action is not known.
 */
export function parseTrigger(event: unknown, reports: readonly ReportConfiguration[]): Trigger {
  const asked = v.safeParse(actionSchema, event);
  const parsed = asked.success ? v.safeParse(schemasOf(reports)[asked.output.action], event) : asked;
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map(faultOf);
  const unknown = unknownReportMessage(reports);
  if (faults.every(({ message }) => message === unknown)) throw new CodedError('unknown-report', unknown);
  const named = faults.map(({ path, message }) => ` ${path === '' ? 'the event' : path}: ${message}`);
  throw new CodedError('bad-trigger', `Invalid trigger.${named.join('')}`);
}
