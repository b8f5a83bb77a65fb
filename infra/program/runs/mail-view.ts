import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import { startMessageView } from '../../local/viewer/outbox-view.ts';

// Mails of a stored digest, rendered with this repository's templates.

const templates = fileURLToPath(new URL('../../../templates', import.meta.url));
/** Shown as the recipient, since a view of a run shows no address. */
const anySubscriber = 'subscriber@example.com';

/** A digest, and the link to its page. */
interface Content {
  digest: Digest;
  page: string | null;
}

/** Shows a digest's mail in the browser. */
export async function openMailView(configuration: Configuration, content: Content): Promise<Loopback> {
  const { rendered, report } = await renderMail(configuration, content);
  const compose = await createMimeComposer(rendered, { mail: configuration.mail, report });
  return startMessageView(content.digest.run, { raw: compose({ to: anySubscriber }), at: new Date() });
}

/** Writes the html of a digest's mail to a file. Returns its path. */
export async function writeMail(file: string, configuration: Configuration, content: Content): Promise<string> {
  const { rendered } = await renderMail(configuration, content);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, rendered.html);
  return file;
}

async function renderMail({ reports, mail }: Configuration, { digest, page }: Content) {
  const report = reports.find(({ name }) => name === digest.report);
  if (report === undefined) throw new Error(`The digest is of a report "${digest.report}" that is not configured.`);
  const render = createRenderer(await loadTemplates(templates, mail.logo));
  return { report, rendered: render({ digest, report, mail, canUnsubscribe: false, page }) };
}
