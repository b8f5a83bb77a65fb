import { ofetch } from 'ofetch';

/** The headers of an answer: `null` for a name that it does not have. */
export type RawHeaders = Pick<Headers, 'get' | 'entries'>;

/** An answer without its body, which `take` was given where the status is 2xx. */
interface RawAnswer {
  status: number;
  headers: RawHeaders;
  /** The body has more than `largestBody` bytes, and was not read to its end. */
  isTooLarge: boolean;
  /** Epoch milliseconds. */
  receivedAt: number;
}

interface RawRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string>>;
  /** From connecting to the last byte. */
  timeoutMs: number;
  /** An answer with more bytes than this, once decompressed, is not read to its end. */
  largestBody: number;
  /** Is given the body of a 2xx answer, decompressed, as it arrives. What it throws, the exchange throws. */
  take: (chunk: Buffer) => void;
}

/** The body of a refusal is not used, but read up to this size, so that the connection can be used again. */
const longestDrain = 65_536;

/**
 * Sends one HTTP request; redirects are not followed. Rejects with the network's error, and with a `TimeoutError` after
 * `timeoutMs`.
 */
export async function exchange(url: URL, request: RawRequest): Promise<RawAnswer> {
  const { method, headers, body, timeoutMs, largestBody, take } = request;
  const abort = new AbortController();
  // Cleared with the answer: the timer of an `AbortSignal.timeout` would keep the answer in memory until it fires.
  const timer = setTimeout(
    () => abort.abort(new DOMException('No answer arrived in time.', 'TimeoutError')),
    timeoutMs,
  );
  try {
    const response = await ofetch.raw(url.href, {
      method,
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      responseType: 'stream',
      // The caller retries: it counts that, and slows other requests down.
      retry: false,
      ignoreResponseError: true,
      signal: abort.signal,
      ...(body === undefined ? {} : { body }),
    });
    // Read here, because only here it is known when the answer came.
    const answer = { status: response.status, headers: response.headers, receivedAt: Date.now() };
    if (response.ok) return { ...answer, isTooLarge: !(await readBody(response.body, largestBody, take)) };
    await readBody(response.body, longestDrain, () => {});
    return { ...answer, isTooLarge: false };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body of at most `most` bytes to its end. Returns whether it was no longer. */
async function readBody(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return false;
    take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  return true;
}
