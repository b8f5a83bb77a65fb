import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readActions } from '../../functions/ledger/runs/actions.ts';
import { suppress, recordLeft } from '../../functions/ledger/persons/opt-outs.ts';
import { addMembers, readMembers } from '../../functions/ledger/persons/members.ts';
import { recordReportSeen } from '../../functions/ledger/reports.ts';
import { openHashes, recordPersons } from '../../functions/ledger/persons/persons.ts';
import { claimMessage } from '../../functions/ledger/runs/claims.ts';
import { messageKey, planMessage } from '../../functions/ledger/runs/messages.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import type { CommandResult } from '../../infra/program/command-line/result.ts';
import { chooseDue, chooseReport } from '../../infra/program/command-line/choices.ts';
import {
  forgetAddress,
  liftAddresses,
  listAddresses,
  rejoinReport,
  showAddress,
} from '../../infra/program/commands/addresses.ts';
import { discardCommand } from '../../infra/program/commands/discard.ts';
import { noteCommand } from '../../infra/program/commands/note.ts';
import { pauseCommand } from '../../infra/program/commands/pause.ts';
import { releaseCommand } from '../../infra/program/commands/release.ts';
import { resumeCommand } from '../../infra/program/commands/resume.ts';
import { runCommand } from '../../infra/program/commands/run.ts';
import { showCommand } from '../../infra/program/commands/show.ts';
import { statusCommand } from '../../infra/program/commands/status.ts';
import { subscribersCommand } from '../../infra/program/commands/subscribers.ts';
import { testCommand } from '../../infra/program/commands/test.ts';
import { openLocalSystem } from '../../infra/program/targets/local-system.ts';
import { environmentOf } from '../support/commands.ts';
import { configurationWith } from '../support/configuration.ts';
import { Temporal } from 'temporal-polyfill';
import { createFolders, readMails, shownParts } from '../support/start-folders.ts';
import { english } from '../support/words.ts';

const at = '2026-11-16T08:00:00Z';
const plain = { at, hold: false, follow: true, resendUnknown: false, yes: false };

const folders = createFolders();
const account = await startSampleAccount({ asOf: at });
for (const [name, value] of Object.entries(environmentOf(account))) vi.stubEnv(name, value);
const [weekly, daily, monthly] = configurationWith().reports;
const configuration = configurationWith({ reports: [weekly, daily, { ...monthly, hold: 'always' }] });
const target = await openLocalSystem({ ...folders, local: true, serviceUrl: account.url, configuration });
const hashOf = await openHashes(target.table);

const reportOf = (name: string) => chooseReport(target.configuration, name);
const run = (name: string, options: typeof plain & { to?: string[]; again?: boolean }): Promise<CommandResult> =>
  runCommand(target, reportOf(name), chooseDue(reportOf(name), { at: options.at }), options);
const sendTest = (name: string, instant: string, to = 'tester@example.com', yes = false): Promise<CommandResult> =>
  testCommand(target, reportOf(name), chooseDue(reportOf(name), { at: instant }), { to: [to], yes });
const show = (name: string, { messages = false } = {}): Promise<CommandResult> =>
  showCommand(target, name, { messages, view: false });

const messagesOf = async (name: string): Promise<unknown> =>
  Object((await show(name, { messages: true })).json).messages;

afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await account.close();
  vi.unstubAllEnvs();
});

const subscribers = (name: string, action: Parameters<typeof subscribersCommand>[2], ...values: string[]) =>
  subscribersCommand(target, reportOf(name), action, values);
const lift = (address: string): Promise<CommandResult> => liftAddresses(target, [address], { yes: true });
const forget = (address: string): Promise<CommandResult> => forgetAddress(target, address, { yes: true });
const discard = (yes: boolean) => discardCommand(target, 'weekly_2026-W46', { yes });
const say = (text?: string, clear = false) => noteCommand(target, reportOf('daily'), { clear }, text);
const addressesOf = async (): Promise<string[]> => (await readMails(folders.out)).map(({ to }) => to);

