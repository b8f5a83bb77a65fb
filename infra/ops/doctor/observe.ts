import type { ServiceResponse, Http, ServiceRequest } from '../../../functions/reporting-service/requests/http.ts';

/** The first answer of each endpoint, as it was read. */
export interface Observed {
  http: Http;
  first(endpoint: ServiceRequest['endpoint']): ServiceResponse | null;
}

/** Looks at the answers that pass. */
export function observe(http: Http): Observed {
  const answers = new Map<ServiceRequest['endpoint'], ServiceResponse>();
  const note = <Body>(endpoint: ServiceRequest['endpoint'], answer: ServiceResponse<Body>): ServiceResponse<Body> => {
    if (!answers.has(endpoint)) answers.set(endpoint, answer);
    return answer;
  };
  return {
    http: {
      ask: async (request) => note(request.endpoint, await http.ask(request)),
      read: async (request, createReader) => note(request.endpoint, await http.read(request, createReader)),
    },
    first: (endpoint) => answers.get(endpoint) ?? null,
  };
}
