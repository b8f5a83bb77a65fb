// Renders the page of a large digest, warm: what a further reader of it waits for.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { manyDeliveries } from '../../support/digests/corpus.ts';
import { input } from '../../support/digests/pieces.ts';
import { median, readInput, report } from '../measurement.ts';

const { repetitions, warmUps } = readInput(v.object({ repetitions: v.number(), warmUps: v.number() }));

const templates = await loadTemplates(fileURLToPath(new URL('../../../templates', import.meta.url)));
const { renderPage } = createPageRenderer(templates);
const page = { ...input(manyDeliveries()), csv: 'rows.csv', earlier: [] };

const times: number[] = [];
let html = '';
for (let turn = 0; turn < warmUps + repetitions; turn += 1) {
  const begun = performance.now();
  html = renderPage(page);
  if (turn >= warmUps) times.push(performance.now() - begun);
}
report({ ms: median(times), bytes: gzipSync(html).length });
