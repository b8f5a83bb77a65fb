import type { ReportNames } from '../../functions/domain/report-names.ts';

/** A report that never had another name. */
export function reportNamed(name: string): ReportNames {
  return { name, formerly: [] };
}
