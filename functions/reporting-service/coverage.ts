import * as v from 'valibot';
import { addCount, countsSchema, createCounts, nestedCountsSchema, type Counts } from '../domain/counts-by-word.ts';

/** What was asked of the service and how its answers were read. Counts only: no identifier, no name, no address. */
export const coverageSchema = v.object({
  /** Requests by endpoint and status; a request without an answer counts under the failure's own word. */
  requests: nestedCountsSchema,
  /** Requests that repeat one before. */
  retries: v.number(),
  /** For each thing that the interface does not specify, how it was read, and how often. */
  readings: nestedCountsSchema,
  /** Documented fields that an answer lacked. */
  missingFields: countsSchema,
  /** Lists that may be cut off: they state more than they gave, and no way on. By endpoint; the reading `sign of more` names what said so. */
  cutOff: countsSchema,
});

export type Coverage = v.InferOutput<typeof coverageSchema>;

/** The coverage before the first request. */
export function emptyCoverage(): Coverage {
  return {
    requests: createCounts<Counts>(),
    retries: 0,
    readings: createCounts<Counts>(),
    missingFields: createCounts(),
    cutOff: createCounts(),
  };
}

/** The sum of several coverages. */
export function mergeCoverage(parts: readonly Coverage[]): Coverage {
  const sum = emptyCoverage();
  for (const part of parts) {
    sum.retries += part.retries;
    for (const name of ['missingFields', 'cutOff'] as const) addAll(sum[name], part[name]);
    for (const name of ['requests', 'readings'] as const) {
      for (const [outer, inner] of Object.entries(part[name])) addAll((sum[name][outer] ??= createCounts()), inner);
    }
  }
  return sum;
}

function addAll(into: Counts, from: Counts): void {
  for (const [word, count] of Object.entries(from)) addCount(into, word, count);
}

/** How many requests were made. */
export function countRequests({ requests }: Pick<Coverage, 'requests'>): number {
  const counts = Object.values(requests).flatMap((byStatus) => Object.values(byStatus));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Counts what happens while a batch is collected. */
export type Tally = ReturnType<typeof createTally>;

/** Ends the name of a sign that is an address: no setting says that it is none. */
export const addressMark = ' (an address)';

/** Distinct words that are kept of one reading: a service may name its wrappers as it likes, a receipt must stay small. */
const wordsKept = 20;

/** A tally that begins with an empty coverage. */
export function createTally() {
  const coverage: Coverage = emptyCoverage();
  /** Counts how something that the interface does not specify was read. */
  const reading = (subject: string, wording: string): void => {
    const words = (coverage.readings[subject] ??= createCounts());
    const word = wording.slice(0, 60);
    addCount(words, word in words || Object.keys(words).length < wordsKept ? word : 'other');
  };
  return {
    coverage,
    reading,
    request: (endpoint: string, status: string): void =>
      addCount((coverage.requests[endpoint] ??= createCounts()), status),
    retry: (): void => void (coverage.retries += 1),
    missingField: (field: string): void => addCount(coverage.missingFields, field),
    /** Counts a list that may be cut off, and the name that says so; of an address, that it is one. */
    cutOff: (endpoint: string, sign?: { name: string; address?: string }): void => {
      addCount(coverage.cutOff, endpoint);
      if (sign !== undefined)
        reading('sign of more', sign.address === undefined ? sign.name : `${sign.name.slice(0, 40)}${addressMark}`);
    },
  };
}
