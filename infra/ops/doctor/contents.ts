import { collectContent } from '../../../functions/collect/contents.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { isSet } from '../../../functions/reporting-service/dates.ts';
import { attempt, type Account } from './account.ts';
import { fault, good, look, type Finding } from './finding.ts';
import { mask } from './mask.ts';
import { readList, recipientOf, type RecipientList, type SampleDelivery } from './recipients.ts';

/** Names under which a service might know a filter by ratings, and fields in which it might put a rating. */
const otherFilters = ['rating', 'ratings', 'rating[]', 'ratings[]', 'score', 'stars', 'value'];
const mostItems = 12;

/** A content item with its list, and the list of its delivery. */
interface SampleContent {
  delivery: string;
  content: { id: string; type: string };
  list: RecipientList;
  ofDelivery: RecipientList;
}

/** One broadcast, one content list a type, who is on such a list, and how ratings are told. */
export async function examineContents(account: Account, samples: readonly SampleDelivery[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const contents: SampleContent[] = [];
  const types = new Set<string>();
  for (const { delivery, list: ofDelivery } of samples) {
    const broadcast = await attempt(() => account.service.broadcast(delivery.broadcast.id));
    if ('error' in broadcast) {
      findings.push(fault('broadcast', `${broadcast.error.message}.`));
      break;
    }
    if (findings.length === 0) findings.push(describeBroadcast(account));
    for (const content of broadcast.value.contents) {
      // One list a type tells all that there is to tell of it.
      if (types.has(content.type) || contents.length === mostItems) continue;
      const list = await attempt(() => readList(account, account.service.contentRecipients(delivery.id, content.id)));
      if ('error' in list) {
        findings.push(fault('content items', `A content item of type "${content.type}": ${list.error.message}.`));
        continue;
      }
      types.add(content.type);
      contents.push({ delivery: delivery.id, content, list: list.value, ofDelivery });
    }
  }
  if (contents.length === 0) return findings;
  return [
    ...findings,
    ...contents.map(describeContent),
    describeAudience(account, contents),
    ...(await examineRatings(account, contents)),
  ];
}

function describeBroadcast({ observed }: Account): Finding {
  const answer = observed.first('broadcast');
  return { ...good('broadcast', 'A broadcast tells its content items.'), sample: mask(answer?.body, false) };
}

function describeContent({ content, list }: SampleContent): Finding {
  const found = `A content item of type "${content.type.slice(0, 40)}" lists ${list.engagement.listed} recipients.`;
  return { ...good('content items', found), sample: mask(list.rows.slice(0, 1), true) };
}

/**
 * Who is on a content item's list: a row that neither saw nor responded is of an audience. By default it is told by the
 * lists' lengths, item by item, which fails where an audience is as short as those who engaged with anything.
 */
function describeAudience({ settings }: Account, contents: readonly SampleContent[]): Finding {
  const longer = contents.filter(({ list, ofDelivery }) => list.engagement.listed > ofDelivery.engagement.listed);
  const withOthers = contents.filter(({ list }) =>
    list.rows.map(recipientOf).some((row) => row !== null && !hasEngaged(row)),
  );
  const audience = withOthers.length > 0;
  const found = audience
    ? "A content item's list is its audience: it names people who did not engage."
    : "A content item's list names those who engaged with it.";
  const name = 'service.contentRecipients';
  const configured = settings.contentRecipients;
  const misread = audience ? withOthers.some((item) => !longer.includes(item)) : longer.length > 0;
  const value = audience ? 'audience' : 'engaged';
  if (configured === 'auto' && misread) {
    return look('content lists', `${found} The lists' lengths say otherwise.`, { name, value: `"${value}"` });
  }
  if (configured !== 'auto' && configured !== value) {
    return fault('content lists', `${found} The setting says otherwise.`, { name, value: `"${value}"` });
  }
  return good('content lists', found);
}

function hasEngaged(row: Readonly<Record<string, unknown>>): boolean {
  return isSet(row['seenAt']) || isSet(row['respondedAt']);
}

async function examineRatings(account: Account, contents: readonly SampleContent[]): Promise<Finding[]> {
  const rating = contents.find(
    ({ content, list }) => content.type.toLowerCase().includes('rating') && list.engagement.responded > 0,
  );
  if (rating === undefined) return [look('ratings', 'No rating that anybody gave was met: the filter was not tried.')];
  const { ratingFilter } = account.settings;
  const tally = createTally();
  const { delivery, content } = rating;
  const bounds = { precedingStart: 0, start: 0, end: 0, timeZone: account.report.timeZone };
  const found = await collectContent({ delivery, content }, { service: account.service, tally, bounds, ratingFilter });
  const [reading] = Object.keys(tally.coverage.readings['ratings'] ?? {});
  if (reading === 'in the rows') return [good('ratings', 'Rows of a rating carry their rating.')];
  if (ratingFilter === 'off')
    return [
      look('ratings', 'Rows carry no rating, and the filter is off: ratings are not told.', {
        name: 'service.ratingFilter',
        value: '{"name": "rating"}',
      }),
    ];
  if (reading === 'by filter') return [describeValues(found.ratings ?? {}, rating)];
  const what = reading === 'filter refused' ? 'refuses' : 'ignores';
  const said = `Rows carry no rating, and the service ${what} the filter "${ratingFilter.name}".`;
  const name = await findFilter(account, rating);
  const value =
    name === null ? '"off", or the name that the service gives the filter' : JSON.stringify({ ...ratingFilter, name });
  return [look('ratings', said, { name: 'service.ratingFilter', value })];
}

function describeValues(ratings: Readonly<Record<string, number>>, { list }: SampleContent): Finding {
  const counted = Object.values(ratings).reduce((sum, each) => sum + each, 0);
  if (counted >= list.engagement.responded) return good('ratings', 'Ratings are counted by the filter.');
  const found = `The filter's values count ${counted} of ${list.engagement.responded} responses: there may be other values.`;
  return look('ratings', found, {
    name: 'service.ratingFilter',
    value: '{"values": [the values that the service knows]}',
  });
}

/** The name of a filter that makes a difference: it leaves some of the rows, and not all. */
async function findFilter(account: Account, { delivery, content, list }: SampleContent): Promise<string | null> {
  const { ratingFilter } = account.settings;
  if (ratingFilter === 'off') return null;
  for (const name of otherFilters.filter((other) => other !== ratingFilter.name)) {
    let sum = 0;
    let refused = false;
    for (const value of ratingFilter.values) {
      const filtered = await attempt(() =>
        readList(account, account.service.contentRecipients(delivery, content.id, { name, value })),
      );
      if ('error' in filtered) {
        refused = true;
        break;
      }
      sum += filtered.value.engagement.listed;
    }
    if (!refused && sum > 0 && sum <= list.engagement.listed) return name;
  }
  return null;
}