describe('a run that is held', () => {
  test('is kept and shown, and nobody is sent anything', async () => {
    const answer = await run('weekly', { ...plain, hold: true });
    expect(answer.code).toBe(0);
    expect(answer.json).toMatchObject({
      run: 'weekly_2026-W46',
      state: 'held',
      plannedBy: 'operator',
      balance: { intended: 3, held: 3, sent: 0, balanced: true },
      actions: [{ what: 'hold', by: target.operator, run: 'weekly_2026-W46' }],
    });
    expect(answer.lines).toContain('The messages are held until an operator releases them.');
    expect(JSON.stringify(answer)).not.toContain('@example.com');
    expect(await addressesOf()).toEqual([]);
  });

  test('can be dropped, and then collects again', async () => {
    await expect(discard(false)).rejects.toThrow(
      /^This deletes the digest of weekly_2026-W46, made .* Europe\/London\. New broadcasts \d+, views \d+, responses \d+; \d+ need somebody\. What the service no longer lists cannot be collected again\. Go on\? Re-run with --yes/,
    );
    expect((await show('weekly_2026-W46')).json).toMatchObject({ state: 'held' });
    expect(await discard(true)).toMatchObject({ code: 0, json: { discarded: true, state: 'planned' } });
    const again = await discard(false);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'nothing-kept' } } });
    const asked = account.requests.length;
    const { json } = await run('weekly', { ...plain, hold: true });
    expect(json).toMatchObject({ state: 'held', balance: { held: 3 } });
    const collected = account.requests.length;
    expect(collected).toBeGreaterThan(asked);
    // Triggered again it goes on with the digest that it has, and stays held.
    expect((await run('weekly', plain)).json).toMatchObject({ state: 'held', balance: { held: 3 } });
    expect(account.requests.length).toBe(collected);
    expect(await addressesOf()).toEqual([]);
  });

  test('is released to those it was planned with, but for who was removed since', async () => {
    await subscribers('weekly', 'add', 'late@example.com', 'later@example.com');
    const removed = await subscribers('weekly', 'remove', 'ada@example.com');
    expect(removed).toMatchObject({
      json: { removed: 1 },
      lines: ['Removed 1 subscriber of "weekly".', 'An import adds them no more: only "add" does.'],
    });
    const asked = account.requests.length;
    const { json, code, lines } = await releaseCommand(target, 'weekly_2026-W46', { yes: false });
    expect(code).toBe(0);
    expect(json).toMatchObject({
      state: 'done',
      balance: { intended: 3, sent: 2, removed: 1, balanced: true },
    });
    expect(lines.at(-2)).toBe(`To see the mail, open ${join(folders.out, 'latest.html')}`);
    expect(await addressesOf()).toEqual(['alan@example.com', 'grace@example.com']);
    expect(account.requests.length).toBe(asked);
    // What cannot be is not asked about.
    expect(await discard(false)).toMatchObject({ code: 1, json: { error: { code: 'already-sent' } } });
  });
});

test('a test sends the kept digest, marked, to the addresses named, and leaves the run as it was', async () => {
  const before = await messagesOf('weekly_2026-W46');
  const asked = account.requests.length;
  const answer = await sendTest('weekly', at);
  expect(answer).toMatchObject({ code: 0, json: { run: 'weekly_2026-W46', kept: true, sent: 1, notSent: 0 } });
  expect(account.requests.length).toBe(asked);
  const mails = await readMails(folders.out);
  const [mail, real] = ['tester', 'alan'].map((name) => mails.find(({ to }) => to === `${name}@example.com`));
  const mark = english.say('test.title', { title: '' }).trim();
  expect([mail, real].map((sent) => sent?.email.subject?.includes(mark))).toEqual([true, false]);
  const banner = english.say('test.banner');
  for (const part of Object.values(shownParts(mail?.email ?? {}))) expect(part.replaceAll('\n', ' ')).toContain(banner);
  expect(real?.email.html).not.toContain(banner);
  expect(await messagesOf('weekly_2026-W46')).toEqual(before);
});

