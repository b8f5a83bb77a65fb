/**
 * A report by its names. The ledger's keys hold the name, case included, so what it knows of a report may be stored under
 * any of them: whoever reads takes all, whoever writes takes the present one.
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
export function reportCalled<R extends ReportNames>(reports: readonly R[], name: string): R | undefined {
  return reports.find((report) => report.name === name) ?? reports.find(({ formerly }) => formerly.includes(name));
}

/** The names of the report that is called so, or was; of one that is not configured, this name alone. */
export function namesFor(reports: readonly ReportNames[], name: string): ReportNames {
  return reportCalled(reports, name) ?? { name, formerly: [] };
}
