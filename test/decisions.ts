import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, vi } from 'vitest';
import { settleEvent } from '../functions/feedback/settle-event.ts';
import { configuredIn, readSubscribers } from '../functions/ledger/persons/members.ts';
import { readStandings, reasonAgainst } from '../functions/ledger/persons/standing.ts';
import { openHashes, readAddresses } from '../functions/ledger/persons/persons.ts';
import { planMessage } from '../functions/ledger/runs/messages.ts';
import { recordKeepMonths, recordReportSeen } from '../functions/ledger/reports.ts';
import { createUnsubscribeTokens } from '../functions/links/unsubscribe-links.ts';
import { answerRequest, type Wish } from '../functions/unsubscribe/answer.ts';
import { judgeBounces } from '../functions/watch/judge-bounces.ts';
import { forgetAddress, liftAddresses, rejoinReport } from '../infra/program/commands/addresses.ts';
import { recoverDecisions } from '../infra/program/commands/recover.ts';
import { resumeCommand } from '../infra/program/commands/resume.ts';
import { retireCommand } from '../infra/program/commands/retire.ts';
import { subscribersCommand } from '../infra/program/commands/subscribers.ts';
import { openLedger, type Ledger } from './functions/ledger/open-ledger.ts';
import { targetOf } from './infra/program/target.ts';
import { configurationWith } from './support/configuration.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

// Whoever decided may undo it, and nobody else: a model that keeps each no with its owner, held against whom a run would mail
// after any order of what persons, operators and SES do.

const names = ['weekly', 'monthly'] as const;
type Name = (typeof names)[number];
const persons = Array.from({ length: 100 }, (_, n) => `Person-${n}@example.com`);
/** In `cdk.json`. */
const configured = persons.slice(0, 10);
const tokens = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const file = join(temporaryFolder(), 'hr.csv');
const yes = { yes: true };
const expiresAt = 2_000_000_000;
const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' };
const settings = (name: Name) => ({ name, schedule, subscribers: configured });
const acts = [
  'leave',
  'join',
  'add',
  'remove',
  'import',
  'bounce',
  'complain',
  'replay',
  'lift',
  'rejoin',
  'forget',
  'restore',
  'recover',
  'retire',
  'resume',
] as const;
const act = fc.record({
  what: fc.constantFrom(...acts),
  name: fc.constantFrom(...names),
  // Few, so that decisions about one meet.
  n: fc.integer({ min: 5, max: 16 }),
});

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const ofOne = (...whats: Array<Act['what']>): Act[] => whats.map((what) => ({ what, name: names[0], n: 12 }));

/** Plays as many orders of forty acts as `runs` says, and those that are rare by chance; throws at the first difference. */
export async function checkDecisions(runs: number): Promise<void> {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.useFakeTimers({ toFake: ['Date'] });
  const orders = fc.array(act, { minLength: 40, maxLength: 40 });
  // An erasure that the restored ledger does not know, one that the lost one does not, and one that was ended.
  const rare: Act[][] = [
    ofOne('add', 'restore', 'forget', 'restore'),
    ofOne('add', 'restore', 'forget', 'recover'),
    [...ofOne('add', 'restore', 'forget'), { what: 'add', name: names[1], n: 12 }, ...ofOne('restore')],
  ];
  await fc.assert(fc.asyncProperty(orders, playAll), {
    numRuns: rare.length + runs,
    endOnFailure: true,
    examples: rare.map((order): [Act[]] => [order]),
  });
  vi.useRealTimers();
}

async function playAll(order: readonly Act[]) {
  const world = await openWorld();
  for (const { what, name, n } of order) {
    vi.setSystemTime(world.tick());
    await world[what](name, persons[n] ?? '');
    expect([what, name, n, await world.mailed()]).toEqual([what, name, n, world.expected()]);
    expect(await world.addressesOfForgotten()).toEqual([]);
  }
}

/** What the model knows of a person in a report. */
const nothing = { isMember: false, left: false, removed: false };

