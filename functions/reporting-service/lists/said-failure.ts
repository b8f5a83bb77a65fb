import { wordsOf } from '../../domain/words.ts';
import { isObject } from '../json.ts';
import type { RawHeaders } from '../requests/exchange.ts';

/** Words of an answer's own `status` that say that it has no result, or none yet. */
const ofNoAnswer = /^(?:error|fail|failed|failure|processing|pending|queued|running|in_progress)$/i;
/** What may stand beside `error` in the name of a stated error: `errorMessage`, `error_code`. */
const ofError = /^(?:message|msg|code|description|details?|text|reason|type|id)$/;

/** Whether a list under this name describes the answer: such a list is never its rows. */
export function isAboutTheAnswer(name: string): boolean {
  return isOfError(name) || /^(?:warnings|messages)$/i.test(name);
}

function isOfError(name: string): boolean {
  const [first, ...others] = wordsOf(name);
  return (first === 'error' || first === 'errors') && others.every((word) => ofError.test(word));
}

/**
 * Whether a 2xx answer says that the request failed: the interface describes no errors, and a list beside a failure would be
 * taken for the whole one. An error that is null, false, 0 or empty states none.
 */
export function saysFailure(said: unknown, headers: RawHeaders): boolean {
  // RFC 9457.
  if (/^application\/problem\+json\b/i.test(headers.get('content-type') ?? '')) return true;
  if (!isObject(said)) return false;
  const { success, ok, status } = said;
  if (success === false || ok === false) return true;
  if (Object.entries(said).some(([name, value]) => isOfError(name) && saysSomething(value))) return true;
  if (typeof status === 'string' && ofNoAnswer.test(status)) return true;
  return ['status', 'statusCode', 'code'].some((name) => Number(said[name]) >= 400 && Number(said[name]) < 600);
}

/** Whether a value is more than nothing: neither null, false or zero, nor a text of one of these, nor empty. */
export function saysSomething(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(saysSomething);
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string') return !['', '0', 'false', 'null', 'none'].includes(value.trim().toLowerCase());
  return Boolean(value);
}
