/** Types of content items that only inform: nobody is expected to respond to them. */
export const defaultInformingTypes: readonly string[] = ['text', 'image', 'video', 'audio', 'file', 'document'];

/** Whether content items of a type expect a response: all do whose type is not among the informing ones, ignoring case. */
export function typeAsks(type: string, informingTypes: readonly string[]): boolean {
  return !informingTypes.some((informing) => informing.toLowerCase() === type.toLowerCase());
}

/** Whether a broadcast asks something: one of its content items does. `null` where its content items are not known. */
export function broadcastAsks(
  contents: ReadonlyArray<{ type: string }> | null | undefined,
  informingTypes: readonly string[],
): boolean | null {
  return contents?.some(({ type }) => typeAsks(type, informingTypes)) ?? null;
}
