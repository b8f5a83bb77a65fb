import type { CsvFile } from '../render/csv.ts';

/** A request for a digest's page, or for one of its files. */
export interface PageRequest {
  method: string;
  /** The link's id, the run where one is named, and which of its files is asked for; `null` where the path is not that of a link. */
  link: { id: string; run: string | null; file: CsvFile | null } | null;
  acceptsGzip: boolean;
}

/** Why there is no digest to show. */
export const refusals = ['invalid', 'expired', 'replaced', 'readOnly', 'tooLarge', 'busy'] as const;
export type Refusal = (typeof refusals)[number];
