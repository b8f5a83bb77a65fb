import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { weekAt } from '../sample-account/calendar.ts';
import { deliveriesOfWeek } from '../sample-account/schedule.ts';
import { hasBrowser, startBrowser } from './browser.ts';
import { accounts, languages, renderMail } from './samples/corpus.ts';
import { loadTemplates } from '../../build/load-templates.ts';

/** A mail, and how large it may be. */
interface Measured {
  name: string;
  html: string;
  text: string;
  most: { bytes: number; lines?: number; pixels?: number };
}

const command = fileURLToPath(new URL('../start.ts', import.meta.url));
const usualWeek = '2026-11-16T08:00:00Z';

/**
 * Prints how large three mails are: the sample account's usual week, its largest month of a year, and one of 400 deliveries of
 * eight content items. Gives whether each is within its limits.
 */
export async function measureMails(): Promise<boolean> {
  const month = largestMonth(Temporal.Instant.from(usualWeek));
  const mails: Measured[] = [
    {
      name: 'sample week',
      ...(await runSample('weekly', usualWeek)),
      most: { bytes: 40_000, lines: 120, pixels: 2600 },
    },
    {
      name: `largest month, ${month.toString()}`,
      ...(await runSample('monthly', `${month.add({ months: 1 }).toString()}-02T12:00:00Z`)),
      most: { bytes: 60_000 },
    },
    { name: '400 deliveries of 8', ...(await renderMany()), most: { bytes: 60_000 } },
  ];
  const browser = hasBrowser ? await startBrowser() : null;
  let isWithin = true;
  for (const { name, html, text, most } of mails) {
    const page = await browser?.newPage({ viewport: { width: 600, height: 800 } });
    await page?.setContent(html);
    const pixels = Number((await page?.evaluate('document.documentElement.scrollHeight')) ?? Number.NaN);
    const found = { bytes: Buffer.byteLength(html), lines: text.trimEnd().split('\n').length, pixels };
    const sizes = `${found.bytes} bytes of html, ${found.lines} lines of text, ${found.pixels} px high at 600 px`;
    const faults = (['bytes', 'lines', 'pixels'] as const).filter((unit) => found[unit] > (most[unit] ?? Infinity));
    process.stdout.write(`${name}: ${sizes}${faults.map((unit) => `; more than ${most[unit]} ${unit}`).join('')}\n`);
    isWithin &&= faults.length === 0;
  }
  await browser?.close();
  return isWithin;
}

/** The mail that the sample account's report has at an instant. */
async function runSample(report: string, at: string): Promise<{ html: string; text: string }> {
  const root = await mkdtemp(join(tmpdir(), 'measure-'));
  const out = join(root, 'out');
  try {
    const flags = ['--report', report, '--at', at, '--to', 'ada@example.com', '--no-view', '--out', out];
    await promisify(execFile)(process.execPath, [command, ...flags, '--state', join(root, 'state')]);
    const names = await readdir(out);
    const read = async (ending: string) =>
      await readFile(join(out, names.find((name) => name.endsWith(ending)) ?? ''), 'utf8');
    return { html: await read('.html'), text: await read('.txt') };
  } finally {
    await rm(root, { recursive: true, maxRetries: 3 });
  }
}

async function renderMany(): Promise<{ html: string; text: string }> {
  const sample = accounts['400 deliveries of 8'];
  if (sample === undefined) throw new Error('There is no such sample.');
  return renderMail(await loadTemplates('templates'), '400 deliveries of 8', sample, languages[0]);
}

/** The month with the most deliveries of the twelve before an instant. */
function largestMonth(before: Temporal.Instant): Temporal.PlainYearMonth {
  const last = before.toZonedDateTimeISO('UTC').toPlainDate().toPlainYearMonth();
  const months = Array.from({ length: 12 }, (_, index) => last.subtract({ months: 12 - index }));
  const weeks = Array.from({ length: 60 }, (_, index) => weekAt(before.epochMilliseconds) - index);
  const delivered = weeks
    .flatMap((week) => deliveriesOfWeek(week))
    .filter(({ cancelled, unseen }) => !cancelled && !unseen);
  const counts = Map.groupBy(delivered, ({ deliverMs }) => new Date(deliverMs).toISOString().slice(0, 7));
  const countOf = (month: Temporal.PlainYearMonth): number => counts.get(month.toString())?.length ?? 0;
  return months.reduce((largest, month) => (countOf(month) > countOf(largest) ? month : largest));
}

if (import.meta.main) process.exitCode = (await measureMails()) ? 0 : 1;
