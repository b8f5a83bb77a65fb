import { isObject } from '../json.ts';
import { saysSomething } from './paging-objects.ts';

/** Words of an answer's own `status` that say that it has no result, or none yet. */
const statusesOfNoAnswer: ReadonlySet<unknown> = new Set([
  'error',
  'fail',
  'failed',
  'failure',
  'processing',
  'pending',
  'queued',
  'running',
  'in_progress',
]);
const namesOfCodes = ['status', 'statusCode', 'code'] as const;

/** Lists under these names describe the answer; they are never its rows. */
export const listsAboutTheAnswer: ReadonlySet<string> = new Set(['errors', 'warnings', 'messages']);

/**
 * Whether the body of a 2xx answer says that the request failed. The interface describes no errors, and a failure beside
 * an empty list would be taken for a list without rows.
 */
export function saysFailure(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { success, ok, error, errors, status } = body;
  if (success === false || ok === false || saysSomething(error) || saysSomething(errors)) return true;
  if (typeof status === 'string' && statusesOfNoAnswer.has(status.toLowerCase())) return true;
  return namesOfCodes.some((name) => Number(body[name]) >= 400 && Number(body[name]) < 600);
}
