import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runStart, type Ended } from '../support/commands.ts';
import {
  copyRepository,
  createFolders,
  readDigestFile,
  readMails,
  readReceiptFile,
  type Folders,
} from '../support/start-folders.ts';

// The state folder was written by the first release, which was killed twice: while it collected the week from 26 October,
// and after SES had accepted the messages to Ada, Bea and Cai of the week from 9 November. The week from 2 November it
// rehearsed, so that its digest is stored and nothing is sent.
const stored = join(import.meta.dirname, 'state-of-the-first-release');
const subscribers = ['ada', 'bea', 'cai', 'dan', 'eva', 'fay'].map((name) => `${name}@example.com`);

let repository: string;
let folders: Folders;

beforeAll(async () => {
  // The rows of these runs begin to expire some day, and a run is sealed before that.
  repository = await copyRepository((text) => {
    const json: { context: { digest: Record<string, unknown> } } = JSON.parse(text);
    json.context.digest['ledger'] = { keepMonths: 120 };
    return JSON.stringify(json);
  });
  folders = await createFolders();
  await cp(stored, folders.state, { recursive: true });
  await putAcceptedMail();
});
afterAll(async () => {
  await folders.remove();
  await rm(repository, { recursive: true });
});

/** SES's events of the third mail were not delivered when the run was killed. They name the mail, which is in that outbox. */
async function putAcceptedMail(): Promise<void> {
  const outbox = join(folders.out, '..', 'outbox-of-the-first-release');
  await mkdir(outbox);
  const events = join(folders.state, 'ses-events');
  for (const name of await readdir(events)) {
    const text = await readFile(join(events, name), 'utf8');
    await writeFile(join(events, name), text.replaceAll('OUTBOX', outbox));
    await writeFile(join(outbox, name.replace(/json$/, 'eml')), 'accepted');
  }
}

function run(at: string): Promise<Ended> {
  const to = subscribers.flatMap((address) => ['--to', address]);
  return runStart([...folders.flags, '--at', at, '--no-view', ...to], { repository });
}

/** Whom the mails of a run in the outbox went to. */
async function mailed(week: string): Promise<string[]> {
  const mails = await readMails(folders.out);
  return mails.filter(({ source }) => source.includes(week)).map(({ to }) => to);
}

test('a run that the first release had planned is collected and sent to everybody', async () => {
  const { code, stdout } = await run('2026-11-02T08:00:00Z');
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(await mailed('weekly_2026-10-26')).toEqual(subscribers);
});

test('a run whose digest the first release had stored is sent without a request to the service', async () => {
  const { code, stdout } = await run('2026-11-09T08:00:00Z');
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(await mailed('weekly_2026-11-02')).toEqual(subscribers);
  // The run says when it was rehearsed: nothing was collected again.
  const { collectedAt, schemaVersion, broadcasts, deliveries, totals, trend } = await readDigestFile(folders);
  expect(collectedAt).toBe('2026-11-22T05:01:04+00:00');
  // Its broadcasts are those of its deliveries, and its figures of earlier weeks are no more than it has.
  expect(schemaVersion).toBe(2);
  expect(broadcasts.flatMap((broadcast) => broadcast.deliveries).toSorted()).toEqual(
    deliveries.map(({ id }) => id).toSorted(),
  );
  const asking = broadcasts.filter(({ asks }) => asks === true);
  expect(totals.asked?.seen).toBe(asking.reduce((sum, { inPeriod }) => sum + (inPeriod?.seen ?? 0), 0));
  expect(totals.asked?.seen).toBeLessThan(totals.seen ?? 0);
  expect(totals.previous).toMatchObject({ seen: expect.any(Number), asked: null, responseRate: null });
  expect(trend?.map(({ responseRate }) => responseRate)).toEqual([null, totals.responseRate]);
});

test('a run that the first release had half sent goes to the others alone, and is accounted for', async () => {
  const { code, stdout } = await run('2026-11-16T08:00:00Z');
  expect(await mailed('weekly_2026-11-09')).toEqual(['dan@example.com', 'eva@example.com', 'fay@example.com']);
  const { balance } = await readReceiptFile(folders);
  expect({ code, balance }, stdout).toMatchObject({
    code: 0,
    balance: { intended: 6, sent: 6, sentNow: 3, unknown: 0, balanced: true },
  });
});
