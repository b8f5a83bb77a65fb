import * as v from 'valibot';
import { longestPageToken } from '../signed-links/page-token.ts';

const eventSchema = v.object({
  rawPath: v.string(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  requestContext: v.object({ http: v.object({ method: v.string() }) }),
});

/** A request for a digest's page, or for its file. */
export interface PageRequest {
  method: string;
  /** The token of the link, and the name of the file where one is asked for; `null` where the path is not that of a link. */
  link: { token: string; file: string | null } | null;
  acceptsGzip: boolean;
}

/** A token, and below it the name of a file. */
const path = new RegExp(`^/([\\w.-]{1,${longestPageToken}})(?:/([\\w-]{1,64}\\.csv))?$`);

/**
 * Reads the event of a function URL (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one. A path that is too long for a link, or has other characters, is not looked into.
 */
export function readPageRequest(event: unknown): PageRequest {
  const { rawPath, headers, requestContext } = v.parse(eventSchema, event);
  const [, token, file = null] = path.exec(rawPath) ?? [];
  return {
    method: requestContext.http.method,
    link: token === undefined ? null : { token, file },
    acceptsGzip: acceptsGzip(headers['accept-encoding'] ?? ''),
  };
}

/** Whether a client takes gzip (RFC 9110, section 12.5.3): named, and not with a weight of 0. */
function acceptsGzip(accepted: string): boolean {
  return accepted.split(',').some((coding) => {
    const [name = '', ...parameters] = coding.toLowerCase().replaceAll(/\s/g, '').split(';');
    return (name === 'gzip' || name === '*') && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each));
  });
}
