import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Digest } from '../../functions/domain/digest.ts';
import { createPageRenderer } from '../../functions/render/page.ts';
import { createRenderer } from '../../functions/render/render.ts';
import { createMimeComposer } from '../../functions/run/send/mime.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { manyDeliveries } from '../support/digests/corpus.ts';
import { content, delivery, digest, input as inputOf } from '../support/digests/pieces.ts';
import { measureTimes, median, readInput, report, round, type Extent, type Row } from './measurement.ts';
import { measurePace } from './pace.ts';

const schema = v.object({ firstMs: v.number(), furtherMs: v.number(), pageMs: v.number(), pageBytes: v.number() });

/** The first message of a run may take as long as a mail library needs to encode it: nobody waits for it. */
const firstMsUnder = 10;
/** A two hundredth of a second is what SES leaves for each message at the rate of the bench of sending. */
const furtherMsUnder = 5;
/** A reader waits for the page, and loads so much in a second on a slow phone. */
const pageMsUnder = 100;
const pageBytesAtMost = 100_000;

/** What a digest takes to become messages and a page, in a function that is warm. */
export async function renderingRows({ times, short }: Extent): Promise<Row[]> {
  const measured = await measureTimes(times, 'rendering', { repetitions: short ? 1 : 25 }, schema);
  const pace = short ? 1 : await measurePace(times);
  const medianOf = (figure: keyof (typeof measured)[number]): number => median(measured.map((run) => run[figure]));
  const row = (what: string, ms: number, msUnder: number): Row => {
    const figure = ms / pace;
    const clock = `${round(figure)} ms (by the clock here, ${round(pace)} times as slow, ${round(ms)} ms)`;
    return { what, against: '', measured: clock, figure, target: `under ${msUnder} ms`, met: figure < msUnder };
  };
  const bytes = medianOf('pageBytes');
  return [
    row('the first message of 200 rows (html, text, MIME)', medianOf('firstMs'), firstMsUnder),
    row('each further message of it', medianOf('furtherMs'), furtherMsUnder),
    row('a page of 400 deliveries, each with 8 content items', medianOf('pageMs'), pageMsUnder),
    {
      what: 'that page, gzipped',
      against: '',
      measured: `${round(bytes / 1000)} KB`,
      figure: bytes / 1000,
      target: `at most ${pageBytesAtMost / 1000} KB`,
      met: bytes <= pageBytesAtMost,
    },
  ];
}

/** A week's digest with so many rows: deliveries, each with four content items. A row is either. */
export function digestOfRows(rows: number): Digest {
  const types = ['text', 'rating', 'poll', 'video'];
  const ratings = { count: 64, mean: 4.19, histogram: { '1': 2, '2': 3, '3': 8, '4': 19, '5': 32 } };
  return digest({
    otherStatuses: { scheduled: 2 },
    deliveries: Array.from({ length: rows / (types.length + 1) }, (_, index) =>
      delivery({
        id: String(index),
        kind: index % 2 === 0 ? 'new' : 'active',
        stillCounting: index % 5 === 0,
        broadcast: {
          id: String(100_000 + index),
          name: `Pool & gym: what changes at site ${index}`,
          createdAt: '2026-11-09T09:30:00+00:00',
          createdBy: 'Zoë Müller-Lang',
        },
        seen: 200 + index,
        responded: 50 + index,
        contents: types.map((type, place) =>
          content({
            id: String(index * types.length + place),
            type,
            listed: 400 + index,
            seen: 200 + index + place,
            responded: 50 + index + place,
            ...(type === 'rating' ? { ratings } : {}),
          }),
        ),
      }),
    ),
  });
}

export const subscriber = {
  to: 'ada@example.com',
  unsubscribeLink: `https://unsubscribe.example.com/?token=${'a'.repeat(300)}`,
};

/** Makes messages from a digest (html, text, MIME), and a page, and reports the typical time of each. */
async function measureRendering(): Promise<void> {
  const { repetitions } = readInput(v.object({ repetitions: v.number() }));
  const templates = await loadTemplates(fileURLToPath(new URL('../../templates', import.meta.url)));
  const sample = inputOf(digestOfRows(200));
  const input = { ...sample, canUnsubscribe: true, mail: { ...sample.mail, csvAttachment: false } };
  const settings = {
    mail: { ...input.mail, from: 'digest@example.com' },
    report: { ...input.report, name: 'weekly' },
  };
  // What a run makes once: the renderer.
  const render = createRenderer(templates);
  const compose = await createMimeComposer(render(input), settings);
  const { renderPage } = createPageRenderer(templates);
  const page = { ...inputOf(manyDeliveries()), files: '', earlier: [] };

  /** The median of some repetitions of ten each, in milliseconds, once as many have made it warm. */
  async function typicalMs(work: () => unknown): Promise<number> {
    const turns: number[] = [];
    for (let turn = 0; turn < 2 * repetitions; turn += 1) {
      const begun = performance.now();
      for (let time = 0; time < 10; time += 1) await work();
      turns.push((performance.now() - begun) / 10);
    }
    return median(turns.slice(repetitions));
  }

  report({
    firstMs: await typicalMs(async () => (await createMimeComposer(render(input), settings))(subscriber)),
    furtherMs: await typicalMs(() => compose(subscriber)),
    pageMs: await typicalMs(() => renderPage(page)),
    pageBytes: gzipSync(renderPage(page)).length,
  });
}

if (import.meta.main) await measureRendering();
