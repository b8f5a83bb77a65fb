import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import mjml2html from 'mjml';
import * as v from 'valibot';
import type { Digest } from '../../functions/domain/digest.ts';
import { createMimeComposer } from '../../functions/run/send/mime.ts';
import { createRenderer, viewDigest } from '../../functions/render/render.ts';
import { mailLimits } from '../../functions/render/input.ts';
import { createLanguage } from '../../functions/render/texts/language.ts';
import { loadTemplates } from '../../infra/build/load-templates.ts';
import { content, delivery, digest, input as inputOf } from '../support/digests/pieces.ts';
import { measureTimes, median, readInput, report, round, type Extent, type Row } from './measurement.ts';

const mjmlSchema = v.object({ ms: v.number() });
const oursSchema = v.object({ ...mjmlSchema.entries, furtherMs: v.number() });

const targets = [
  { rows: 20, timesLess: 20 },
  { rows: 200, timesLess: 15 },
  { rows: 1_000, timesLess: 10 },
];
/** A run's digest is rendered and encoded once for all of its subscribers. */
const subscribers = 20;
/** A run has one first message, so it may take as long as a mail library needs to encode it: nobody waits for it. */
const firstMsAtMost = 10;

/** A message of a run of twenty subscribers, against MJML at run time. */
export async function messageRows({ times, short }: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of short ? targets.slice(0, 1) : targets) {
    const input = { rows: target.rows, repetitions: short ? 1 : 9, warmUps: short ? 1 : 900 };
    const ours = await measureTimes(times, 'message', { ...input, way: 'ours' }, oursSchema);
    const mjml = await measureTimes(times, 'message', { ...input, way: 'mjml' }, mjmlSchema);
    const mjmlMs = median(mjml.map(({ ms }) => ms));
    const firstMs = median(ours.map(({ ms }) => ms));
    const furtherMs = median(ours.map((run) => run.furtherMs));
    const meanMs = (firstMs + (subscribers - 1) * furtherMs) / subscribers;
    const timesLess = mjmlMs / meanMs;
    rows.push({
      what: `a message of ${target.rows} rows (html, text, MIME), one of ${subscribers}`,
      against: `MJML at run time on the same data, ${round(mjmlMs)} ms`,
      measured: `${round(meanMs)} ms: the first ${round(firstMs)} ms, each further one ${round(furtherMs)} ms`,
      figure: timesLess,
      target: `at least ${target.timesLess} times less${target.rows === 200 ? `, the first under ${firstMsAtMost} ms` : ''}`,
      met: timesLess >= target.timesLess && (target.rows !== 200 || firstMs < firstMsAtMost),
    });
  }
  return rows;
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

const folder = fileURLToPath(new URL('../../templates', import.meta.url));
export const subscriber = {
  to: 'ada@example.com',
  unsubscribeLink: `https://unsubscribe.example.com/?token=${'a'.repeat(300)}`,
};

/** Makes a message from a digest (html, text, MIME), in our way or by MJML at run time. */
async function measureMessage(): Promise<void> {
  const { way, rows, repetitions, warmUps } = readInput(
    v.object({ way: v.picklist(['ours', 'mjml']), rows: v.number(), repetitions: v.number(), warmUps: v.number() }),
  );
  const templates = await loadTemplates(folder);
  const sample = inputOf(digestOfRows(rows));
  const input = { ...sample, canUnsubscribe: true, mail: { ...sample.mail, csvAttachment: false } };
  const settings = {
    mail: { ...input.mail, from: 'digest@example.com' },
    report: { ...input.report, name: 'weekly' },
  };
  // What a run makes once: the renderer.
  const render = createRenderer(templates);

  /** The first message of a run, and a further one. */
  async function measureOurs(): Promise<{ ms: number; furtherMs: number }> {
    const compose = await createMimeComposer(render(input), settings);
    return {
      ms: await typicalMs(async () => (await createMimeComposer(render(input), settings))(subscriber), 10),
      furtherMs: await typicalMs(() => compose(subscriber), 100),
    };
  }

  /** Html by MJML, text and MIME as ours: what differs is when the template is compiled. */
  async function measureMjml(): Promise<number> {
    const fill = await createRunTimeMjml(folder);
    const language = createLanguage('en', templates.locales['en']!, input.digest.period.timeZone);
    const section = { ...input, ...language, limits: mailLimits, page: null, files: 'none' as const };
    const view = viewDigest(section, { logo: null, canUnsubscribe: true, test: false });
    const { text, files, logo } = render(input);
    return await typicalMs(async () => {
      const html = await fill(view);
      return (await createMimeComposer({ subject: view.subject, html, text, files, logo }, settings))(subscriber);
    }, 10);
  }

  /** The median of some repetitions of as many `times` each, in milliseconds. */
  async function typicalMs(work: () => unknown, times: number): Promise<number> {
    const turn = async (count: number): Promise<number> => {
      const begun = performance.now();
      for (let time = 0; time < count; time += 1) await work();
      return (performance.now() - begun) / count;
    };
    // A run of many subscribers, and a server that sends many mails, are warm.
    await turn(warmUps);
    const turns: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) turns.push(await turn(times));
    return median(turns);
  }

  report(way === 'ours' ? await measureOurs() : { ms: await measureMjml() });
}

/**
 * The digest's own template as one would use it without a build: filled with data by Handlebars, and made into html by
 * MJML for every message. Its files are read and its Handlebars is compiled once.
 */
async function createRunTimeMjml(folder: string): Promise<(view: unknown) => Promise<string>> {
  const fill = Handlebars.compile(await inline(path.join(folder, 'digest.mjml')), { knownHelpersOnly: true });
  return async (view) => {
    const { html } = await mjml2html(fill(view), { validationLevel: 'skip', keepComments: false, fonts: {} });
    return html;
  };
}

/** A template with the files that it includes. */
async function inline(file: string): Promise<string> {
  const source = await readFile(file, 'utf8');
  const parts: string[] = [];
  for (const part of source.split(/(<mj-include path="[^"]+" \/>)/)) {
    const included = /^<mj-include path="([^"]+)"/.exec(part)?.[1];
    parts.push(included === undefined ? part : await inline(path.join(path.dirname(file), included)));
  }
  return parts.join('');
}

if (import.meta.main) await measureMessage();
