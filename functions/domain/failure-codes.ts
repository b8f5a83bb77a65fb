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
