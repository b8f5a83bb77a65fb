import { serveOnLoopback, type Loopback, type LoopbackAnswer } from '../emulators/loopback.ts';

/** The answer to a GET of an address; `null` where there is nothing. */
export type AnswerGet = (address: URL) => Promise<LoopbackAnswer | null>;

const notFound: LoopbackAnswer = {
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: 'There is nothing here.\n',
};

/** Serves pages to the browser, on loopback. A name of another site that resolves to loopback gets nothing. */
export function startViewer(pages: AnswerGet): Promise<Loopback> {
  return serveOnLoopback(async ({ method, url, headers }) => {
    if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(headers.host ?? '')) return notFound;
    if (method !== 'GET') return { ...notFound, status: 405 };
    return (await pages(new URL(`http://loopback${url}`))) ?? notFound;
  });
}