test('a run that was interrupted has its unknown messages sent again only when an operator says yes, and not while they may be on their way', async () => {
  const name = 'weekly_2026-W46';
  for (const [address, minutes] of Object.entries({ 'old@example.com': 60, 'young@example.com': 1 })) {
    const [hash, expiresAt] = [hashOf(address), 4_000_000_000];
    await recordPersons(target.table, [{ hash, address }], expiresAt);
    await planMessage(target.table, name, { id: hash, named: true, expiresAt });
    const claim = { claim: `claim-${minutes}`, execution: 'x', claimedAt: Date.now() - minutes * 60_000 };
    await claimMessage(target.table, name, hash, claim);
  }
  await expect(run('weekly', { ...plain, resendUnknown: true })).rejects.toThrow('Re-run with --yes to confirm.');
  const before = await run('weekly', plain);
  expect(before.json).toMatchObject({ balance: { unknown: 2 } });
  const offer = before.lines.slice(before.lines.findIndex((line) => line.includes('is unknown: '))).slice(0, 2);
  expect(offer[0]).toMatch(/^The outcome of 2 messages of .* again by itself\..* 1 probably not sent\.$/);
  expect(offer[1]).toMatch(/^To send again, from \d{4}-\S+ \S+ Europe\/London on, perhaps a second time: /);
  const place = `--local --state ${folders.state} --out ${folders.out} --service-url ${account.url}`;
  expect(offer[1]).toContain(`: npm run ops -- run weekly --at ${at} --resend-unknown ${place}`);
  expect((await statusCommand(target, Temporal.Instant.from(at))).lines).toContain(offer[1]);
  const answer = await show(name, { messages: true });
  expect(answer.lines).toEqual(expect.arrayContaining(offer));
  expect(answer.json).toMatchObject({
    messages: expect.arrayContaining([
      { to: 'old@example.com', outcome: 'unknown', messageId: null, noEvent: true },
      { to: 'young@example.com', outcome: 'unknown', messageId: null },
    ]),
  });
  const { json, lines } = await run('weekly', { ...plain, resendUnknown: true, yes: true });
  expect(lines.at(-1)).toMatch(/in the last 15 minutes is not sent again/);
  expect(json).toMatchObject({
    balance: { unknown: 1 },
    actions: [{ what: 'resend-unknown', by: target.operator, run: name }],
  });
  await expect(run('weekly', { ...plain, resendUnknown: true })).rejects.toThrow('unknown for 15 minutes');
  const after = await show(name);
  expect(after.lines.join()).not.toContain('probably not sent');
  expect(await addressesOf()).toContain('old@example.com');
  expect(await addressesOf()).not.toContain('young@example.com');
});

describe('subscribers', () => {
  test('join and leave in the ledger; the list says who gets the next mail, and why or why not', async () => {
    const { json, lines } = await subscribers('weekly', 'list');
    const by = new RegExp(`^added by ${target.operator}, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC$`);
    expect(json).toMatchObject({
      subscribers: [
        { address: 'ada@example.com', gets: false, why: expect.stringMatching(/^removed by /) },
        { address: 'alan@example.com', gets: true, why: 'configured in cdk.json' },
        { address: 'grace@example.com', gets: true, why: 'configured in cdk.json' },
        { address: 'late@example.com', gets: true, why: expect.stringMatching(by) },
        { address: 'later@example.com', gets: true, why: expect.stringMatching(by) },
      ],
    });
    expect(lines).toContain('4 subscribers of "weekly" get the next mail.');
    expect(await subscribers('weekly', 'add', 'LATE@example.com')).toMatchObject({
      json: { report: 'weekly', added: 0, known: 1 },
      lines: ['Added 0 subscribers to "weekly".', '1 address was already subscribed.'],
    });
    const nobody = await subscribers('weekly', 'remove', 'nobody@example.com');
    expect(nobody.json).toMatchObject({ removed: 0, absent: 1 });
    expect((await subscribers('weekly', 'add', 'ADA@example.com')).json).toMatchObject({ added: 1 });
    expect((await subscribers('weekly', 'list')).lines).toContain('5 subscribers of "weekly" get the next mail.');
  });

  test('come from a CSV file, and get the next run', async () => {
    const path = join(folders.state, 'people.csv');
    const people = Array.from({ length: 20 }, (_, index) => `Person ${index};person${index}@example.com`);
    await writeFile(path, ['Name;Email', ...people, 'Again;Person0@Example.com'].join('\r\n'));
    const answer = await subscribers('monthly', 'import', path);
    expect(answer.json).toEqual({ report: 'monthly', added: 20, known: 0, removed: 0, withheld: [] });
    expect(answer.lines.at(-1)).toBe('1 address repeated another.');
    const exported = await subscribers('monthly', 'export');
    expect(exported.lines).toHaveLength(22);
    expect(exported.lines.slice(0, 2)).toEqual([
      '"email","added by","at"',
      '"katherine@example.com","configuration",""',
    ]);
    expect(exported.lines[2]).toMatch(/^"person0@example\.com","local user[^"]*","\d{4}-\d\d-\d\dT[^"]*Z"$/);
    await writeFile(path, exported.lines.join('\n'));
    expect((await subscribers('monthly', 'import', path)).json).toMatchObject({ added: 0, known: 21 });
    // The same file as before is no decision about who was removed since.
    await subscribers('monthly', 'remove', 'person7@example.com', 'stranger@example.com');
    await writeFile(path, [...exported.lines, '"stranger@example.com","",""'].join('\n'));
    expect(await subscribers('monthly', 'import', path)).toMatchObject({
      json: { added: 0, known: 20, removed: 2 },
      lines: expect.arrayContaining(['2 addresses were removed before, and not added: add whom you mean by name.']),
    });
    expect((await subscribers('monthly', 'add', 'person7@example.com')).json).toMatchObject({ added: 1, removed: 0 });

    // It is held by its settings, and not because the operator says so.
    expect(await run('monthly', { ...plain, at: '2026-11-01T14:00:00Z' })).toMatchObject({
      code: 2,
      json: { run: 'monthly_2026-10', state: 'held', balance: { intended: 21, held: 21, balanced: true } },
    });
  });
});

