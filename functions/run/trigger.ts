import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
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
const reportName = v.string('expected the name of a report');
export const runNamed = v.pipe(
  v.string('expected the name of a run'),
  v.check((run) => partsOfRunName(run) !== null, 'expected the name of a run, such as "weekly_2026-W46"'),
);
/** Key of the ledger's record of who ordered it. */
const operation = v.exactOptional(key);

const runFields = {
  action: v.literal('run'),
  report: reportName,
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
};

/** What each action takes. The first is what a trigger without an action means. */
const schemas = {
  run: v.strictObject(runFields),
  /** Sends a held run's messages. */
  release: v.strictObject({ action: v.literal('release'), run: runNamed, operation }),
  /** Drops a run's digest. */
  discard: v.strictObject({ action: v.literal('discard'), run: runNamed, operation }),
  /** Sends the real digest, marked as a test, to the addresses under the key `subscribers` alone. */
  test: v.strictObject({
    action: v.literal('test'),
    report: reportName,
    scheduledTime: v.exactOptional(instant),
    subscribers: key,
    operation,
  }),
};

/** What starts a run: a schedule's event, or an operator's. It names no address. */
export type RunTrigger = v.InferOutput<typeof schemas.run>;
export type ReleaseTrigger = v.InferOutput<typeof schemas.release>;
export type DiscardTrigger = v.InferOutput<typeof schemas.discard>;
export type TestTrigger = v.InferOutput<typeof schemas.test>;

/** What can be asked of the function, distinguished by `action`. */
export type Trigger = RunTrigger | ReleaseTrigger | DiscardTrigger | TestTrigger;

type Action = keyof typeof schemas;
const actions = Object.keys(schemas);

function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(schemas, value);
}

/**
 * The trigger that an event is; without an `action` it is one of a run. Throws a `RunError` that names every fault, an
 * unknown report among them.
 */
export function parseTrigger(event: unknown, reports: ReadonlyArray<{ name: string }>): Trigger {
  const { action, faults } = readAction(event);
  const input = isObject(event) ? { ...event, action } : event;
  const parsed = v.safeParse(v.variant('action', Object.values(schemas)), input);
  if (!parsed.success) faults.push(...parsed.issues.map((issue) => faultOf(issue, action)));
  const unknownReport = unknownReportOf(input, reports);
  if (parsed.success && faults.length === 0 && unknownReport === null) return parsed.output;
  if (faults.length === 0 && unknownReport !== null) throw new RunError('unknown-report', unknownReport);
  if (unknownReport !== null) faults.push(`report: ${unknownReport}`);
  throw new RunError('bad-trigger', `Invalid trigger. ${faults.map(asSentencePart).join('; ')}.`);
}

/** The action that is meant. One that there is not is a fault, and the other fields are checked as the nearest takes them. */
function readAction(event: unknown): { action: Action; faults: string[] } {
  const given = isObject(event) ? (event['action'] ?? 'run') : 'run';
  if (isAction(given)) return { action: given, faults: [] };
  const near = typeof given === 'string' ? nearest(given, actions) : undefined;
  const hint = near === undefined ? '' : `, perhaps "${near}"`;
  return { action: isAction(near) ? near : 'run', faults: [`action: expected one of ${actions.join(', ')}${hint}`] };
}

function faultOf(issue: v.BaseIssue<unknown>, action: Action): string {
  const path = v.getDotPath(issue);
  if (path === null || (issue.type !== 'strict_object' && issue.type !== 'variant')) {
    return `${path ?? 'the event'}: ${path === null ? 'expected an object' : issue.message}`;
  }
  if (issue.expected !== 'never') return `${path}: missing`;
  const near = nearest(path, Object.keys(schemas[action].entries));
  // A field's name is a stranger's text: only what looks like one is repeated.
  const named = /^[\w-]{1,60}$/.test(path) ? path : 'a field';
  return `${named}: no such field${near === undefined ? '' : `, perhaps "${near}"`}`;
}

/** The fault of a report's name that is not configured; `null` where it is, or where there is none. */
function unknownReportOf(input: unknown, reports: ReadonlyArray<{ name: string }>): string | null {
  const name = isObject(input) ? input['report'] : undefined;
  if (typeof name !== 'string' || reports.some((report) => report.name === name)) return null;
  return unknownReportMessage(reports);
}

function asSentencePart(fault: string): string {
  return fault.replace(/\.$/, '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
