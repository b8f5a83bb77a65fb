import { fileURLToPath } from 'node:url';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
import { reportByName } from '../../../functions/domain/report-names.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import { startMessageView } from '../../local/viewer/outbox-view.ts';

const templates = fileURLToPath(new URL('../../../templates', import.meta.url));
/** Shown as the recipient, since a view of a run shows no address. */
const anySubscriber = 'subscriber@example.com';

/** Shows a digest's mail in the browser, rendered with this repository's templates and the link `page` to its page. */
export async function openMailView(
  configuration: Configuration,
  { digest, page }: { digest: Digest; page: string | null },
): Promise<Loopback> {
  const report = reportByName(configuration.reports, digest.report);
  if (report === undefined) throw new Error(`The digest is of a report "${digest.report}" that is not configured.`);
  const { mail } = configuration;
  const render = createRenderer(await loadTemplates(templates, mail.logo));
  const rendered = render({ digest, report, mail, canUnsubscribe: false, page });
  const compose = await createMimeComposer(rendered, { mail, report });
  return startMessageView(digest.run, { raw: compose({ to: anySubscriber }), at: new Date() });
}
