import { createJsonReader } from '../../../functions/reporting-service/requests/body-reader.ts';
import type { ServiceResponse, Http, ServiceRequest } from '../../../functions/reporting-service/requests/http.ts';

/** Keeps answers with their whole bodies, of which the collector keeps only counts. */
export interface Observed {
  http: Http;
  /** The first answer of an endpoint since the last call; `null` where there was none. */
  take(endpoint: ServiceRequest['endpoint']): ServiceResponse | null;
}

/** Observes the answers that `http` receives. */
export function observe(http: Http): Observed {
  const answers = new Map<ServiceRequest['endpoint'], () => ServiceResponse>();
  const read: Http['read'] = async (request, createReader) => {
    let copy = createJsonReader();
    const answer = await http.read(request, () => {
      const reader = createReader();
      copy = createJsonReader();
      const write = (chunk: Buffer): void => [copy, reader].forEach((each) => each.write(chunk));
      return { write, end: () => reader.end() };
    });
    if (!answers.has(request.endpoint)) answers.set(request.endpoint, () => ({ ...answer, body: copy.end() }));
    return answer;
  };
  return {
    http: { read, ask: (request) => read(request, createJsonReader) },
    take: (endpoint) => {
      const answer = answers.get(endpoint)?.() ?? null;
      answers.delete(endpoint);
      return answer;
    },
  };
}
