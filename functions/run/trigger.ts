import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { nearest } from '../domain/configuration/fault.ts';
import { partsOfRunName } from '../domain/period.ts';
import { isObject } from '../json-object.ts';
import { RunError } from './failure.ts';
import { unknownReportMessage } from './find-run.ts';

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
const key = v.pipe(v.string('expected a key'), v.regex(/^[\w-]{1,64}$/, 'expected a key'));
const yesOrNo = v.boolean('expected true or false');
const runNamed = v.pipe(
  v.string('expected the name of a run'),
  v.check((run) => partsOfRunName(run) !== null, 'expected the name of a run, such as "weekly_2026-W46"'),
);
/** Key of the ledger's record of who ordered it. */
const operation = v.exactOptional(key);

/** What each action takes, with its report from the configuration. A trigger without an action means the first. */
function schemasOf(reports: readonly ReportConfiguration[]) {
  const report = v.pipe(
    v.string('expected the name of a report'),
    v.transform((name) => reports.find((each) => each.name === name)),
    v.custom<ReportConfiguration>((found) => found !== undefined, unknownReportMessage(reports)),
  );
  return {
    run: v.strictObject({
      action: v.literal('run'),
      report,
      /** What triggered the run: its schedule, which does nothing while the report is paused. */
      trigger: v.exactOptional(v.literal('schedule', 'expected "schedule"')),
      /** The instant that the schedule meant; without it, the report's latest. */
      scheduledTime: v.exactOptional(instant),
      /** Key of a list of addresses in the ledger: these subscribers instead of the report's own. */
      subscribers: v.exactOptional(key),
      /** Stops when the digest is kept: the run is then held. */
      hold: v.exactOptional(yesOrNo),
      /** Sends messages again of which nobody knows whether they were sent. */
      resendUnknown: v.exactOptional(yesOrNo),
      operation,
    }),
    /** Sends a held run's messages. */
    release: v.strictObject({ action: v.literal('release'), run: runNamed, operation }),
    /** Drops a run's digest. */
    discard: v.strictObject({ action: v.literal('discard'), run: runNamed, operation }),
    /** Sends the real digest, marked as a test, to the addresses under the key `subscribers` alone. */
    test: v.strictObject({
      action: v.literal('test'),
      report,
      scheduledTime: v.exactOptional(instant),
      subscribers: key,
      operation,
    }),
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

/**
 * The trigger that an event is, with its report from the configuration; without an `action` it is one of a run. Throws a
 * `RunError` that names every fault, an unknown report among them. What else is wrong with an unknown action is not known.
 */
export function parseTrigger(event: unknown, reports: readonly ReportConfiguration[]): Trigger {
  const schemas = schemasOf(reports);
  const actions = Object.keys(schemas);
  const given = isObject(event) ? (event['action'] ?? 'run') : 'run';
  const schema = Object.entries(schemas).find(([name]) => name === given)?.[1];
  if (schema === undefined) {
    const hint = typeof given === 'string' ? perhaps(given, actions) : '';
    throw badTrigger([`action: expected one of ${actions.join(', ')}${hint}`]);
  }
  const parsed = v.safeParse(schema, isObject(event) ? { ...event, action: given } : event);
  if (parsed.success) return parsed.output;
  const [issue, ...others] = parsed.issues;
  if (issue.type === 'custom' && others.length === 0) throw new RunError('unknown-report', issue.message);
  throw badTrigger(parsed.issues.map((each) => faultOf(each, Object.keys(schema.entries))));
}

function badTrigger(faults: readonly string[]): RunError {
  return new RunError('bad-trigger', `Invalid trigger. ${faults.map((fault) => fault.replace(/\.$/, '')).join('; ')}.`);
}

/** What is wrong with a field of an action that takes these `fields`. */
function faultOf(issue: v.BaseIssue<unknown>, fields: readonly string[]): string {
  const path = v.getDotPath(issue);
  if (path === null) return 'the event: expected an object';
  if (issue.type !== 'strict_object') return `${path}: ${issue.message}`;
  if (issue.expected !== 'never') return `${path}: missing`;
  // A field's name is a stranger's text: only what looks like one is repeated.
  const named = /^[\w-]{1,60}$/.test(path) ? path : 'a field';
  return `${named}: no such field${perhaps(path, fields)}`;
}

function perhaps(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? '' : `, perhaps "${near}"`;
}