test('a report is switched on, paused and resumed, each of which is recorded once, and an operator runs it whatever it is', async () => {
  const [on, off] = [resumeCommand, pauseCommand];
  for (const work of [off, on, off, off, on, on]) await work(target, reportOf('daily'));
  await run('daily', { ...plain, at: '2026-11-14T07:30:00Z', hold: true });
  const actions = await readActions(target.table, 'daily');
  expect(actions.map(({ what }) => what)).toEqual(['resume', 'pause', 'resume', 'hold']);
});

describe('an address', () => {
  const address = 'Leaver@example.com';
  const [hash, since] = [hashOf(address), '2026-11-01T08:00:00Z'];
  const toLift = expect.stringMatching(/: addresses lift ADDRESS$/);

  test('that is suppressed is listed with its reason, gets no mail, is said so to who adds it, and is lifted with a yes', async () => {
    await suppress(target.table, hash, { reason: 'bounce', at: since });
    expect(await subscribers('daily', 'add', address)).toMatchObject({
      json: { added: 1, withheld: [{ address }] },
      lines: [
        'Added 1 subscriber to "daily".',
        `${address} gets no mail: suppressed by a bounce since 2026-11-01 08:00 UTC.`,
        toLift,
      ],
    });
    const list = await listAddresses(target);
    expect(list.json).toEqual({ addresses: [{ address, why: 'bounce', report: null, since }], forgotten: 0 });
    expect(list.lines[1]).toMatch(/^leaver@example\.com +bounce +2026-11-01/i);
    const { json } = await run('daily', { ...plain, at: '2026-11-10T07:30:00Z' });
    expect(json).toMatchObject({ balance: { intended: 3, sent: 2, suppressed: 1, balanced: true } });
    const test = await sendTest('daily', '2026-11-10T07:30:00Z', address, true);
    expect(test).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('suppressed by a bounce'), 'Nothing was sent.', toLift],
    });
    await expect(liftAddresses(target, [address], { yes: false })).rejects.toThrow('Re-run with --yes to confirm.');
    expect((await lift(address)).json).toEqual({ lifted: 1, fromAccount: null });
    expect((await listAddresses(target)).json).toMatchObject({ addresses: [] });
  });

  test('that unsubscribed is asked about before a test, listed as getting nothing, and comes back by no lift, but on its word', async () => {
    await recordLeft(target.table, hash, { name: 'daily' }, { left: true, at: since });
    const test = sendTest('daily', '2026-11-10T07:30:00Z', address);
    await expect(test).rejects.toThrow(`Unsubscribed from "daily": ${address}. Send the test all the same?`);
    expect((await sendTest('daily', '2026-11-10T07:30:00Z', address, true)).json).toMatchObject({ sent: 1 });
    const { lines } = await subscribers('daily', 'list');
    expect(lines.find((line) => line.startsWith(address))).toMatch(/ no +unsubscribed since 2026-11-01 08:00 UTC$/);
    const way = expect.stringMatching(/: addresses rejoin REPORT ADDRESS$/);
    expect(lines.slice(-2)).toEqual(['2 subscribers of "daily" get the next mail.', way]);
    await recordLeft(target.table, hash, { name: 'weekly' }, { left: true, at: since });
    await suppress(target.table, hash, { reason: 'bounce', at: new Date().toISOString() });
    const rejoin = (yes: boolean) => rejoinReport(target, reportOf('daily'), address, { yes });
    await expect(rejoin(false)).rejects.toThrow('left "daily" 2026-11-01 08:00 UTC. Only that person may');
    expect((await rejoin(true)).lines[0]).toMatch(/^Not left any more; no mail all the same: suppressed/);
    await recordLeft(target.table, hash, { name: 'daily' }, { left: true, at: since });
    expect((await lift(address)).lines.at(-1)).toEqual(way);
    expect(await rejoin(true)).toMatchObject({ json: { gets: true }, lines: [`${address} gets "daily" again.`] });
    expect((await rejoin(true)).json).toEqual({ rejoined: false });
    expect((await subscribers('daily', 'list')).lines.at(-1)).toBe('3 subscribers of "daily" get the next mail.');
    expect((await listAddresses(target)).json).toMatchObject({
      addresses: [{ why: 'unsubscribed', report: 'weekly' }],
    });
    expect((await readActions(target.table, 'daily')).at(-1)).toMatchObject({ what: 'rejoin-address' });
  });

  test('is shown with the reports that it gets or does not get and why, and what became of its last mails', async () => {
    const [grace, daily] = [hashOf('grace@example.com'), { name: 'daily' }];
    await recordLeft(target.table, grace, daily, { left: true, at: since });
    await recordLeft(target.table, grace, daily, { left: false, at: '2026-11-02T08:00:00Z' });
    const { json, lines } = await showAddress(target, 'grace@example.com');
    expect(lines).toContainEqual(expect.stringMatching(/ daily 2026-11-01 .* 2026-11-02 /));
    expect(json).toMatchObject({
      reports: [
        { report: 'weekly', gets: true, why: 'configured in cdk.json' },
        { report: 'daily', gets: true },
        { report: 'monthly', gets: false, why: 'not a subscriber' },
      ],
      accountList: [],
      mails: [
        { run: 'weekly_2026-W46', outcome: 'sent', events: [expect.stringMatching(/^delivered /)] },
        { run: 'daily_2026-11-13', outcome: 'held' },
        { run: 'daily_2026-11-09', outcome: 'sent' },
      ],
    });
    expect(lines).toContainEqual(expect.stringMatching(/^weekly +yes +configured in cdk.json$/));
    expect(await showAddress(target, 'nobody@example.com')).toMatchObject({ json: { mails: [] }, code: 0 });
  });

  test('that is forgotten is nowhere, and gets no mail until it is added again with a yes, to that report alone', async () => {
    const refused = await forget('grace@example.com');
    expect(refused).toMatchObject({ code: 1, json: { forgotten: false, configured: ['weekly', 'daily'] } });
    await subscribers('monthly', 'add', address);
    // The ledger knows it, and cdk.json no longer does.
    await addMembers(target.table, 'gone', [{ hash, address }], { by: 'operator', at: since });
    await recordReportSeen(target.table, { name: 'gone' }, since);
    const path = join(folders.state, 'forgotten.csv');
    await writeFile(path, ['email', 'nobody@example.com', address].join('\n'));
    expect((await forget('nobody@example.com')).json).toMatchObject({ forgotten: true, stored: false });
    expect((await forget(address.toUpperCase())).json).toMatchObject({ forgotten: true, stored: true });
    expect(JSON.stringify(await Array.fromAsync(target.scan())).toLowerCase()).not.toContain('leaver');
    expect((await listAddresses(target)).json).toEqual({ addresses: [], forgotten: 2 });
    expect(await subscribers('daily', 'import', path)).toMatchObject({
      json: { added: 0 },
      lines: expect.arrayContaining(['2 addresses were forgotten, and not added.']),
    });
    await lift(address);
    await expect(subscribers('daily', 'add', address)).rejects.toThrow('known again, and added? Re-run with --yes');
    expect(await sendTest('daily', '2026-11-10T07:30:00Z', address, true)).toMatchObject({ code: 1 });
    const next = await run('daily', { ...plain, at: '2026-11-11T07:30:00Z' });
    expect(next.json).toMatchObject({ balance: { intended: 2, sent: 2, balanced: true } });
    const shown = await show('daily_2026-11-09', { messages: true });
    expect(shown.json).toMatchObject({
      messages: expect.arrayContaining([{ to: 'forgotten', outcome: 'suppressed', messageId: null }]),
    });
    const added = await subscribersCommand(target, reportOf('daily'), 'add', [address], { yes: true });
    expect(added).toMatchObject({ json: { added: 1, withheld: [] } });
    for (const name of ['monthly', 'gone']) expect((await readMembers(target.table, { name })).has(hash)).toBe(false);
  });
});

