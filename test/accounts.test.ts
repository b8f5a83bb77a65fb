import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { calendars, type Account } from './support/accounts/account.ts';
import { accountArbitrary } from './support/accounts/arbitrary-account.ts';
import { startCheck, type Check } from './support/accounts/check.ts';
import type { KnownGroup } from './support/oracle/groups.ts';
import { knownOf } from './support/oracle/known.ts';
import { endingsOfObjects, ways } from './support/accounts/paging.ts';

const cases = 400;
const seed = 14;
/** A failure is made smaller before it is reported: that takes some hundred runs more. */
const timeout = 300_000;

let check: Check;

beforeAll(async () => {
  check = await startCheck();
});

test(
  'whatever a service answers, each figure of digest, html, text and file is what can be known, or is named as missing',
  { timeout },
  async () => {
    const fault = await check.run({ seed, cases });
    if (fault !== null) expect.fail(fault);
  },
);

/** One delivery that so many have seen, the first of them in the week before, with a rating that as many have given. */
function accountSeenBy(views: number): Account {
  const calendar = calendars[0];
  if (calendar === undefined) throw new Error('There is no calendar.');
  const list = { wrapper: null, way: 'next', ending: 'plain', pageSize: 10, emptyPages: 0 };
  const row = { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:05:00Z', rating: 4 };
  const earlier = { ...row, seenAt: '2026-11-02T08:00:00Z' };
  const rows = [earlier, ...Array.from({ length: views - 1 }, () => row)];
  return {
    calendar,
    statuses: ['delivered'],
    broadcastName: null,
    contentRecipients: 'auto',
    informingTypes: ['text'],
    ratingFilter: true,
    strayRows: [],
    list,
    broadcasts: [
      {
        id: { text: '71' },
        name: 'News',
        items: [{ id: { text: '711' }, type: 'rating' }],
        answer: 'whole',
        header: { name: 'News', created: { by: { firstName: 'Ada' }, at: '2026-11-09T09:00:00Z' } },
      },
    ],
    deliveries: [
      {
        id: { text: 'd-1' },
        wrapped: true,
        status: 'delivered',
        of: 0,
        broadcast: 'whole',
        recipients: { ...list, rows },
        contents: [{ list: { ...list, rows }, filter: 'refused' }],
      },
    ],
  };
}

test('one view more than the service has is found in the digest, the file, the html and the text', async () => {
  const account = accountSeenBy(3);
  expect(await check.faults(account)).toEqual([]);
  const found = (await check.faults(account, accountSeenBy(4))).map((fault) => fault.replace(/: expected.*/, ''));
  const ofDelivery = ['seen', 'responded', 'inPeriod.seen', 'contents.0.seen', 'contents.0.ratings.count'];
  const ofRow = ['listed', 'seen', 'respondedInPeriod'];
  const ofMail = ['totals.seen', 'totals.responded', 'older in the period'];
  expect(found).toEqual(
    expect.arrayContaining([
      'digest.totals.seen',
      ...ofDelivery.map((figure) => `digest.deliveries.d-1.${figure}`),
      ...[0, 1].flatMap((row) => ofRow.map((figure) => `csv.${row}.${figure}`)),
      'csv.1.ratings.4',
      ...ofMail.flatMap((figure) => [`html: ${figure}`, `text: ${figure}`]),
    ]),
  );
});

/** The same, all of it seen in the week itself, with a poll beside the rating. */
function newAccountSeenBy(views: number): Account {
  const account = inTheWeek(accountSeenBy(views));
  for (const { items } of account.broadcasts) items.push({ id: { text: '712' }, type: 'poll' });
  for (const { contents } of account.deliveries) contents.push(...contents);
  return account;
}

function inTheWeek(account: Account): Account {
  return JSON.parse(JSON.stringify(account).replaceAll('2026-11-02T08:00:00Z', '2026-11-11T08:00:00Z'));
}

test('one view more of a new broadcast is found in its figures and in the rows of its items', async () => {
  const account = newAccountSeenBy(3);
  expect(await check.faults(account)).toEqual([]);
  const found = (await check.faults(account, newAccountSeenBy(4))).map((fault) => fault.replace(/: expected.*/, ''));
  const ofMail = ['broadcast 0', 'broadcast 0, item 1', 'broadcast 0, item 2', 'totals.seen'];
  expect(found).toEqual(expect.arrayContaining(ofMail.flatMap((figure) => [`html: ${figure}`, `text: ${figure}`])));
});

test('what is refused is no figure, and none that is there is held to be refused', async () => {
  const account = accountSeenBy(3);
  const [delivery] = account.deliveries;
  if (delivery === undefined) throw new Error('There is no delivery.');
  const refused = { ...account, deliveries: [{ ...delivery, recipients: { status: 403 } }] };
  expect(await check.faults(refused)).toEqual([]);
  const places = ['digest.missing', 'csv.0.unavailable', 'html: totals.seen', 'text: older', 'html: incomplete'];
  for (const found of [await check.faults(refused, account), await check.faults(account, refused)]) {
    for (const place of places) expect(found.join('\n')).toContain(place);
  }
});

function* traitsOfGroups(groups: readonly KnownGroup[]): Generator<string> {
  for (const { asks, deliveries, audience, counted, listedDeliveries, contents } of groups) {
    const isOfSeveral = deliveries.length > 1;
    yield `asks: ${asks}`;
    if (isOfSeveral) yield 'several deliveries';
    if (isOfSeveral && counted === null) yield 'sums that are not known';
    if (audience !== null) yield isOfSeveral ? 'an audience of several deliveries' : 'an audience';
    if (listedDeliveries > deliveries.length) yield 'a broadcast of several kinds';
    for (const { ratings } of contents ?? []) {
      if (ratings === null) yield 'ratings that are not all known';
      else if (ratings !== 'none' && isOfSeveral) yield 'ratings of several deliveries';
    }
  }
}

test('the accounts of one seed have every kind of delivery, gap, paging and rating', () => {
  const accounts = fc.sample(accountArbitrary, { seed, numRuns: cases });
  const met = new Set<string>();
  for (const account of accounts) {
    const lists = account.deliveries.flatMap(({ recipients, contents }) => [
      recipients,
      ...contents.map(({ list }) => list),
    ]);
    for (const list of lists) {
      if (!('pageSize' in list)) continue;
      met.add(`ending ${list.ending}`);
      if (list.rows.length > list.pageSize) met.add(`way ${list.way}`);
    }
    const { deliveries, groups, totals, missing, previous, listedSince, otherStatuses } = knownOf(account);
    for (const trait of traitsOfGroups(groups)) met.add(trait);
    for (const [when, figures] of [['now', totals] as const, ['before', previous] as const]) {
      if (figures === null) continue;
      if (figures.asked === null) met.add(`asked ${when}: not known`);
      else if (figures.asked.seen > 0 && figures.asked.seen < figures.seen) met.add(`asked ${when}: a part`);
      if (figures.broadcasts < figures.deliveries) met.add(`fewer broadcasts than deliveries ${when}`);
    }
    for (const { kind, contents } of deliveries) {
      met.add(`kind ${kind}`);
      for (const { ratings, reach, counted } of contents ?? []) {
        if (ratings !== null) met.add(ratings.unreadable > 0 ? 'some ratings unreadable' : 'ratings');
        if (reach !== null) met.add('reach');
        if (counted?.hasFields === false && counted.listed > 0) met.add('an unseen audience');
      }
    }
    for (const [key, gaps] of missing) for (const { reason } of gaps) met.add(`${key.split(' ')[0]} ${reason}`);
    for (const word of otherStatuses.keys()) met.add(`status ${word}`);
    if (previous !== null) met.add('a period before');
    if (listedSince !== null) met.add('a list that begins within the period');
  }
  const reasons = ['unreadable', 'cut-off', 'forbidden', 'not-found', 'gone', 'refused', 'redirected'];
  const expected = [
    ...Object.keys(ways).map((way) => `way ${way}`),
    ...Object.keys(endingsOfObjects).map((ending) => `ending ${ending}`),
    ...['new', 'silent', 'active', null].map((kind) => `kind ${kind}`),
    ...reasons.flatMap((reason) => [`delivery ${reason}`, `content ${reason}`]),
    ...['unknown', 'constructor', '__proto__', 'toString'].map((word) => `status ${word}`),
  ];
  const others = ['deliveries cut-off', 'deliveries unreadable', 'deliveries list-too-short', 'broadcast unreadable'];
  const ratings = ['ratings', 'some ratings unreadable', 'ratings unreadable', 'ratings forbidden'];
  const rare = ['reach', 'an unseen audience', 'a period before', 'a list that begins within the period'];
  const grouped = [
    ...['true', 'false', 'null'].map((asks) => `asks: ${asks}`),
    'several deliveries',
    'sums that are not known',
    'an audience',
    'an audience of several deliveries',
    'a broadcast of several kinds',
    'ratings of several deliveries',
    'ratings that are not all known',
    ...['now', 'before'].flatMap((when) => [`asked ${when}: not known`, `asked ${when}: a part`]),
    'fewer broadcasts than deliveries now',
  ];
  expect([...expected, ...others, ...ratings, ...rare, ...grouped].filter((one) => !met.has(one))).toEqual([]);
});
