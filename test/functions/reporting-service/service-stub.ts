import { afterEach, beforeEach, vi } from 'vitest';
import { json, startHttpStub, type HttpStub, type StubAnswer } from '../../support/http-stub.ts';
import { connectTo, type ConnectOptions, type Connection } from './connect.ts';

/** The stub of the test that runs, in a file that has called `stubEachTest`. */
export let stub: HttpStub;

/** Starts a stub that gives tokens before each test of a file. Retries follow at once, unless the service asks for a pause. */
export function stubEachTest(): void {
  beforeEach(async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    stub = await startHttpStub();
    grantTokens();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await stub.close();
  });
}

/** Lets the stub give the tokens `access-1`, and for every refresh `access-2` and so on. */
function grantTokens(): void {
  let issued = 0;
  const issue: StubAnswer = (response, request) => {
    issued += 1;
    return json({ token: `access-${issued}`, refresh_token: `refresh-${issued}` })(response, request);
  };
  for (const path of ['/v1/auth', '/v1/auth/refresh']) stub.answer(path, issue);
}

/** The client as a worker makes it, against the stub of the test. */
export const connect = (options?: ConnectOptions): Connection => connectTo(stub.url, options);
