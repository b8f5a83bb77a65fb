import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { readRunsFrom } from '../../functions/ledger/runs/runs.ts';
import { answersOf } from '../support/accounts/serve.ts';
import { row, simpleAccount, times } from '../support/accounts/simple-account.ts';
import { startService } from '../support/service/service.ts';
import { readMails } from '../support/start-folders.ts';
import { startSystemOf } from '../support/system.ts';

const dayOf = (week: number, day: number): string => new Date(Date.UTC(2026, 9, day + 7 * week, 8)).toISOString();
let now = 0;
let isAuthorSaid = true;

/** What Ada and Tom sent, one broadcast each in every week until now. */
function account() {
  const weeks = Array.from({ length: now + 1 }, (_, week) => week);
  const sent = weeks.flatMap((week) => [
    [`ada-${week}`, { rows: times(9 + week, row(dayOf(week, 6))), created: dayOf(week, 6) }],
    [`tom-${week}`, { rows: [...times(3 + week, row(dayOf(week, 7))), row(null)], created: dayOf(week, 7) }],
  ]);
  const all = simpleAccount(Object.fromEntries(sent));
  const broadcasts = all.broadcasts.map((broadcast) => {
    const isOfTom = broadcast.id.text.startsWith('b-tom');
    const by = isOfTom ? { firstName: 'Tom', lastName: "O'Neill" } : { firstName: 'Ada', lastName: 'Baker' };
    const created = { at: dayOf(0, isOfTom ? 7 : 6), ...(isAuthorSaid ? { by } : {}) };
    return { ...broadcast, header: { name: broadcast.name, created } };
  });
  return { ...all, broadcasts };
}

const service = await startService({ answers: answersOf(account) });
const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'UTC' };
const reports = [
  { name: 'weekly', schedule, subscribers: ['ada@example.com'] },
  { name: 'tom', like: 'weekly', only: { createdBy: 'tom  O’NEILL' }, subscribers: ['tom@example.com'] },
  { name: 'nobody', like: 'weekly', only: { createdBy: 'N' }, whenEmpty: 'skip', subscribers: ['n@example.com'] },
];
const system = await startSystemOf(service, { settings: { reports } });
afterAll(async () => {
  for (const part of [system, service]) await part.close();
});

/** The digests of a report, their deliveries, and what its runs say. */
async function digestsOf(name: string) {
  const runs = await readRunsFrom(system.table, { name }, '0000');
  const stored = await Array.fromAsync(runs, ({ run, digest = '' }) => readDigest(system.table, run, digest));
  const digests = stored.map(({ digest }) => digest);
  return { runs, digests, deliveries: digests.map(({ deliveries }) => deliveries) };
}

beforeAll(async () => {
  for (now = 0; now < 3; now += 1) {
    isAuthorSaid = now < 2;
    const both = reports.map(({ name }) => system.carryOut({ report: name, scheduledTime: dayOf(now, 12) }));
    await Promise.all(both);
    await system.carryOut({ report: 'tom', scheduledTime: dayOf(now, 12) });
  }
});

test('a slice has what its report has of one author, compares by itself, and is held where the service stops saying who that is', async () => {
  const [all, slice] = [await digestsOf('weekly'), await digestsOf('tom')];
  const ofTom = all.deliveries.map((each) => each.filter(({ id }) => id.startsWith('tom')));
  expect(slice.deliveries).toEqual([...ofTom.slice(0, 2), []]);
  expect(slice.deliveries.flat().map(({ id, seen }) => `${id} ${seen}`)).toEqual(['tom-0 3', 'tom-1 4']);
  expect(slice.digests.map(({ totals }) => totals.previous?.seen)).toEqual([undefined, 3, undefined]);
  expect(slice.runs.map(({ state, unsaid = '' }) => state + unsaid)).toEqual(['done', 'done', 'heldcreatedBy']);

  const mails = await readMails(system.out);
  expect(mails.map(({ to }) => to[0]).join('')).toBe('aaanntt');
  for (const { to, email } of mails) expect(email.text?.includes('tom O’NEILL')).toBe(to[0] === 't');
});
