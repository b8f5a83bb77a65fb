import type { ServiceResponse, Http, ServiceRequest } from '../../../functions/reporting-service/requests/http.ts';

/** Keeps answers, of which the collector keeps only counts. */
export interface Observed {
  http: Http;
  /** The first answer of an endpoint since the last call; `null` where there was none. */
  take(endpoint: ServiceRequest['endpoint']): ServiceResponse | null;
}

/** Observes the answers that `http` receives. */
export function observe(http: Http): Observed {
  const answers = new Map<ServiceRequest['endpoint'], ServiceResponse>();
  return {
    http: {
      ask: async (request) => {
        const answer = await http.ask(request);
        if (!answers.has(request.endpoint)) answers.set(request.endpoint, answer);
        return answer;
      },
    },
    take: (endpoint) => {
      const answer = answers.get(endpoint) ?? null;
      answers.delete(endpoint);
      return answer;
    },
  };
}
