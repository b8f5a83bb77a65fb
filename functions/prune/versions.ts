import { DeleteFunctionCommand, paginateListVersionsByFunction, type LambdaClient } from '@aws-sdk/client-lambda';

/** A published version of a function. */
export interface PublishedVersion {
  version: string;
  /** When it was published, epoch milliseconds. */
  publishedAt: number;
}

/**
 * Of a function's published versions, those that no run can need: replaced by a later one for longer than a run can last.
 * The latest is never among them.
 */
export function versionsToPrune(
  versions: readonly PublishedVersion[],
  { keepHours, now }: { keepHours: number; now: number },
): string[] {
  const inOrder = versions.toSorted((a, b) => Number(a.version) - Number(b.version));
  return inOrder
    .filter((_, index) => {
      const replacedAt = inOrder[index + 1]?.publishedAt;
      return replacedAt !== undefined && now - replacedAt > keepHours * 3_600_000;
    })
    .map(({ version }) => version);
}

/** Removes the versions of a function that no run can need. Gives them. */
export async function pruneVersions(
  client: LambdaClient,
  { functionName, keepHours, now }: { functionName: string; keepHours: number; now: number },
): Promise<string[]> {
  const versions: PublishedVersion[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName: functionName })) {
    for (const { Version = '', LastModified = '' } of page.Versions ?? []) {
      // Besides the numbered ones there is "$LATEST", which is no version.
      if (/^\d+$/.test(Version)) versions.push({ version: Version, publishedAt: Date.parse(LastModified) });
    }
  }
  const pruned = versionsToPrune(versions, { keepHours, now });
  for (const Qualifier of pruned) {
    await client.send(new DeleteFunctionCommand({ FunctionName: functionName, Qualifier }));
  }
  return pruned;
}
