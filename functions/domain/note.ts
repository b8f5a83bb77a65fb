import * as v from 'valibot';

/** The longest note, in UTF-16 units. */
export const longestNote = 500;

/** What the communications team says with a digest. */
export const noteSchema = v.object({ text: v.string(), by: v.string(), at: v.string() });
export type Note = v.InferOutput<typeof noteSchema>;
