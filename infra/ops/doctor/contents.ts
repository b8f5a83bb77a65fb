import { collectBroadcast } from '../../../functions/collect/broadcasts.ts';
import { collectContent } from '../../../functions/collect/contents.ts';
import type { Engagement, Found, Work } from '../../../functions/ledger/runs/collections.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import { describeUnavailable, type ExaminedAccount } from './account.ts';
import { examineTypes } from './content-types.ts';
import { fault, good, look, type Finding } from './finding.ts';
import { examineRatings } from './ratings.ts';
import type { SampleDelivery } from './recipients.ts';

/** So many content items are asked for, one of each type. */
const mostItems = 12;

/** A content item as it was collected. */
interface CollectedContent {
  work: Work<'contents'>;
  found: Found<'contents'>;
  /** The answer with its list, masked. */
  sample: unknown;
  /** How the item's answers were read. */
  tally: Tally;
}

/** A content item whose list was read, with what its delivery's own list says. */
interface SampleContent extends CollectedContent {
  engagement: Engagement;
  ofDelivery: Engagement;
}

/** Collects each delivery's broadcast and one content item of each type: who is on its list, and its ratings. */
export async function examineContents(
  account: ExaminedAccount,
  samples: readonly SampleDelivery[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const contents: SampleContent[] = [];
  const types: string[] = [];
  const service = account.connect(createTally());
  for (const { delivery, engagement: ofDelivery } of samples) {
    const { id } = delivery.broadcast;
    const { broadcast, unavailable } = await collectBroadcast(id, { service, bounds: account.bounds });
    if (unavailable !== undefined) {
      findings.push(fault('broadcast', describeUnavailable(`Broadcast ${id}`, unavailable)));
      break;
    }
    if (findings.length === 0) findings.push(describeBroadcast(account));
    for (const content of broadcast?.contents ?? []) {
      types.push(content.type);
      // One list shows how all of its type are read.
      const isKnown = contents.some(({ work }) => work.content.type === content.type);
      if (isKnown || contents.length === mostItems) continue;
      const collected = await collectSample(account, { delivery: delivery.id, content });
      findings.push(describeContent(collected));
      const { engagement } = collected.found;
      if (engagement !== undefined) contents.push({ ...collected, engagement, ofDelivery });
    }
  }
  if (types.length > 0) {
    const items = contents.map(({ work, engagement }) => ({ ...engagement, type: work.content.type }));
    findings.push(examineTypes(types, items, account.settings.informingTypes));
  }
  if (contents.length === 0) return findings;
  return [...findings, describeAudience(account, contents), await examineRatings(account, contents)];
}

/** Collects a content item with a tally of its own, so that it shows how its ratings were read. */
async function collectSample(account: ExaminedAccount, work: Work<'contents'>): Promise<CollectedContent> {
  const tally = createTally();
  const service = account.connect(tally);
  const { ratingFilter } = account.settings;
  const found = await collectContent(work, { service, tally, bounds: account.bounds, ratingFilter });
  return { found, work, tally, sample: account.sample('content-recipients', true) };
}

function describeBroadcast(account: ExaminedAccount): Finding {
  return { ...good('broadcast', 'A broadcast names its content items.'), sample: account.sample('broadcast', false) };
}

function describeContent({ work, found, sample }: CollectedContent): Finding {
  const item = `A content item of type "${work.content.type.slice(0, 40)}"`;
  if (found.unavailable !== undefined) return fault('content items', describeUnavailable(item, found.unavailable));
  const listed = found.engagement?.listed ?? 0;
  return { ...good('content items', `${item} lists ${listed} recipients.`), sample };
}

/**
 * Who is on the list of a content item: those who engaged with it, or its whole audience, who need not have seen it. With
 * `auto` the collector concludes that from the lists' lengths, which fails where an audience is as short as those who
 * engaged with anything.
 */
function describeAudience({ settings }: ExaminedAccount, contents: readonly SampleContent[]): Finding {
  const configured = settings.contentRecipients;
  const audiences = contents.filter(namesOthers);
  const isAudience = audiences.length > 0;
  const found = isAudience
    ? "A content item's list is its audience: it names people who did not engage."
    : "A content item's list names those who engaged with it.";
  const value = isAudience ? 'audience' : 'engaged';
  const setting = { name: 'service.contentRecipients', value: `"${value}"` };
  if (configured !== 'auto' && configured !== value)
    return fault('content lists', `${found} The setting says otherwise.`, setting);
  const isLonger = ({ engagement, ofDelivery }: SampleContent): boolean => engagement.listed > ofDelivery.listed;
  const isMisread = isAudience ? !audiences.every(isLonger) : contents.some(isLonger);
  if (configured === 'auto' && isMisread)
    return look('content lists', `${found} The lists' lengths say otherwise.`, setting);
  return good('content lists', found);
}

/**
 * Whether a list names people who did not engage. The collector counts views and responses apart, so a response may have
 * come without a view where the delivery's own list shows such. One that is longer than that list names others all the same.
 */
function namesOthers({ engagement: { listed, seen, responded }, ofDelivery }: SampleContent): boolean {
  const mayLackViews = ofDelivery.listed > ofDelivery.seen && listed <= ofDelivery.listed;
  return listed - seen > (mayLackViews ? responded : 0);
}
