import * as v from 'valibot';

/** Why something is not available from the service. Stable words: they are part of `digest.json` and keys of the locales. */
const reasonSchema = v.picklist([
  'forbidden',
  'not-found',
  'gone',
  'refused',
  'redirected',
  'failed',
  'unreadable',
  'too-large',
  'cut-off',
  'list-empty',
  'dates-unreadable',
  'incomplete',
]);
export type Reason = v.InferOutput<typeof reasonSchema>;

/** Why a figure is `null`: the reason, and the HTTP status where the service gave one. */
export const unavailableSchema = v.object({ reason: reasonSchema, status: v.exactOptional(v.number()) });
export type Unavailable = v.InferOutput<typeof unavailableSchema>;

/** Not found and gone are final answers: what they are said of will not be there next time. */
export function isGoneForGood({ reason }: Unavailable): boolean {
  return reason === 'not-found' || reason === 'gone';
}
