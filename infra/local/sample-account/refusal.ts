/** A request that the account does not grant: the HTTP status, and a code and a sentence for the body. */
export class RequestRefusal extends Error {
  override readonly name = 'RequestRefusal';
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

/** Throws a `RequestRefusal`; an expression, so that it can be used in place of a missing value. */
export function refuseRequest(status: number, code: string, message: string, headers?: Record<string, string>): never {
  throw new RequestRefusal(status, code, message, headers);
}
