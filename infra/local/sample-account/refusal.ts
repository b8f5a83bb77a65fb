/** A request that the account does not grant: the HTTP status, and a code and a sentence for the body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Throws a Refusal; an expression, so that it can be used in place of a missing value. */
export function refuse(status: number, code: string, message: string, headers?: Record<string, string>): never {
  throw new Refusal(status, code, message, headers);
}