async function openWorld() {
  let ledger = await openLedger();
  let now = Date.parse('2026-11-16T08:00:00Z');
  let mails = 0;
  const events: Array<() => Promise<void>> = [];
  let restorable = await copyOf(ledger);
  let lost: Ledger | null = null;
  const full = configurationWith({ reports: names.map((name) => settings(name)) });
  const gone = new Set<Name>();
  const inReports = new Map<string, typeof nothing>();
  const stops = new Map<string, { suppressed: boolean; forgotten: boolean; liftedMs: number }>();
  const inReport = (name: Name, person: string) =>
    getOr(inReports, `${name} ${person}`, { ...nothing, isMember: configured.includes(person) });
  const stopOf = (person: string) => getOr(stops, person, { suppressed: false, forgotten: false, liftedMs: 0 });
  const reports = () => full.reports.filter(({ name }) => names.some((known) => known === name && !gone.has(known)));
  const target = () => targetOf(ledger, { configuration: { ...full, reports: reports() }, stack: 'the stack' });
  const iso = () => new Date(now).toISOString();
  for (const report of reports())
    await recordKeepMonths(ledger.table, report, await recordReportSeen(ledger.table, report, iso()), 26);

  const follow = async (wish: Wish, report: Name, person: string) => {
    const token = await tokens.issue({ hash: ledger.hashOf(person), report, expiresAt: new Date(now + 1e9) });
    const request = { method: 'POST', token, readWish: () => wish };
    await answerRequest(request, {
      configuration: { reports: reports() },
      table: ledger.table,
      tokens,
      now: new Date(now),
    });
    inReport(report, person).left = wish === 'unsubscribe';
  };
  const change = async (part: 'add' | 'remove' | 'import', name: Name, person: string) => {
    const report = reports().find((known) => known.name === name);
    if (report === undefined) return;
    writeFileSync(file, `email\n${person}\n`);
    await subscribersCommand(target(), report, part, [part === 'import' ? file : person], yes);
    const [known, stop] = [inReport(name, person), stopOf(person)];
    if (part === 'import' && (known.removed || stop.forgotten)) return;
    if (part === 'add') stop.forgotten = false;
    Object.assign(known, { isMember: part !== 'remove', removed: part === 'remove' });
  };
  const suppressBy = (kind: 'bounced' | 'complained') => async (_name: Name, person: string) => {
    mails += 1;
    const [run, hash, at] = [`weekly_${mails}`, ledger.hashOf(person), iso()];
    const handIn = async () => {
      await planMessage(ledger.table, run, { id: hash, expiresAt });
      const origin = { run, id: hash, claim: 'claim', messageId: `ses-${run}` };
      const fact = { kind, at, ...(kind === 'bounced' ? { status: '5.1.1' } : {}) };
      await settleEvent(ledger.table, { origin, fact }, { at: iso(), expiresAt });
      await judgeBounces(ledger.table, Temporal.Instant.fromEpochMilliseconds(now).add({ hours: 1 }));
      const stop = stopOf(person);
      if (Date.parse(at) > stop.liftedMs) stop.suppressed = true;
    };
    events.push(handIn);
    await handIn();
  };
  const recover = async () => {
    const { scan } = lost ?? ledger;
    await recoverDecisions({ ...target(), scan: () => scan() }, 'lost');
  };
  return {
    tick: () => (now += 60_000),
    leave: (name: Name, person: string) => follow('unsubscribe', name, person),
    join: (name: Name, person: string) => follow('resubscribe', name, person),
    add: (name: Name, person: string) => change('add', name, person),
    remove: (name: Name, person: string) => change('remove', name, person),
    import: (name: Name, person: string) => change('import', name, person),
    bounce: suppressBy('bounced'),
    complain: suppressBy('complained'),
    replay: async (_name: Name, person: string) => await events[person.length % (events.length || 1)]?.(),
    lift: async (_name: Name, person: string) => {
      await liftAddresses(target(), [person], yes);
      Object.assign(stopOf(person), { suppressed: false, liftedMs: now });
    },
    rejoin: async (name: Name, person: string) => {
      const report = reports().find((known) => known.name === name);
      if (report === undefined) return;
      await rejoinReport(target(), report, person, yes);
      inReport(name, person).left = false;
    },
    forget: async (_name: Name, person: string) => {
      await forgetAddress(target(), person, yes);
      if (reports().length > 0 && configured.includes(person)) return;
      stopOf(person).forgotten = true;
      for (const name of names) inReport(name, person).isMember = false;
    },
    /** The ledger as it was at some instant before, with what the table in its place has of persons. */
    restore: async () => {
      lost = ledger;
      [ledger, restorable] = [restorable, await copyOf(ledger)];
      await recover();
    },
    /** Once more, after all that was decided since. */
    recover: () => recover(),
    retire: async (name: Name) => {
      // A configuration has a report.
      if (gone.size > 0) return;
      gone.add(name);
      await retireCommand(target(), name, yes).catch(() => undefined);
    },
    resume: async (name: Name) => {
      gone.delete(name);
      const report = reports().find((known) => known.name === name);
      if (report !== undefined) await resumeCommand(target(), report);
    },
    mailed: async () => {
      const { table, hashOf } = ledger;
      const mailed: string[] = [];
      const configured = configuredIn(reports(), hashOf);
      for (const report of reports()) {
        const subscribers = await readSubscribers(table, report, configured);
        const ids = [...subscribers.keys()];
        for (const [hash, standing] of await readStandings(table, report, ids, configured)) {
          const address = standing.address ?? subscribers.get(hash) ?? null;
          const isConfiguredOrNamed = configured(report.name)?.has(hash) === true;
          if (reasonAgainst({ ...standing, address }, { isConfiguredOrNamed }) === null)
            mailed.push(`${report.name} ${address}`);
        }
      }
      return mailed.toSorted();
    },
    addressesOfForgotten: async () => {
      const forgotten = persons.filter((person) => stopOf(person).forgotten);
      return [...(await readAddresses(ledger.table, forgotten.map(ledger.hashOf))).values()];
    },
    expected: () => {
      const all = reports().flatMap(({ name }) => persons.map((person) => ({ name: name as Name, person })));
      const getting = all.filter(({ name, person }) => {
        const { isMember, left, removed } = inReport(name, person);
        const { suppressed, forgotten } = stopOf(person);
        return isMember && !left && !removed && !suppressed && !forgotten;
      });
      return getting.map(({ name, person }) => `${name} ${person}`).toSorted();
    },
  };
}

/** Another ledger that has the same items. */
async function copyOf({ scan }: Ledger): Promise<Ledger> {
  const copy = await openLedger();
  for await (const item of scan())
    await copy.table.putMany([{ ...item, pk: String(item['pk']), sk: String(item['sk']) }]);
  return { ...copy, hashOf: await openHashes(copy.table) };
}

function getOr<V>(map: Map<string, V>, key: string, made: V): V {
  const value = map.get(key) ?? made;
  map.set(key, value);
  return value;
}
