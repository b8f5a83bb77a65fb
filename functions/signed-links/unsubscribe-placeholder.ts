/**
 * Stands in a rendered mail where each subscriber has a link of their own to leave by. No text of the service or of the
 * configuration can hold it: control characters are taken out of the one and refused in the other.
 */
export const unsubscribePlaceholder = '\u0001leave\u0001';

/** A rendered part of a mail with a subscriber's own link, which has no character that html or a text would escape. */
export function withUnsubscribeLink(part: string, link: string): string {
  return part.replaceAll(unsubscribePlaceholder, () => link);
}
