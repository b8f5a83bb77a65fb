import * as v from 'valibot';

/**
 * The codes of orders that are refused: what was asked for cannot be done as the ledger and the configuration are, nothing
 * was done, and no run is the worse for it.
 */
export const refusalCodes = [
  'bad-trigger',
  'unknown-report',
  'period-not-over',
  'sealed',
  'unknown-run',
  'not-held',
  'nothing-kept',
  'already-sent',
  'discarded',
  'no-addresses',
  'nothing-unknown',
  'renamed',
] as const;

/**
 * The codes of failures whose messages are written for operators. A code is the name of the error that carries it, because
 * the durable engine hands on no more of an error than its name and its message.
 */
export const failureCodes = [
  ...refusalCodes,
  'ledger-shape',
  'hash-key-missing',
  'older-digest',
  'invocation-died',
  'account-too-large',
  'daily-quota',
  'ses-unavailable',
  'ses-refused',
  'sender-unverified',
  'credentials-missing',
  'credentials-refused',
  'service-unavailable',
] as const;

/** Why something failed. The log alone says more of what is `internal`. */
export const failureSchema = v.object({ code: v.picklist([...failureCodes, 'internal']), message: v.string() });
export type Failure = v.InferOutput<typeof failureSchema>;

/** What cannot go on, for a reason that an operator understands. `name` is the stable code of the failure. */
export class CodedError extends Error {
  override readonly name: Failure['code'];

  constructor(code: Failure['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = code;
  }
}

/** After so many deaths of an invocation at one place a run fails, whether it was its own or the worker's. */
export const mostDeaths = 5;

/** The failure of a function that did not live to the end of its work. `place` is the worker's. */
export function deathOf(name: 'run' | 'collect', place = ''): Failure {
  const message =
    `The function "${name}" died ${mostDeaths} times at the same place${place}: it ran out of memory or of time, or it ` +
    `crashed. The end of its log says which. What was done before is kept.`;
  return { code: 'invocation-died', message };
}

/** The failure behind an error. Errors cross the durable engine's steps and invocations as a name and a message. */
export function failureOf(error: unknown): Failure {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { name, message } = cause;
    const code = failureCodes.find((known) => known === name);
    if (code !== undefined) return { code, message };
    // What the engine calls it.
    if (name === 'StepInterruptedError') return deathOf('run');
  }
  return { code: 'internal', message: 'An unexpected error; see the log of the run.' };
}

/** The failure that an error's name and message say: the durable engine hands on no more of an error. */
export function failureNamed(name = '', message = ''): Failure {
  return failureOf(Object.assign(new Error(message), { name }));
}

/** Whether an order was refused, and nothing failed. */
export function isRefusal({ code }: Failure): boolean {
  return refusalCodes.some((refusal) => refusal === code);
}

/** What an execution returns that did not do what it was asked to, and why. */
export type Declined = v.InferOutput<typeof declinedSchema>;
const declinedSchema = v.object({
  state: v.picklist(['refused', 'failed']),
  error: v.object({ code: v.string(), message: v.string() }),
});

/**
 * Why an execution did not do what it was asked to, from what it returned: a run that failed, an order that was refused or
 * failed. `null` where it did. A code that this version does not know is `internal`.
 */
export function failureIn(result: unknown): Failure | null {
  const parsed = v.safeParse(declinedSchema, result);
  return parsed.success ? failureNamed(parsed.output.error.code, parsed.output.error.message) : null;
}
