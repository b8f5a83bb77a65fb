import * as v from 'valibot';

const eventSchema = v.object({
  RequestType: v.picklist(['Create', 'Update', 'Delete']),
  ResponseURL: v.pipe(v.string(), v.regex(/^https?:/)),
  StackId: v.string(),
  RequestId: v.string(),
  LogicalResourceId: v.string(),
  ResourceProperties: v.object({ FunctionName: v.string(), KeepHours: v.pipe(v.string(), v.digits()) }),
});

/** What CloudFormation asks in a deployment, and where it waits for the answer. */
export interface Deployment {
  kind: 'Create' | 'Update' | 'Delete';
  functionName: string;
  keepHours: number;
  answer: { url: string; StackId: string; RequestId: string; LogicalResourceId: string };
}

/**
 * Reads the event of a custom resource. Throws a `TypeError` for what is none.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html
 */
export function parseDeployment(event: unknown): Deployment {
  const parsed = v.safeParse(eventSchema, event);
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the event');
    throw new TypeError(`Not an event of a deployment: ${faults.join(', ')}.`);
  }
  const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, ResourceProperties } = parsed.output;
  return {
    kind: RequestType,
    functionName: ResourceProperties.FunctionName,
    keepHours: Number(ResourceProperties.KeepHours),
    answer: { url: ResponseURL, StackId, RequestId, LogicalResourceId },
  };
}

/** Tells CloudFormation, which waits for it, that the deployment may go on. */
export async function answerDeployment({ answer }: Deployment): Promise<void> {
  const { url, ...request } = answer;
  const response = await fetch(url, {
    method: 'PUT',
    body: JSON.stringify({ Status: 'SUCCESS', PhysicalResourceId: 'versions-of-run', ...request }),
    // The address is signed for no content type at all.
    headers: { 'content-type': '' },
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`CloudFormation's address for answers gave ${response.status}.`);
}
