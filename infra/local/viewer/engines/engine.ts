export type Scheme = 'light' | 'dark';

/** One mail as one reader has it on the screen. */
export interface ShownMail {
  /** A whole page, with the mail's pictures in it. */
  html: string;
  /** The whole message, RFC 5322, with a subject. */
  eml: Buffer;
  subject: string;
  scheme: Scheme;
  /** Pixels. */
  width: number;
  /** Pixels that the mail takes at this width, as far as it is painted. */
  height: number;
}

/** A program that shows mails. */
export interface Engine {
  name: string;
  /** The least width, and the most height, that it can paint; pixels. */
  narrowest: number;
  tallest: number;
  /** Writes a PNG of a mail to the path. Throws where the program fails or takes too long. */
  paint(shown: ShownMail, path: string): Promise<void>;
  close(): Promise<void>;
}

/** What a reader sees before scrolling for long, in pixels; the rest of the longest mails is more of the same. */
export const mostPixels = 6000;