describe('a note', () => {
  const known = new Set<string>();
  const notes = ['Screens <b>return</b>.', 'They are back.', 'Never mind.'];
  const noteIn = (part: string): string =>
    notes.find((text) => part.replaceAll('\n', ' ').includes(english.say('note.team', { text }))) ?? 'nothing';
  /** The notes that both parts of the mails have that came since the last look. */
  const heard = async (): Promise<string[]> => {
    const parts = (await readMails(folders.out, known)).flatMap(({ email }) => Object.values(shownParts(email)));
    return [...new Set(parts.map(noteIn))];
  };

  test('is refused where it is not one paragraph of 500 characters', async () => {
    for (const text of ['', 'two\nlines', 'a\u0007', 'a'.repeat(501)]) {
      await expect(say(text)).rejects.toThrow('The note: Expected a text of 1 to 500 characters on one line');
    }
    await expect(say('a', true)).rejects.toThrow('Give the text of a note, or --clear.');
  });

  test('is in tests until a run takes it, is another one before that is released, and is in no other digest', async () => {
    await heard();
    const held = '2026-11-04T07:30:00Z';
    await say('Screens <b>return</b>.');
    await sendTest('daily', held);
    expect(await heard()).toEqual(['Screens <b>return</b>.']);
    await run('daily', { ...plain, at: held, hold: true });
    expect((await statusCommand(target)).lines.join()).toMatch(
      /next digest of "daily" has this note \(local user .*<b>/,
    );
    await run('daily', { ...plain, at: '2026-11-05T07:30:00Z' });
    expect(await heard()).toEqual(['nothing']);
    await say('They are back.');
    await sendTest('daily', held);
    const { json } = await releaseCommand(target, 'daily_2026-11-03', { yes: false });
    expect([await heard(), json]).toMatchObject([['They are back.'], { state: 'done' }]);
    await say('Never mind.');
    expect((await say(undefined, true)).json).toMatchObject({ note: null });
    await run('daily', { ...plain, at: '2026-11-06T07:30:00Z' });
    expect(await heard()).toEqual(['nothing']);
  });
});

describe('one subscriber', () => {
  const [at, name, to] = ['2026-11-12T07:30:00Z', 'daily_2026-11-11', 'returned@example.com'];
  const order = (over: object = {}) => run('daily', { ...plain, at, to: [to], ...over });
  const sentTo = async (): Promise<number> => (await addressesOf()).filter((address) => address === to).length;
  const letAnHourPass = (): Promise<boolean> =>
    target.table.update(messageKey(name, hashOf(to)), { set: { claimedAt: Date.now() - 3_600_000 } });

  test('who has come back gets what the run has stored, and nobody else does, and none before there is something', async () => {
    await expect(order()).rejects.toThrow('has no digest yet');
    await subscribers('daily', 'add', to);
    await suppress(target.table, hashOf(to), { reason: 'bounce', at });
    expect((await run('daily', { ...plain, at })).json).toMatchObject({ balance: { suppressed: 1 } });
    await expect(order()).rejects.toThrow('suppressed by a bounce');
    await lift(to);
    await subscribers('daily', 'add', 'newer@example.com');
    const asked = account.requests.length;
    expect((await order()).json).toMatchObject({ state: 'done', balance: { suppressed: 0, sentNow: 1 } });
    expect([account.requests.length, await sentTo()]).toEqual([asked, 1]);
    await expect(order({ to: ['newest@example.com'] })).rejects.toThrow('not a subscriber');
  });

  test('who has it gets it again by an answer to that question alone, once however often that is ordered, in the same row', async () => {
    await expect(order({ yes: true, again: true })).rejects.toThrow('within the last 15 minutes');
    await letAnHourPass();
    await expect(order({ yes: true })).rejects.toThrow('Re-run with --again to confirm.');
    expect(await sentTo()).toBe(1);
    const answers = await Promise.all([order({ again: true }), order({ again: true })]);
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(await sentTo()).toBe(2);
    const rows = (await show(name, { messages: true })).lines.filter((line) => line.startsWith(to));
    expect(rows).toEqual([expect.stringMatching(/  sent  .*sent before \d{4}-/)]);
    const ordered = (await readActions(target.table, 'daily')).filter(({ run, detail }) => run === name && detail);
    const ends = ordered
      .map(({ detail, outcome }) => `${detail}: ${outcome?.error?.code ?? outcome?.state}`)
      .toSorted();
    const [one, more] = ['to one subscriber', 'once more to one subscriber'];
    expect(ends).toEqual([`${more}: already-sent`, `${more}: done`, `${one}: done`]);
  });
});
