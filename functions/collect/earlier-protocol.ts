import * as v from 'valibot';
import type { CollectResponse } from './protocol.ts';

/**
 * What a run of the earlier release asks: it stays on the version that it began on, while the worker is always the newest.
 * It may be collecting while this release is deployed, and it knows the fields by other names.
 */
const earlierSchema = v.looseObject({
  pass: v.string(),
  window: v.unknown(),
  again: v.optional(v.unknown()),
  workers: v.number(),
});

/** A request of either release, by the names of this one. */
export function withPresentNames(event: unknown): unknown {
  const parsed = v.safeParse(earlierSchema, event);
  if (!parsed.success) return event;
  const { pass, window, again, workers: _workers, ...others } = parsed.output;
  return { ...others, phase: pass, bounds: window, ...(again === undefined ? {} : { interrupted: again }) };
}

/** A response by the names of the release whose run asked. */
export function withNamesOf(event: unknown, response: CollectResponse): object {
  const parsed = v.safeParse(earlierSchema, event);
  if (!parsed.success || 'failure' in response) return response;
  const { pass } = parsed.output;
  if ('batches' in response) return { pass, listed: 0, wanted: 0, ...response };
  const { interrupted, ...others } = response;
  return { pass, ...others, again: interrupted };
}
