import { afterAll, expect, test } from 'vitest';
import type { Judgement } from '../../functions/domain/warning.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { isBelowLimit } from '../../functions/warnings/judge.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { readRunsFrom } from '../../functions/ledger/runs/runs.ts';
import { answersOf } from '../support/accounts/serve.ts';
import { row, simpleAccount } from '../support/accounts/simple-account.ts';
import { editionOf, usualOf, type Growth } from '../support/oracle/editions.ts';
import { startService } from '../support/service/service.ts';
import { readMails } from '../support/start-folders.ts';
import { startSystemOf } from '../support/system.ts';

const hour = 3_600_000;
const day = 24 * hour;
const weeks = 6;
/** A Monday. */
const begin = Date.parse('2026-08-31T00:00:00Z');
const last = begin + (7 * weeks + 1) * day + 9 * hour;
const text = (instant: number): string => new Date(instant).toISOString();

/** A delivery: when it is sent, how many it is for, and how many see it, one each half hour from an hour after on. */
interface Sent {
  id: string;
  name: string;
  at: number;
  audience: number;
  sees: number;
}

const sent: Sent[] = Array.from({ length: weeks }, (_, week) => week).flatMap((week) => {
  const at = (weekday: number, hours: number): number => begin + (7 * week + weekday) * day + hours * hour;
  const of = (name: string, weekday: number, audience: number, sees: number): Sent => {
    return { id: `${name}-${week}`, name: `${name}, week ${week + 1}`, at: at(weekday, 8), audience, sees };
  };
  return [
    of('Rota', 1, 40, week === 4 ? 12 : 30),
    of('Team', 2, 12, 12),
    of('Menu', 3, 60, week === 5 ? 30 : 50),
  ].concat(week === 3 ? of('Draft', 0, 30, 0) : [], week === 4 ? of('Late', 4, 50, 4) : []);
});

/** When somebody saw a delivery. */
function viewsOf({ at, sees }: Sent): number[] {
  return Array.from({ length: sees }, (_, index) => at + hour + (index * hour) / 2);
}

let now = begin;
let isDown = false;
const account = () =>
  simpleAccount(
    Object.fromEntries(
      sent
        .filter(({ at }) => at <= now)
        .map((each) => {
          const seen = viewsOf(each).map((view) => row(view <= now ? text(view) : null));
          const rows = [...seen, ...Array.from({ length: each.audience - each.sees }, () => row(null))];
          return [each.id, { rows, name: each.name, created: text(each.at) }];
        }),
    ),
  );
const service = await startService({ answers: answersOf(account), refusal: () => (isDown ? 403 : undefined) });
const warning = { at: '09:00', afterHours: 48, belowUsual: 0.7, belowShare: 0.2, belowViews: 40, weekdays: true };
const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'UTC' };
const report = { name: 'weekly', schedule, locale: 'en', subscribers: ['ada@example.com'] };
const reports = [{ ...report, warning: { ...warning, subscribers: ['grace@example.com'] } }];
const system = await startSystemOf(service, { settings: { reports } });
afterAll(async () => {
  for (const part of [system, service]) await part.close();
});

const runAt = async (name: string, instant: number): Promise<void> => {
  await system.execute({ report: name, scheduledTime: text(instant) });
};

/** The digests that a report's runs have. */
async function digestsOf(name: string): Promise<Digest[]> {
  const runs = await readRunsFrom(system.table, { name }, '0000');
  const kept = runs.flatMap(({ run, digest }) => (digest === undefined ? [] : [{ run, digest }]));
  return await Array.fromAsync(kept, async ({ run, digest }) => (await readDigest(system.table, run, digest)).digest);
}

/** What the oracle knows of a delivery when it is two days old. */
function knownOf(id: string): { seenAtAge: number; usual: number | null } {
  const growths = new Map(
    sent.flatMap((each): Array<[string, Growth]> => {
      const views = viewsOf(each);
      const [firstSign] = views;
      if (firstSign === undefined) return [];
      const seen = views.filter((view) => view < firstSign + 48 * hour).length;
      const { name, audience } = each;
      const curve = new Map([[48, { seen, responded: 0 }]]);
      const broadcast = { id: `b-${each.id}`, name };
      return [[each.id, { id: each.id, broadcast, firstSign, audience, curve, engaged: seen }]];
    }),
  );
  const edition = editionOf(id, growths);
  const usual = edition && usualOf(edition, 48, growths);
  return { seenAtAge: growths.get(id)?.curve.get(48)?.seen ?? 0, usual: usual && usual.share };
}

test('over six weeks, with failures, repeats, rivals and late runs in between, each delivery is judged and named once', async () => {
  for (let at = begin + 9 * hour; at <= last; at += day) {
    const days = Math.round((at - begin) / day);
    now = at - hour;
    if (new Date(at).getUTCDay() === 1) await runAt('weekly', now);
    now = at;
    // A day without the service: the day after judges what it would have.
    isDown = days % 7 === 3;
    const turn = days % 5;
    if (turn === 1) await Promise.all([runAt('weekly_warning', at), runAt('weekly_warning', at + hour)]);
    // Runs that come a day late: the later one has judged already.
    else if (turn === 2 && days % 2 === 0) continue;
    else await runAt('weekly_warning', at);
    if (turn === 3) await runAt('weekly_warning', at - day);
    if (turn === 4) await runAt('weekly_warning', at);
  }

  const warnings = await digestsOf('weekly_warning');
  const all = warnings.flatMap(({ warning: { judgements = [] } = {} }): Judgement[] => judgements);
  // What waited for Monday was judged again.
  const judged = [...new Map(all.map((judgement) => [judgement.delivery, judgement])).values()];
  const below = judged.filter(isBelowLimit).map(({ delivery }) => delivery);
  expect(below.toSorted()).toEqual(['Draft-3', 'Late-4', 'Menu-5', 'Rota-4']);
  // What was old when the first run looked is no matter, and what is younger than two days at the end.
  const old = sent.filter(({ at }) => at + 49 * hour <= last);
  expect(judged.map(({ delivery }) => delivery).toSorted()).toEqual(old.map(({ id }) => id).toSorted());
  for (const { delivery, seenAtAge, usual } of judged) {
    expect({ delivery, seenAtAge, usual: usual?.share ?? null }).toEqual({ delivery, ...knownOf(delivery) });
  }

  const mails = (await readMails(system.out)).filter(({ to }) => to === 'grace@example.com');
  const texts = mails.map(({ email }) => email.text ?? '').join('\n');
  for (const name of ['Rota, week 5', 'Draft, week 4', 'Late, week 5', 'Menu, week 6'])
    expect(texts.split(`\n  ${name}\n`).length).toBe(2);
  expect(texts).toContain('75%');
  expect(mails.length).toBe(3);
  // What Friday's missing run and a weekend left goes with Monday's mail, and the next digest says what was named.
  const monday = warnings.find(({ warning }) => warning?.until.startsWith('2026-10-05'));
  expect(monday?.needs.flatMap(({ deliveries }) => deliveries)).toEqual(['Late-4', 'Rota-4']);
  const drafts = (await digestsOf('weekly')).flatMap(({ deliveries }) =>
    deliveries.filter(({ id }) => id === 'Draft-3'),
  );
  expect(drafts[0]?.lastWarning).toEqual({ at: '2026-09-23T09:00:00+00:00', seen: 0 });
}, 300_000);
