import { ofetch } from 'ofetch';

/** Headers of an answer by their names; `null` where there is none of that name. */
export interface RawHeaders {
  get(name: string): string | null;
}

/** An answer as it came; its body was taken on the way, save beside a status other than 2xx. */
export interface RawAnswer {
  status: number;
  headers: RawHeaders;
  /** The body has more bytes than were wanted, and was not read to its end. */
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
  /** Takes the body of a 2xx answer, decompressed, as it arrives. Where it throws, the exchange fails with that. */
  take: (chunk: Buffer) => void;
}

/** A refusal's body says nothing that counts; read to its end up to here, it leaves its connection usable. */
const longestDrain = 65_536;

/**
 * One HTTP request and its answer; redirects are not followed. Rejects with the failure of the network, and with a
 * `TimeoutError` where the time was up.
 */
export async function exchange(url: URL, request: RawRequest): Promise<RawAnswer> {
  const { method, headers, body, timeoutMs, largestBody, take } = request;
  const abort = new AbortController();
  // Cleared with the answer: a timer of `AbortSignal.timeout` would hold on to all it knows of until its time is up.
  const timer = setTimeout(
    () => abort.abort(new DOMException('The answer was not there in time.', 'TimeoutError')),
    timeoutMs,
  );
  try {
    const response = await ofetch.raw(url.href, {
      method,
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      responseType: 'stream',
      // What is repeated and when is for the caller to say, who counts it and slows the others down.
      retry: false,
      ignoreResponseError: true,
      signal: abort.signal,
      ...(body === undefined ? {} : { body }),
    });
    const answer = { status: response.status, headers: response.headers, receivedAt: Date.now() };
    if (response.ok) return { ...answer, isTooLarge: !(await readBody(response.body, largestBody, take)) };
    await readBody(response.body, longestDrain, () => {});
    return { ...answer, isTooLarge: false };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body, up to `most` bytes; whether that was its end. */
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
