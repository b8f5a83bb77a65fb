import { collectBroadcast } from '../../../functions/collect/batch.ts';
import { collectContent } from '../../../functions/collect/contents.ts';
import type { Engagement, Found, Work } from '../../../functions/ledger/runs/collections.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import { areAudiences, haveUntouched } from '../../../functions/run/collection/collected.ts';
import { isMissing, judgeUnavailable, type ExaminedAccount } from './account.ts';
import { examineTypes } from './content-types.ts';
import { good, look, type Finding } from './finding.ts';
import { examineRatings } from './ratings.ts';
import type { SampleDelivery } from './recipients.ts';

/** So many content items are asked for, one of each type. */
const mostItems = 12;

/** A content item whose list was read, with what its delivery's own list says. */
export interface SampleContent {
  work: Work<'contents'>;
  found: Found<'contents'>;
  /** How the item's answers were read. */
  tally: Tally;
  engagement: Engagement;
  ofDelivery: Engagement;
}

/** Examines each delivery's broadcast and one content item of each type: who is on its list, and its ratings. */
export async function examineContents(
  account: ExaminedAccount,
  samples: readonly SampleDelivery[],
): Promise<Finding[]> {
  const { findings, missing, contents, types } = await collectSamples(account, samples);
  const read = { broadcast: findings.length > 0, 'content items': contents.length > 0 };
  findings.push(...missing.map(({ check, ...each }) => judgeUnavailable(check, { ...each, othersRead: read[check] })));
  if (types.length > 0) {
    const items = contents.map(({ work, engagement }) => ({ ...engagement, type: work.content.type }));
    findings.push(examineTypes(types, items, account.settings.informingTypes));
  }
  if (contents.length === 0) return findings;
  return [...findings, ...describeAudience(account, contents), await examineRatings(account, contents)];
}

/** What was read of broadcasts and content items, what is missing, and the types that were met. */
interface Samples {
  findings: Finding[];
  missing: Missing[];
  contents: SampleContent[];
  types: string[];
}

async function collectSamples(account: ExaminedAccount, samples: readonly SampleDelivery[]): Promise<Samples> {
  const collected: Samples = { findings: [], missing: [], contents: [], types: [] };
  const service = account.connect(createTally());
  for (const { delivery, engagement } of samples) {
    const { id } = delivery.broadcast;
    const { broadcast, unavailable } = await collectBroadcast(id, { service, bounds: account.bounds });
    if (unavailable !== undefined) {
      collected.missing.push({ check: 'broadcast', what: `Broadcast ${id}`, unavailable });
      if (isMissing(unavailable)) continue;
      break;
    }
    if (collected.findings.length === 0) collected.findings.push(describeBroadcast(account));
    for (const content of broadcast?.contents ?? [])
      await collectSample(account, collected, {
        work: { delivery: delivery.id, content, createdAt: null },
        ofDelivery: engagement,
      });
  }
  return collected;
}

/** Something that was asked for and is unavailable. */
interface Missing {
  check: 'broadcast' | 'content items';
  what: string;
  unavailable: Unavailable;
}

/** Collects a content item, if it is the first of its type that can be read. It has a tally of its own, to show how its ratings were read. */
async function collectSample(
  account: ExaminedAccount,
  { findings, missing, contents, types }: Samples,
  { work, ofDelivery }: Pick<SampleContent, 'work' | 'ofDelivery'>,
): Promise<void> {
  const { type } = work.content;
  types.push(type);
  const isKnown = contents.some(({ work: known }) => known.content.type === type);
  if (isKnown || contents.length === mostItems) return;
  const tally = createTally();
  const { ratingFilter } = account.settings;
  const found = await collectContent(work, {
    service: account.connect(tally),
    tally,
    bounds: account.bounds,
    ratingFilter,
  });
  const sample = account.sample('content-recipients', true);
  const { engagement, unavailable } = found;
  const what = `A content item of type "${type.slice(0, 40)}"`;
  if (unavailable !== undefined) missing.push({ check: 'content items', what, unavailable });
  if (engagement === undefined) return;
  findings.push({ ...good('content items', `${what} lists ${engagement.listed} recipients.`), sample });
  contents.push({ work, found, tally, engagement, ofDelivery });
}

function describeBroadcast(account: ExaminedAccount): Finding {
  return { ...good('broadcast', 'A broadcast names its content items.'), sample: account.sample('broadcast', false) };
}

/** Who is on the lists, by the rule by which a run decides it over all of its lists, with the counts of these few. */
function describeAudience({ settings }: ExaminedAccount, contents: readonly SampleContent[]): Finding[] {
  const own = [...new Set(contents.map(({ ofDelivery }) => ofDelivery))];
  const items = contents.map(({ engagement, ofDelivery }) => ({ item: engagement, own: ofDelivery }));
  const lists = contents.map(({ engagement }) => engagement);
  return [
    judgeAudience('delivery lists', own, haveUntouched(own), {
      name: 'service.deliveryRecipients',
      value: settings.deliveryRecipients,
    }),
    judgeAudience('content lists', lists, areAudiences(items), {
      name: 'service.contentRecipients',
      value: settings.contentRecipients,
    }),
  ];
}

function judgeAudience(
  check: string,
  lists: readonly Engagement[],
  isAudience: boolean,
  { name, value: configured }: { name: string; value: 'auto' | 'audience' | 'engaged' },
): Finding {
  const rows = lists.reduce((sum, { listed }) => sum + listed, 0);
  const untouched = lists.reduce((sum, list) => sum + list.untouched, 0);
  const who = isAudience ? 'the audience' : 'those who engaged';
  const found = `${untouched} of ${rows} rows are of people who did nothing yet: the lists are read as ${who}.`;
  const value = isAudience ? 'audience' : 'engaged';
  if (configured === 'auto' || configured === value) return good(check, found);
  return look(check, `${found} The setting says otherwise.`, { name, value: `"${value}"` });
}
