import { isObject } from '../json.ts';
import { saysSomething } from './paging-objects.ts';

/** Words of a `status` that is an answer's own, and says that the answer is none yet, or never will be. */
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

/** Lists under these names are about the answer, and never its rows. */
export const listsAboutTheAnswer: ReadonlySet<string> = new Set(['errors', 'warnings', 'messages']);

/**
 * Whether the body of a list says that it is none, under whatever status it came: the interface describes no errors, and
 * a failure in an envelope with an empty list would pass for a list of nobody.
 */
export function saysFailure(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { success, ok, error, errors, status } = body;
  if (success === false || ok === false || saysSomething(error) || saysSomething(errors)) return true;
  if (typeof status === 'string' && statusesOfNoAnswer.has(status.toLowerCase())) return true;
  return namesOfCodes.some((name) => Number(body[name]) >= 400 && Number(body[name]) < 600);
}
