import type { LoopbackAnswer } from '../loopback.ts';
import { jsonAnswer, jsonError } from '../json-answer.ts';
import { functionArn } from './lambda-function.ts';

/** The published versions of a function: by number, when each was published, ISO 8601. */
export type PublishedVersions = Map<string, string>;

/** Answers ListVersionsByFunction, in one page. */
export function listVersions(functionName: string, versions: PublishedVersions): LoopbackAnswer {
  const configuration = (Version: string, LastModified?: string): unknown => ({
    FunctionName: functionName,
    FunctionArn: `${functionArn(functionName)}:${Version}`,
    Version,
    LastModified,
  });
  const published = Array.from(versions, ([version, at]) => configuration(version, at));
  return jsonAnswer(200, { Versions: [configuration('$LATEST'), ...published] });
}

/** Answers DeleteFunction of one version. Without a version it would remove the function: that is not emulated. */
export function deleteVersion(qualifier: string | null, versions: PublishedVersions): LoopbackAnswer {
  if (qualifier === null) {
    return jsonError(400, 'InvalidParameterValueException', 'The embedded Lambda removes versions, not functions.');
  }
  if (!versions.delete(qualifier)) return jsonError(404, 'ResourceNotFoundException', 'There is no such version.');
  return { status: 204, headers: {}, body: '' };
}
