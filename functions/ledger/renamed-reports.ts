import * as v from 'valibot';
import { readLeftReports, readReport, readReportsWithPersons, reportKey, type Named } from './reports.ts';
import type { Table } from './table.ts';

/**
 * Why a report of a configuration, `reports`, is neither switched on nor run for the first time: the ledger has subscribers of one
 * that the configuration has no more and that nobody retired. Under a new name it would mail who left the old one. Else `null`.
 */
export async function whyMaybeRenamed(table: Table, { name }: Named, reports: readonly Named[]) {
  if ((await readReport(table, { name }))?.leastKeepMonths !== undefined) return null;
  const gone = await readLeftReports(table, reports);
  const others = gone.length === 0 ? [] : (await readReportsWithPersons(table)).filter((other) => gone.includes(other));
  if (others.length === 0) return null;
  return (
    `The ledger has subscribers of "${others.join('", "')}", which cdk.json no longer has. If "${name}" is that report, give it ` +
    `its name back and change its "title". If that one has ended: npm run ops -- retire ${others[0]}`
  );
}

const movedSchema = v.object({ movedTo: v.string(), firstSeenAt: v.optional(v.string(), '') });

/**
 * What a report is called now that an order names, or a link that was made at `madeMs`. The release before could move a report to
 * another name: what has its name since is another report, which no link from before means.
 */
export async function readPresentName(
  table: Table,
  name: string,
  reports: readonly Named[],
  madeMs = Infinity,
): Promise<string> {
  // An order means the report that has the name now.
  const isConfigured = reports.some((report) => report.name === name);
  if (isConfigured && madeMs === Infinity) return name;
  const moved = v.safeParse(movedSchema, await table.get(reportKey(name)));
  if (!moved.success) return name;
  const { movedTo, firstSeenAt } = moved.output;
  const isMoved = !isConfigured || madeMs < Date.parse(firstSeenAt);
  return isMoved ? await readPresentName(table, movedTo, reports, madeMs) : name;
}
