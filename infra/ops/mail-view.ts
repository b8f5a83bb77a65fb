import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../functions/domain/digest.ts';
import { reportCalled } from '../../functions/domain/report-names.ts';
import { createMimeComposer } from '../../functions/run/send/mime.ts';
import { createRenderer } from '../../functions/run/render/render.ts';
import { loadTemplates } from '../build/load-templates.ts';
import { startOutboxView } from '../local/viewer/outbox-view.ts';

const templates = fileURLToPath(new URL('../../templates', import.meta.url));
/** Stands for whoever gets the mail: a view of a run shows no address. */
const anySubscriber = 'subscriber@example.com';

/** A mail in the browser, until it is closed. */
export interface MailView {
  url: string;
  close(): Promise<void>;
}

/** Shows a digest's mail in the browser, rendered with this repository's templates. */
export async function openMailView(configuration: Configuration, digest: Digest): Promise<MailView> {
  const report = reportCalled(configuration.reports, digest.report);
  if (report === undefined) throw new Error(`The digest is of a report "${digest.report}" that is not configured.`);
  const { mail } = configuration;
  const render = createRenderer(await loadTemplates(templates, mail.logo));
  const rendered = render({ digest, report, mail, canUnsubscribe: false });
  const compose = await createMimeComposer(rendered, { mail, report });
  const outDir = await mkdtemp(join(tmpdir(), 'mail-view-'));
  await writeFile(join(outDir, `${digest.run}.eml`), compose({ to: anySubscriber }));
  const view = await startOutboxView({ outDir });
  return {
    url: `${view.url}/${digest.run}`,
    close: async () => {
      await view.close();
      await rm(outDir, { recursive: true });
    },
  };
}
