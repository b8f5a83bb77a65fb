// Makes a message from a digest (html, text, MIME), in our way or by MJML at run time.
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { createRenderer, type RenderInput } from '../../../functions/render/render.ts';
import { mailLimits } from '../../../functions/render/input.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { viewDigest } from '../../../functions/render/view.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestOfRows } from '../mail/digest-of-rows.ts';
import { createRunTimeMjml } from '../mail/run-time-mjml.ts';
import { median, readInput, report } from '../measurement.ts';

const { way, rows, repetitions, warmUps } = readInput(
  v.object({ way: v.picklist(['ours', 'mjml']), rows: v.number(), repetitions: v.number(), warmUps: v.number() }),
);

const folder = fileURLToPath(new URL('../../../templates', import.meta.url));
const templates = await loadTemplates(folder);
const input: RenderInput = {
  digest: digestOfRows(rows),
  report: { title: 'Weekly broadcast digest', locale: 'en', settleHours: 48, statuses: ['delivered'] },
  mail: {
    brand: { name: 'Harbour Leisure', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
    broadcastLink: 'https://reporting.example.com/broadcasts/{broadcastId}',
    footer: { why: 'You manage a team at Harbour Leisure.', contact: 'Ask comms@example.com.' },
    csvAttachment: false,
  },
  canUnsubscribe: true,
  page: null,
};
const subscriber = {
  to: 'ada@example.com',
  unsubscribeLink: `https://unsubscribe.example.com/?token=${'a'.repeat(300)}`,
};
const settings = {
  mail: { ...input.mail, from: 'digest@example.com' },
  report: { ...input.report, name: 'weekly' },
};

// What a run makes once: the renderer.
const render = createRenderer(templates);
report(way === 'ours' ? await measureOurs() : { ms: await measureMjml() });

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
  const language = createLanguage('en', templates.locales['en'] ?? fail(), input.digest.period.timeZone);
  const section = { ...input, ...language, limits: mailLimits, hasPage: false, hasFile: false };
  const view = viewDigest(section, { logo: null, file: 'none', canUnsubscribe: true, test: false, page: null });
  const { text, csv, logo } = render(input);
  return await typicalMs(async () => {
    const html = await fill(view);
    return (await createMimeComposer({ subject: view.subject, html, text, csv, logo }, settings))(subscriber);
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

function fail(): never {
  throw new Error('The templates have no English.');
}
