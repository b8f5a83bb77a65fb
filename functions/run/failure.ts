/** The codes of failures whose messages are written for operators, from the run and from the worker. Any other is `internal`. */
const failureCodes = [
  'bad-trigger',
  'unknown-report',
  'nothing-scheduled',
  'period-not-over',
  'sealed',
  'daily-quota',
  'ses-unavailable',
  'ses-refused',
  'credentials-missing',
  'credentials-refused',
  'service-unavailable',
  'unknown-run',
  'not-held',
  'nothing-kept',
  'already-sent',
  'discarded',
  'renamed',
  'no-addresses',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** What a receipt says of a failure. */
export interface Failure {
  code: FailureCode | 'internal';
  message: string;
}

/** A run that cannot continue, for a reason that an operator understands. `name` is the stable code in the receipt. */
export class RunError extends Error {
  override readonly name: Failure['code'];

  constructor(code: Failure['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = code;
  }

  static of({ code, message }: Failure): RunError {
    return new RunError(code, message);
  }
}

/** The failure behind an error. Errors cross the durable engine's steps and invocations as a name and a message. */
export function failureOf(error: unknown): Failure {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { name, message } = cause;
    const code = failureCodes.find((known) => known === name);
    if (code !== undefined) return { code, message };
  }
  return { code: 'internal', message: 'An unexpected error; see the log of the run.' };
}

/** Whether trying again may help: only for an unexpected error, never for one of the codes above. */
export function mayPass(error: unknown): boolean {
  return failureOf(error).code === 'internal';
}
