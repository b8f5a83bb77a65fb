/**
 * A report by its names. The ledger's keys hold the name, case included, so its items on a report may be stored under any
 * of them: read under all of them, and write under the present one.
 */
export interface ReportNames {
  name: string;
  /** The names that the report had before. */
  formerly: readonly string[];
}

/** All names of a report, the present one first. */
export function namesOf({ name, formerly }: ReportNames): string[] {
  return [name, ...formerly];
}

/** The report of that name; where there is none, the one that once had it. */
export function reportByName<R extends ReportNames>(reports: readonly R[], name: string): R | undefined {
  return reports.find((report) => report.name === name) ?? reports.find(({ formerly }) => formerly.includes(name));
}

/** All names of the report that has or had this name; only this name where no such report is configured. */
export function namesFor(reports: readonly ReportNames[], name: string): ReportNames {
  return reportByName(reports, name) ?? { name, formerly: [] };
}
