import { wordsOf } from './signs-of-more.ts';
import type { Tally } from '../coverage.ts';
import { isObject } from '../json.ts';
import { labelOf, type ServiceRequest, type ServiceResponse } from '../requests/http.ts';
import { UnavailableError } from '../unavailable.ts';

/** Words of an answer's own `status` that say that it has no result, or none yet. */
const ofNoAnswer = /^(?:error|fail|failed|failure|processing|pending|queued|running|in_progress)$/i;
/** What may stand beside `error` in the name of a stated error: `errorMessage`, `error_code`. */
const ofError = /^(?:message|msg|code|description|details?|text|reason|type|id)$/;
/** How many lists an error names; of further ones it gives the number. */
const mostListsNamed = 3;

/**
 * The rows of an answer, and the name of the property that they are; `null` where they are the whole body. The interface
 * shows no wrapper: the list is the body if that is an array, else the one array-valued property of the object. Throws
 * `UnavailableError` where there is none, or more than one, or a failure instead. A message beside a list may be about
 * anything, so it is only quoted.
 */
export function unwrapRows(
  { body, headers }: Pick<ServiceResponse, 'body' | 'headers'>,
  request: ServiceRequest,
  tally: Tally,
): { rows: readonly unknown[]; list: string | null } {
  const unreadable = (detail: string): UnavailableError =>
    new UnavailableError(labelOf(request), detail, { reason: 'unreadable' });
  if (saysFailure(body, headers)) throw unreadable('the answer says that it failed');
  const of = `${request.endpoint} wrapper`;
  if (Array.isArray(body)) {
    tally.reading(of, 'array');
    return { rows: body, list: null };
  }
  const said = isObject(body) ? body : {};
  const message = said['message'];
  if (typeof message === 'string' && !message.includes('@')) tally.reading('message', message);
  const lists = Object.entries(said).flatMap(([name, rows]) =>
    Array.isArray(rows) && (rows.length > 0 || !isAboutTheAnswer(name)) ? [{ name, rows }] : [],
  );
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0 && !isAboutTheAnswer(only.name)) {
    tally.reading(of, `object with "${only.name}"`);
    return { rows: only.rows, list: only.name };
  }
  const named = lists.slice(0, mostListsNamed).map(({ name }) => `"${name.slice(0, 60)}"`);
  if (lists.length > mostListsNamed) named.push(`${lists.length - mostListsNamed} more`);
  const found = lists.length === 0 ? 'none' : named.join(' and ');
  throw unreadable(`expected a list or an object with one list in it, found ${found}`);
}

/** Whether a list under this name describes the answer: such a list is never its rows. */
function isAboutTheAnswer(name: string): boolean {
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
function saysFailure(said: unknown, headers: Headers): boolean {
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
function saysSomething(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(saysSomething);
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string') return !['', '0', 'false', 'null', 'none'].includes(value.trim().toLowerCase());
  return Boolean(value);
}
