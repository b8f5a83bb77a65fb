// Counts a recipient list from the bytes of its answer, against JSON.parse of the same bytes, in turns.
import * as v from 'valibot';
import { countEngagement } from '../../../functions/collect/engagement.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { ServiceRequest } from '../../../functions/reporting-service/requests/http.ts';
import { listOf, type Ask } from '../../../functions/reporting-service/lists/pages.ts';
import { median, readInput, report } from '../measurement.ts';
import { writeRecipients } from '../service/account.ts';

const { rows, repetitions } = readInput(v.object({ rows: v.number(), repetitions: v.number() }));

const bytes = Buffer.from(JSON.stringify(writeRecipients('new', rows)));
const request: ServiceRequest = { endpoint: 'recipients', method: 'GET', url: new URL('http://127.0.0.1/v1') };
const headers = new Headers();
/** The bytes as they come from a connection. */
const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
  bytes.subarray(index * 65_536, (index + 1) * 65_536),
);
const ask: Ask = async (_request, createReader) => {
  const reader = createReader();
  for (const chunk of chunks) reader.write(chunk);
  return { status: 200, body: reader.end(), headers, askedAt: 0, receivedAt: 0 };
};
const week = { start: Date.UTC(2026, 10, 9), end: Date.UTC(2026, 10, 16) };
const bounds = { ...week, timeZone: 'Europe/London' };

async function count(times: number): Promise<void> {
  // A tally is a batch's, not a request's.
  const tally = createTally();
  for (let time = 0; time < times; time += 1) {
    const { listed } = await countEngagement(
      listOf(request, { ask, tally, notPaging: [] }),
      { bounds, createdAt: null },
      tally,
    );
    if (listed !== rows) throw new Error(`Counted ${listed} rows of ${rows}.`);
  }
}

async function parse(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!Array.isArray(value)) throw new Error('The bytes are no list.');
  }
}

/** Processor time in microseconds: what else runs on the machine does not count. */
async function cpuOf(work: (times: number) => Promise<void>, times: number): Promise<number> {
  const before = process.cpuUsage();
  await work(times);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const times = Math.max(20, Math.round(20_000 / rows));
// A worker's code is hot: it counts thousands of lists.
await count(times * 20);
await parse(times * 20);
const turns: Array<{ counted: number; parsed: number }> = [];
for (let turn = 0; turn < repetitions; turn += 1) {
  turns.push({ counted: await cpuOf(count, times), parsed: await cpuOf(parse, times) });
}
report({
  ratio: median(turns.map(({ counted, parsed }) => counted / parsed)),
  countedUs: median(turns.map(({ counted }) => counted)),
  parsedUs: median(turns.map(({ parsed }) => parsed)),
});
