import { readListedDelivery, type ListedDelivery } from '../../../functions/reporting-service/shapes.ts';
import type { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { attempt, type Account } from './account.ts';
import { fault, good, look, type Finding } from './finding.ts';
import { mask } from './mask.ts';

/** Pages of the list that are looked at: how it pages shows at once. */
const mostPages = 4;
/** Where else a service might have its list of deliveries. They are asked for only where it is not at the configured path. */
const otherPaths = [
  '/v1/deliveries',
  '/v1/broadcasts/deliveries/recent',
  '/v1/broadcasts',
  '/v1/broadcasts/deliveries',
];

/** The list of deliveries: its path, wrapper, paging and statuses. Gives what was listed, for the checks that follow. */
export async function examineList(account: Account): Promise<{ findings: Finding[]; listed: ListedDelivery[] }> {
  const { settings, tally } = account;
  const pagedBefore = new Map(Object.entries(tally.coverage.readings['paging'] ?? {}));
  const rows = await attempt(() => readRows(account));
  if ('error' in rows) return { findings: [await missingList(account, rows.error)], listed: [] };
  const listed = rows.value.flatMap((row) => readListedDelivery(row, tally) ?? []);
  const findings = [
    good('list', `${settings.deliveries.path} lists ${rows.value.length} deliveries${wrapperOf(account)}.`),
    describePaging(account, pagedBefore),
    ...describeFields(account, listed.length, rows.value.length),
    ...describeStatuses(account, listed),
  ];
  const [first] = findings;
  if (first !== undefined) first.sample = mask(rows.value.slice(0, 1), false);
  return { findings, listed };
}

async function readRows({ service }: Account): Promise<unknown[]> {
  const rows: unknown[] = [];
  let pages = 0;
  for await (const page of service.deliveries()) {
    for (const row of page.rows) rows.push(row);
    pages += 1;
    if (pages === mostPages) break;
  }
  return rows;
}

/** Where the list is not, it is looked for at a few other paths. */
async function missingList(account: Account, error: UnavailableError): Promise<Finding> {
  const { reason, status } = error.unavailable;
  if (reason === 'unreadable') {
    return fault(
      'list',
      `${error.message}. Which of them is meant cannot be told by a setting: tell whoever looks after the code.`,
    );
  }
  if (reason === 'refused' && status !== 405) {
    const value = 'the parameters that the service asks for, such as {"from": "…"}';
    return fault('list', `${error.message}. It may want parameters.`, { name: 'service.deliveries.query', value });
  }
  if (status !== 404 && status !== 405 && reason !== 'redirected') return fault('list', `${error.message}.`);
  const { query } = account.settings.deliveries;
  for (const path of otherPaths.filter((other) => other !== account.settings.deliveries.path)) {
    const found = await attempt(() =>
      readRows({ ...account, service: account.under({ deliveries: { path, query } }) }),
    );
    if (!('error' in found)) {
      return fault('list', `${error.message}. There is a list at another path.`, {
        name: 'service.deliveries.path',
        value: path,
      });
    }
  }
  const value = "the path that the account's documentation gives";
  return fault('list', `${error.message}.`, { name: 'service.deliveries.path', value });
}

function wrapperOf({ tally }: Account): string {
  const [wrapper = ''] = Object.keys(tally.coverage.readings['deliveries wrapper'] ?? {});
  return wrapper === '' ? '' : `, in an ${wrapper}`;
}

function describePaging({ tally }: Account, before: ReadonlyMap<string, number>): Finding {
  const readings = Object.entries(tally.coverage.readings['paging'] ?? {});
  const [paging = 'none'] = readings.filter(([way, times]) => times > (before.get(way) ?? 0)).map(([way]) => way);
  if ((tally.coverage.cutOff['deliveries'] ?? 0) > 0) {
    const value = 'the parameters that make the service list all, such as {"limit": "1000"}';
    const found = 'The list says that there is more, and no way on that can be followed: it may be cut off.';
    return look('paging', found, { name: 'service.deliveries.query', value });
  }
  return good('paging', paging === 'none' ? 'The list comes in one page.' : `The list goes on by ${paging}.`);
}

function describeFields({ tally }: Account, readable: number, rows: number): Finding[] {
  const missing = Object.keys(tally.coverage.missingFields).filter((field) => field.startsWith('delivery'));
  if (readable === 0 && rows > 0) return [fault('deliveries', 'No row of the list has an id.')];
  if (missing.length === 0) return [];
  return [look('deliveries', `Documented fields are missing in some rows: ${missing.join(', ')}.`)];
}

function describeStatuses({ report }: Account, listed: readonly ListedDelivery[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { status } of listed) counts.set(status ?? 'none', (counts.get(status ?? 'none') ?? 0) + 1);
  const met = [...counts].map(([status, times]) => `${times} ${status.slice(0, 40)}`).join(', ');
  const wanted = listed.filter(({ status }) => status !== null && report.statuses.includes(status)).length;
  const others = [...counts.keys()].filter((status) => !report.statuses.includes(status));
  if (listed.length === 0) return [look('statuses', 'The list is empty: there is nothing to look at further.')];
  const name = 'reports[].statuses';
  const all = { name, value: JSON.stringify(others) };
  if (wanted === 0) return [fault('statuses', `No delivery has a wanted status: ${met}.`, all)];
  if (others.length === 0) return [good('statuses', `All deliveries have a wanted status: ${met}.`)];
  const more = { name, value: `${JSON.stringify(report.statuses)} and those of the others that reached people` };
  return [look('statuses', `Some deliveries have another status and are only counted: ${met}.`, more)];
}
