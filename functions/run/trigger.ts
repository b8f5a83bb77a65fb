import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { nearest } from '../domain/configuration/fault.ts';
import { partsOfRunName } from '../domain/period.ts';
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
 * `RunError` that names every fault, an unknown report among them.
 */
export function parseTrigger(event: unknown, reports: readonly ReportConfiguration[]): Trigger {
  const schemas = schemasOf(reports);
  const { action, faults } = readAction(event, Object.keys(schemas));
  const input = isObject(event) ? { ...event, action } : event;
  const parsed = v.safeParse(v.variant('action', Object.values(schemas)), input);
  if (parsed.success && faults.length === 0) return parsed.output;
  const issues = parsed.issues ?? [];
  const [issue] = issues;
  if (faults.length === 0 && issues.length === 1 && issue?.type === 'custom') {
    throw new RunError('unknown-report', issue.message);
  }
  const fields = Object.entries(schemas).flatMap(([name, { entries }]) =>
    name === action ? Object.keys(entries) : [],
  );
  faults.push(...issues.map((each) => faultOf(each, fields)));
  throw new RunError('bad-trigger', `Invalid trigger. ${faults.map(asSentencePart).join('; ')}.`);
}

/** The action that is meant. One that there is not is a fault, and the other fields are checked as the nearest takes them. */
function readAction(event: unknown, actions: readonly string[]): { action: string; faults: string[] } {
  const given = isObject(event) ? (event['action'] ?? 'run') : 'run';
  if (typeof given === 'string' && actions.includes(given)) return { action: given, faults: [] };
  const near = typeof given === 'string' ? nearest(given, actions) : undefined;
  const hint = near === undefined ? '' : `, perhaps "${near}"`;
  return { action: near ?? 'run', faults: [`action: expected one of ${actions.join(', ')}${hint}`] };
}

/** What is wrong with a field of an action that takes these `fields`. */
function faultOf(issue: v.BaseIssue<unknown>, fields: readonly string[]): string {
  const path = v.getDotPath(issue);
  if (path === null || (issue.type !== 'strict_object' && issue.type !== 'variant')) {
    return `${path ?? 'the event'}: ${path === null ? 'expected an object' : issue.message}`;
  }
  if (issue.expected !== 'never') return `${path}: missing`;
  const near = nearest(path, fields);
  // A field's name is a stranger's text: only what looks like one is repeated.
  const named = /^[\w-]{1,60}$/.test(path) ? path : 'a field';
  return `${named}: no such field${near === undefined ? '' : `, perhaps "${near}"`}`;
}

function asSentencePart(fault: string): string {
  return fault.replace(/\.$/, '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
