/** The address of a broadcast; `null` where the settings have none, or the service gave no id. */
export function linkTo(pattern: string | undefined, { id }: { id: string }): string | null {
  if (pattern === undefined || id === '') return null;
  return pattern.replaceAll('{broadcastId}', () => encodeURIComponent(id.toWellFormed()));
}
