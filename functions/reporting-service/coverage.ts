import * as v from 'valibot';

const counts = v.record(v.string(), v.number());

/** What was asked of the service and how its answers were read. Counts only: no identifier, no name, no address. */
export const coverageSchema = v.object({
  /** Requests by endpoint and status; a request without an answer counts under the failure's own word. */
  requests: v.record(v.string(), counts),
  /** Requests that repeat one before. */
  retries: v.number(),
  /** For each thing that the interface leaves unsaid, which readings were met, and how often. */
  readings: v.record(v.string(), counts),
  /** Documented fields that an answer lacked. */
  missingFields: counts,
  /** Lists that may be cut off: they state more than they gave, and no way on. By endpoint. */
  cutOff: counts,
});

export type Coverage = v.InferOutput<typeof coverageSchema>;

/** A coverage in which nothing was asked yet. */
export function emptyCoverage(): Coverage {
  return { requests: {}, retries: 0, readings: {}, missingFields: {}, cutOff: {} };
}

function add(into: Record<string, number>, key: string, count: number): void {
  into[key] = (into[key] ?? 0) + count;
}

function addNested(into: Record<string, Record<string, number>>, from: Record<string, Record<string, number>>): void {
  for (const [outer, inner] of Object.entries(from)) {
    const target = (into[outer] ??= {});
    for (const [key, count] of Object.entries(inner)) add(target, key, count);
  }
}

/** The sum of several coverages. */
export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const sum = emptyCoverage();
  for (const part of parts) {
    addNested(sum.requests, part.requests);
    addNested(sum.readings, part.readings);
    sum.retries += part.retries;
    for (const [field, count] of Object.entries(part.missingFields)) add(sum.missingFields, field, count);
    for (const [endpoint, count] of Object.entries(part.cutOff)) add(sum.cutOff, endpoint, count);
  }
  return sum;
}

/** Counts what happens while a batch is collected. */
export interface Tally {
  readonly coverage: Coverage;
  request(endpoint: string, status: string): void;
  retry(): void;
  /** How something that the interface leaves unsaid was read, and how many times. */
  reading(of: string, was: string, times?: number): void;
  missingField(field: string, times?: number): void;
  cutOff(endpoint: string): void;
}

/** The distinct words kept of one reading: a service may name its wrappers as it likes, a receipt has an end. */
const wordsKept = 20;

/** A tally that begins at nothing. */
export function createTally(): Tally {
  const coverage = emptyCoverage();
  return {
    coverage,
    request: (endpoint, status) => add((coverage.requests[endpoint] ??= {}), status, 1),
    retry: () => {
      coverage.retries += 1;
    },
    reading: (of, was, times = 1) => {
      const words = (coverage.readings[of] ??= {});
      const before = words[was];
      // Nearly always it was met before: the rest costs as much again, for every list.
      if (before !== undefined) {
        words[was] = before + times;
        return;
      }
      const word = was.slice(0, 60);
      add(words, word in words || Object.keys(words).length < wordsKept ? word : 'other', times);
    },
    missingField: (field, times = 1) => add(coverage.missingFields, field, times),
    cutOff: (endpoint) => add(coverage.cutOff, endpoint, 1),
  };
}
