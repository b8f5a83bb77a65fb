import { readDeliveries } from '../../../functions/collect/list.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import { addCount, createCounts } from '../../../functions/domain/counts.ts';
import type { ListedDelivery } from '../../../functions/ledger/runs/collections.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import type { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { attempt, readingsOf, signsOfMore, type ExaminedAccount } from './account.ts';
import { fault, good, info, look, type Finding } from './finding.ts';

/** So many pages of the list are read: they show how it pages. */
const mostPages = 4;
/** Other paths at which a service may have its list of deliveries, tried where it is not at the configured one. */
const otherPaths = [
  '/v1/deliveries',
  '/v1/broadcasts/deliveries/recent',
  '/v1/broadcasts',
  '/v1/broadcasts/deliveries',
];

/**
 * Reads the list of deliveries as the collector does: its path, wrapper, paging, fields and statuses. Returns the wanted
 * deliveries for the checks that follow; where none has a wanted status, all others.
 */
export async function examineList(
  account: ExaminedAccount,
): Promise<{ findings: Finding[]; deliveries: ListedDelivery[] }> {
  const tally = createTally();
  const pages = await attempt(() => firstPages(account.connect(tally).deliveries(), mostPages));
  if ('error' in pages) return { findings: [await describeMissingList(account, pages.error)], deliveries: [] };
  const rows = pages.value.reduce((sum, page) => sum + page.rows.length, 0);
  // The checks are about the service, whichever broadcasts the report is of.
  const { broadcastName: _broadcastName, ...report } = account.report;
  const { deliveries } = await readDeliveries(pages.value, report, tally);
  const wanted = deliveries.filter(({ status }) => isWantedStatus(status, report));
  const [wrapper] = readingsOf(tally, 'deliveries wrapper');
  const found = `${account.settings.deliveries.path} lists ${rows} deliveries, in an ${wrapper}.`;
  const findings = [
    { ...good('list', found), sample: account.sample('deliveries', false) },
    describePaging(tally),
    ...describeFields(tally, rows > 0 && deliveries.length === 0),
    describeStatuses(report.statuses, deliveries, wanted.length),
  ];
  return { findings, deliveries: wanted.length > 0 ? wanted : deliveries };
}

/** The first pages of a list, as many as there are up to `most`. */
export async function firstPages(pages: AsyncIterable<ListPage>, most: number): Promise<ListPage[]> {
  const first: ListPage[] = [];
  for await (const page of pages) if (first.push(page) === most) break;
  return first;
}

/** Why the list is unavailable, and which setting may help. Where it is not at its path, a few others are tried. */
async function describeMissingList(account: ExaminedAccount, error: UnavailableError): Promise<Finding> {
  const { reason, status } = error.unavailable;
  if (reason === 'unreadable')
    return fault('list', `${error.message}. No setting says which list is meant: ask the maintainers of this code.`);
  if (reason === 'refused' && status !== 405) {
    const value = 'the parameters that the service asks for, such as {"from": "…"}';
    return fault('list', `${error.message}. It may need parameters.`, { name: 'service.deliveries.query', value });
  }
  if (status !== 404 && status !== 405 && reason !== 'redirected') return fault('list', `${error.message}.`);
  const { query, path: configured } = account.settings.deliveries;
  const name = 'service.deliveries.path';
  for (const path of otherPaths.filter((other) => other !== configured)) {
    const service = account.connect(createTally(), { deliveries: { path, query } });
    const found = await attempt(() => firstPages(service.deliveries(), 1));
    if ('value' in found)
      return fault('list', `${error.message}. There is a list at another path.`, { name, value: path });
  }
  return fault('list', `${error.message}.`, { name, value: "the path that the account's documentation gives" });
}

function describePaging(tally: Tally): Finding {
  if ((tally.coverage.cutOff['deliveries'] ?? 0) > 0) {
    const value = 'the parameters that make the service list all, such as {"limit": "1000"}';
    const more = `The list says that there is more (${signsOfMore(tally)}), but not in a way that can be followed`;
    const found = `${more}: it may be cut off. If the name means something else, add it to "service.notPaging".`;
    return look('paging', found, { name: 'service.deliveries.query', value });
  }
  const [paging = 'none'] = readingsOf(tally, 'paging');
  return good('paging', paging === 'none' ? 'The list comes in one page.' : `The list continues by ${paging}.`);
}

function describeFields({ coverage }: Tally, isUnreadable: boolean): Finding[] {
  if (isUnreadable) return [fault('deliveries', 'No row of the list has an id.')];
  const missing = Object.keys(coverage.missingFields);
  if (missing.length === 0) return [];
  return [info('deliveries', `Documented fields are missing in some rows: ${missing.join(', ')}.`)];
}

function describeStatuses(
  configured: readonly string[],
  deliveries: readonly ListedDelivery[],
  wanted: number,
): Finding {
  if (deliveries.length === 0)
    return look(
      'statuses',
      'The list is empty: nothing further can be examined. Try again once something has been sent.',
    );
  const counts = createCounts();
  for (const { status } of deliveries) addCount(counts, status);
  const met = Object.entries(counts)
    .map(([status, times]) => `${times} ${status.slice(0, 40)}`)
    .join(', ');
  const name = 'reports[].statuses';
  if (wanted === 0) {
    const value = JSON.stringify(Object.keys(counts));
    return fault('statuses', `No delivery has a wanted status: ${met}.`, { name, value });
  }
  if (wanted === deliveries.length) return good('statuses', `All deliveries have a wanted status: ${met}.`);
  const wantedNames = configured.join(', ');
  return info('statuses', `Deliveries with a status other than ${wantedNames} ("${name}") are only counted: ${met}.`);
}
