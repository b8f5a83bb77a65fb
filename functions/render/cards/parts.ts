/** A part of a card: a line, figures side by side, or rows on a ground of their own, of which each begins in bold. */
export type Part =
  | { line: 'title' | 'strong' | 'plain' | 'quiet'; text: string }
  | { figures: string[][] }
  | { ground: 'good' | 'warning'; rows: string[][] };

/** A whole card: its parts from the top, and the link below them. */
export interface Card {
  locale: string;
  parts: Part[];
  link: { label: string; link: string } | null;
}
