/** A row of the table: one measurement against what it is held up to. */
export interface Row {
  what: string;
  against: string;
  /** What was measured, in words with units. */
  measured: string;
  /** The figure that the target is about: mostly a ratio. */
  figure: number;
  target: string;
  /** `null` where there is nothing to hold it to. */
  met: boolean | null;
  /** What bounds it, or what it is made of. */
  note?: string;
}

/** How much is measured. */
export interface Extent {
  /** Repetitions of each measurement, of which the median counts. */
  times: number;
  /** The short form proves that everything works, with small amounts; its figures say little. */
  short: boolean;
}
