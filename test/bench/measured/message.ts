// Makes a message from a digest (html, text, MIME) in our way, and by MJML at run time, in turns.
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import * as v from 'valibot';
import { createMimeComposer } from '../../../functions/run/mime.ts';
import { createRenderer, type RenderInput } from '../../../functions/run/render.ts';
import { createHtmlRenderer } from '../../../functions/run/render/html.ts';
import { createLanguage } from '../../../functions/run/render/language.ts';
import { viewDigest } from '../../../functions/run/render/view.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestOfRows } from '../mail/digest-of-rows.ts';
import { createRunTimeMjml } from '../mail/run-time-mjml.ts';
import { median, readOrder, report } from '../measurement.ts';

const { rows, repetitions } = readOrder(v.object({ rows: v.number(), repetitions: v.number() }));

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
  canLeave: true,
};
const subscriber = { to: 'ada@example.com', leaveLink: `https://leave.example.com/?token=${'a'.repeat(300)}` };
const envelope = {
  from: { name: 'Harbour Leisure', address: 'digest@example.com' },
  list: { report: 'weekly', title: 'Weekly broadcast digest' },
};

// What a run makes once: the renderer.
const render = createRenderer(templates);
const runTimeMjml = await createRunTimeMjml(folder);
const renderDelivery = Handlebars.template(templates.delivery);
const renderContent = Handlebars.template(templates.content);
const language = createLanguage('en', templates.locales['en'] ?? fail(), input.digest.period.timeZone);
const whole = viewDigest({ ...input, logo: null, test: false, file: 'none' }, language);
/** The same rows for both: what MJML is given is what fits into a mail. */
const { view } = createHtmlRenderer(templates)(whole, language);
const { text } = render(input);

async function ours(): Promise<number> {
  const message = await createMimeComposer({ ...envelope, ...render(input) })(subscriber);
  return message.length;
}

/** Html by MJML, text and MIME as ours: what differs is when the template is compiled. */
async function byRunTimeMjml(): Promise<number> {
  const { colours } = view;
  const groups = view.groups.map((group) => ({
    ...group,
    deliveries: group.deliveries.map((delivery) => {
      const contents = delivery.contents.map((content) => renderContent({ ...content, colours })).join('');
      return renderDelivery({ ...delivery, colours, contents });
    }),
  }));
  const html = await runTimeMjml({ ...view, groups });
  const message = await createMimeComposer({ ...envelope, subject: view.subject, html, text })(subscriber);
  return message.length;
}

/** A further subscriber's message of the same run. */
const compose = createMimeComposer({ ...envelope, ...render(input) });
async function oneMore(): Promise<number> {
  return (await compose(subscriber)).length;
}

async function cpuMsOf(work: () => Promise<number>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

for (const work of [ours, byRunTimeMjml, oneMore]) await cpuMsOf(work, 30);
const turns: Array<{ ours: number; mjml: number; oneMore: number }> = [];
for (let turn = 0; turn < repetitions; turn += 1) {
  turns.push({
    ours: await cpuMsOf(ours, 10),
    mjml: await cpuMsOf(byRunTimeMjml, 5),
    oneMore: await cpuMsOf(oneMore, 50),
  });
}
report({
  firstMs: median(turns.map(({ ours }) => ours)),
  furtherMs: median(turns.map(({ oneMore }) => oneMore)),
  mjmlMs: median(turns.map(({ mjml }) => mjml)),
  timesLess: median(turns.map(({ ours, mjml }) => mjml / ours)),
  bytes: await ours(),
});

function fail(): never {
  throw new Error('The templates have no English.');
}
