import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Digest } from '../../functions/domain/digest.ts';
import { startService } from '../support/service/service.ts';
import type { ServiceAnswers } from '../support/service/answers.ts';
import { runStart } from '../support/commands.ts';
import { blocksOf, shownParts } from '../support/start-figures.ts';
import { createFolders, readDigestFile, readMails, type OutboxMail } from '../support/start-folders.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const hostileNames = [
  '<script>alert(1)</script>',
  '</td></table><h1>Taken over',
  '{{brand}} {{{title}}} {{#each groups}}',
  '<img src=x onerror=alert(1)>',
  'Line\r\nBcc: injected@example.com\r\n\r\nbody',
  'Bell\u0007 nul\u0000 escape\u001B[31m',
  '=HYPERLINK("http://evil.example","Prize")',
  "it's & <!-- not a comment -->",
];

/** Statuses of the last deliveries; some have the names of what every object inherits. */
const hostileStatuses = ['<i>{{status}}', 'constructor', '__proto__', 'toString'];

/** An account that tries everything: its texts are hostile, and there is more of it than any mail can hold. */
const hostile: ServiceAnswers = {
  deliveries: () =>
    Array.from({ length: 600 }, (_, index) => ({
      delivery: {
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        broadcast: { id: String(index), name: hostileNames[index] ?? `${'<b>&'.repeat(60)} ${index}` },
        status: hostileStatuses[599 - index] ?? 'delivered',
      },
    })),
  broadcast: (id) => ({
    broadcast: {
      id,
      name: hostileNames[Number(id)] ?? `${'<b>&'.repeat(60)} ${id}`,
      created: { by: { id: '7', firstName: '<u>Eve', lastName: '{{footer}}' }, at: '2026-11-09T09:00:00+00:00' },
    },
    contents: Array.from({ length: 4 }, (_, index) => ({ id: `${id}${index}`, type: `<b>{{type}}${'x'.repeat(300)}` })),
  }),
  recipients: (id) =>
    Array.from({ length: Math.max(1, 20 - Number(id.slice(-12))) }, () => ({
      seenAt: '2026-11-11T09:00:00+00:00',
      respondedAt: '2026-11-11T09:05:00+00:00',
    })),
  contentRecipients: () => [{ seenAt: '2026-11-11T09:00:00+00:00', respondedAt: null }],
};

describe('the mail of an account that is as large and as hostile as can be', () => {
  let mail: OutboxMail;
  let digest: Digest;

  beforeAll(async () => {
    const folders = await createFolders();
    const service = await startService({ answers: hostile });
    try {
      const { environment } = service;
      const flags = ['--service-url', service.url, '--at', '2026-11-16T08:00:00Z', '--to', 'ada@example.com'];
      const { code } = await runStart([...flags, ...folders.flags], { environment });
      expect(code).toBe(0);
      const [only] = await readMails(folders.out);
      if (only === undefined) throw new Error('There is no mail.');
      mail = only;
      digest = await readDigestFile(folders);
    } finally {
      await service.close();
      await folders.remove();
    }
  });

  /** The lines of the file that is attached, headings first. */
  function linesOfFile(): string[] {
    const [file, ...others] = mail.email.attachments.filter(({ mimeType }) => mimeType === 'text/csv');
    if (!(file?.content instanceof ArrayBuffer) || others.length > 0) throw new Error('There is not one CSV file.');
    return new TextDecoder().decode(file.content).trimEnd().split('\r\n');
  }

  test('Promise 7: its html is under 60,000 bytes, and how many broadcasts it leaves out is said', () => {
    const { html = '' } = mail.email;
    expect(digest.deliveries.length).toBe(596);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(Buffer.byteLength(html)).toBeGreaterThan(20_000);
    const shown = shownParts(mail.email);
    const leftOut = [shown.html, shown.text].map((part) => Number(/([\d,]+) more broadcasts/.exec(part)?.[1]));
    expect(leftOut[0]).toBeGreaterThan(500);
    expect(leftOut[1]).toBe(leftOut[0]);
    // A line of headings, and one for each delivery and each of its four content items.
    expect(linesOfFile().length).toBe(1 + 596 * 5);
  });

  test('Promise 4: a status is counted and shown, whatever it is called', () => {
    expect(Object.entries(digest.otherStatuses).toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual(
      hostileStatuses.toSorted((one, other) => (one < other ? -1 : 1)).map((word) => [word, 1]),
    );
    const { html, text } = shownParts(mail.email);
    for (const part of [html, text]) {
      for (const word of ['constructor', 'proto', 'to string']) expect(part).toContain(`1 ${word}`);
    }
  });

  test('Promise 9: what the service wrote is shown as text, and nothing else', () => {
    const { html = '', text = '', subject = '', headers, to } = mail.email;
    const shown = shownParts(mail.email);
    for (const part of [shown.html, shown.text]) {
      expect(blocksOf(part, hostileNames.slice(0, 4)).length).toBe(4);
      for (const name of hostileNames.slice(0, 4)) expect(part).toContain(name);
    }
    const tags = ['<script', '<img src=x', '<h1>Taken', '<b>&<b>', '<u>Eve', '<i>{{', '<!-- not'];
    expect(tags.filter((tag) => html.includes(tag))).toEqual([]);
    const controls = /[^\P{Cc}\t\r\n]/u;
    expect([html, text, subject].filter((part) => controls.test(part))).toEqual([]);
    const formulas = /(?:^|,)"?[=+\-@][^,]*HYPERLINK/;
    expect(linesOfFile().filter((line) => formulas.test(line))).toEqual([]);
    expect(linesOfFile().filter((line) => line.includes('HYPERLINK')).length).toBe(5);
    expect(headers.filter(({ key }) => key === 'bcc')).toEqual([]);
    expect(to).toEqual([{ address: 'ada@example.com', name: '' }]);
  });
});
