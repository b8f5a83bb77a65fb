import { collectRecipients } from '../../../functions/collect/batch.ts';
import type { Engagement, ListedDelivery } from '../../../functions/ledger/runs/collections.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import { isMissing, judgeUnavailable, readingsOf, signsOfMore, type ExaminedAccount } from './account.ts';
import { fault, good, info, look, type Finding } from './finding.ts';

/** The recipients of so many deliveries are asked for. */
const mostAsked = 8;

/** A delivery that has recipients. */
export interface SampleDelivery {
  delivery: ListedDelivery;
  engagement: Engagement;
  /** Its recipients, masked. */
  sample: unknown;
}

/**
 * Collects the recipients of some deliveries: rows, fields and dates. Returns those deliveries that have any, for the checks
 * that follow.
 */
export async function examineRecipients(
  account: ExaminedAccount,
  deliveries: readonly ListedDelivery[],
): Promise<{ findings: Finding[]; samples: SampleDelivery[] }> {
  const tally = createTally();
  const service = account.connect(tally);
  const samples: SampleDelivery[] = [];
  const missing: Array<{ what: string; unavailable: Unavailable }> = [];
  let read = 0;
  for (const delivery of deliveries.slice(0, mostAsked)) {
    const work = { delivery, createdAt: null };
    const { engagement, unavailable } = await collectRecipients(work, { service, tally, bounds: account.bounds });
    const sample = account.sample('recipients', true);
    if (unavailable !== undefined) {
      missing.push({ what: `The recipient list of delivery ${delivery.id}`, unavailable });
      if (isMissing(unavailable)) continue;
      break;
    }
    read += 1;
    if (engagement !== undefined && engagement.listed > 0) samples.push({ delivery, engagement, sample });
  }
  const ofMissing = missing.map((each) => judgeUnavailable('recipients', { ...each, othersRead: read > 0 }));
  const [first] = samples;
  if (first === undefined) {
    const none = look('recipients', 'Nobody has engaged with the deliveries examined: try again once someone has.');
    return { findings: [...ofMissing, ...(read > 0 ? [none] : []), ...describeFields(tally)], samples };
  }
  const [wrapper = 'bare'] = readingsOf(tally, 'recipient row');
  const shape = wrapper === 'bare' ? '' : `, each in ${wrapper}`;
  const lists = good('recipients', `A recipient list has ${first.engagement.listed} rows${shape}.`);
  const findings = [
    { ...lists, sample: first.sample },
    ...ofMissing,
    ...describeFields(tally),
    ...describeUnseen(samples),
    ...describeDates(tally, account.report.schedule.timeZone),
  ];
  return { findings, samples };
}

function describeFields(tally: Tally): Finding[] {
  const missing = Object.keys(tally.coverage.missingFields);
  const more = signsOfMore(tally);
  const notPaging = { name: 'service.notPaging', value: `[${more}], if that means something else` };
  return [
    ...(missing.length === 0 ? [] : [fault('recipients', `Documented fields are missing: ${missing.join(', ')}.`)]),
    ...(more === '' ? [] : [look('paging', `A recipient list says that there is more (${more}).`, notPaging)]),
  ];
}

/** A recipient who has not seen anything is on the list for a response, or because this service lists everybody. */
function describeUnseen(samples: readonly SampleDelivery[]): Finding[] {
  const unseen = samples.reduce((sum, { engagement }) => sum + engagement.listed - engagement.seen, 0);
  if (unseen === 0) return [];
  return [
    info('responses', `${unseen} recipients are listed who have not seen anything: they are not counted as views.`),
  ];
}

function describeDates(tally: Tally, timeZone: string): Finding[] {
  const formats = readingsOf(tally, 'dates');
  if (formats.length === 0) return [];
  const readable = formats.filter((format) => format !== 'unreadable').join(', ') || 'none that can be read';
  const needsZone = formats.includes('ISO 8601 without offset') || formats.includes('date only');
  const setting = { name: 'reports[].timeZone', value: "the zone of the account's clock, where it is another" };
  const unreadable = tally.coverage.readings['dates']?.['unreadable'] ?? 0;
  return [
    needsZone
      ? look('dates', `Dates are written as ${readable}, which is read in ${timeZone}.`, setting)
      : good('dates', `Dates are written as ${readable}.`),
    ...(unreadable === 0
      ? []
      : [look('dates', `${unreadable} dates cannot be read: they count as seen, at an unknown time.`)]),
  ];
}
