import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { createPageRenderer } from '../../functions/render/page.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { manyDeliveries } from '../support/digests/corpus.ts';
import { input } from '../support/digests/pieces.ts';
import { measureTimes, median, readInput, report, round, type Extent, type Row } from './measurement.ts';

const pageSchema = v.object({ ms: v.number(), bytes: v.number() });

/** A reader waits for the page. */
const msUnder = 100;
/** So much is loaded in a second on a slow phone. */
const bytesAtMost = 100_000;

/** The page of a large digest: how long it takes to render in a function that is warm, and how much is sent. */
export async function pageRows({ times, short }: Extent): Promise<Row[]> {
  const input = { repetitions: short ? 1 : 25, warmUps: short ? 1 : 25 };
  const measured = await measureTimes(times, 'page', input, pageSchema);
  const ms = median(measured.map((each) => each.ms));
  const bytes = median(measured.map((each) => each.bytes));
  return [
    {
      what: 'a page of 400 deliveries, each with 8 content items',
      against: 'a reader who waits for it',
      measured: `${round(ms)} ms, ${round(bytes / 1000)} KB gzipped`,
      figure: ms,
      target: `under ${msUnder} ms and ${bytesAtMost / 1000} KB`,
      met: ms < msUnder && bytes <= bytesAtMost,
    },
  ];
}

/** Renders the page, warm: what a further reader of it waits for. */
async function measurePage(): Promise<void> {
  const { repetitions, warmUps } = readInput(v.object({ repetitions: v.number(), warmUps: v.number() }));

  const templates = await loadTemplates(fileURLToPath(new URL('../../templates', import.meta.url)));
  const { renderPage } = createPageRenderer(templates);
  const page = { ...input(manyDeliveries()), files: '', earlier: [] };

  const times: number[] = [];
  let html = '';
  for (let turn = 0; turn < warmUps + repetitions; turn += 1) {
    const begun = performance.now();
    html = renderPage(page);
    if (turn >= warmUps) times.push(performance.now() - begun);
  }
  report({ ms: median(times), bytes: gzipSync(html).length });
}

if (import.meta.main) await measurePage();
