/**
 * The place of each subscriber's own unsubscribe link in a rendered mail. No text of the service or of the configuration
 * can contain it: control characters are removed from the one and refused in the other.
 */
export const unsubscribePlaceholder = '\u0001leave\u0001';

/** A rendered part of a mail with a subscriber's own link, which contains no character that html would escape. */
export function withUnsubscribeLink(part: string, link: string): string {
  return part.replaceAll(unsubscribePlaceholder, () => link);
}
