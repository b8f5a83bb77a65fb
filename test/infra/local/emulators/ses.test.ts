import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetSendQuotaCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSes, type Ses } from '../../../../infra/local/emulators/ses.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
let outDir: string;
let part: Ses;
let client: SESClient;

beforeEach(() => {
  folder = temporaryFolder();
  outDir = join(folder, 'outbox');
});
afterEach(async () => {
  client.destroy();
  await part.close();
});

async function start(): Promise<void> {
  part = await startSes({ outDir, stateDir: join(folder, 'state') });
  const credentials = { accessKeyId: 'AKIARUN', secretAccessKey: 'x' };
  client = new SESClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 });
}

const mail = `From: Digest <digest@example.com>
To: Anna <anna@example.com>
Subject: =?utf-8?Q?W=C3=B6chentlich?=
Message-ID: <mine@example.com>
Date: Mon, 01 Jan 2024 00:00:00 +0000
X-Long: one
 two
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Gr=C3=BC=C3=9Fe
--b
Content-Type: text/html; charset=utf-8

<p>Grüße</p>
--b--
`.replaceAll('\n', '\r\n');

function command(): SendRawEmailCommand {
  return new SendRawEmailCommand({
    Source: 'digest@example.com',
    Destinations: ['anna@example.com'],
    RawMessage: { Data: Buffer.from(mail) },
    ConfigurationSetName: 'digest',
  });
}

/** The events that are left from earlier. */
async function eventsLeft(): Promise<unknown[]> {
  const events: unknown[] = [];
  part.deliverEvents((event) => Promise.resolve(void events.push(event)));
  await part.eventsSettled();
  return events;
}

test('an accepted message is in the outbox before the answer, with the Message-ID and Date of SES and no other change', async () => {
  await start();
  const { MessageId } = await client.send(command());
  expect(MessageId).toMatch(/^0102[0-9a-f]{12}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-000000$/);
  expect((await readdir(outDir)).toSorted()).toEqual([`${MessageId}.eml`, `${MessageId}.html`, `${MessageId}.txt`]);
  const eml = await readFile(join(outDir, `${MessageId}.eml`), 'utf8');
  const stamp = `Message-ID: <${MessageId}@eu-west-1.amazonses.com>\r\nDate: `;
  const [before = '', after = ''] = eml.split(stamp);
  const date = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000/.exec(after)?.[0] ?? 'none';
  const unstamped = mail.replaceAll(/(?:Message-ID|Date): .*\r\n/g, '');
  expect(before.trimEnd() + after.replace(date, '')).toBe(unstamped);
  expect(await readFile(join(outDir, `${MessageId}.html`), 'utf8')).toContain('<p>Grüße</p>');
  expect(await readFile(join(outDir, `${MessageId}.txt`), 'utf8')).toContain('Grüße');
  expect(await client.send(new GetSendQuotaCommand({}))).toMatchObject({ Max24HourSend: -1 });
});

test('events that nobody took, or a listener rejected, are delivered by the next start, in order and once', async () => {
  await start();
  const { MessageId } = await client.send(command());
  await part.close();
  await start();
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  part.deliverEvents(() => Promise.reject(new Error('not now')));
  await part.eventsSettled();
  expect(printed.mock.calls).toEqual([[expect.stringContaining(MessageId ?? 'none')]]);
  printed.mockRestore();
  await part.close();
  await start();
  expect(await eventsLeft()).toMatchObject([
    { 'detail-type': 'Email Sent', detail: { mail: { messageId: MessageId } } },
    { 'detail-type': 'Email Delivered' },
  ]);
  expect(await eventsLeft()).toEqual([]);
});
