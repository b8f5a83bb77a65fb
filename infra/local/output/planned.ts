import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { messageIdOf } from '../../../functions/ledger/runs/messages.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
import { createUnsubscribeLinks } from '../../../functions/signed-links/links.ts';
import { withUnsubscribeLink } from '../../../functions/signed-links/unsubscribe-placeholder.ts';
import { reportByName } from '../../../functions/domain/report-names.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import { linkToPageOf } from '../pages/page-link.ts';
import type { System } from '../system.ts';
import { nameMessages } from './folder.ts';

const templates = fileURLToPath(new URL('../../../templates', import.meta.url));

/** Writes the messages that a run of `system` would send: `<message>.eml`, with its html and text beside it, and named for people. */
export async function writePlanned(
  folder: string,
  configuration: Configuration,
  { digest, receipt }: { digest: Digest; receipt: Receipt },
  system: Pick<System, 'table' | 'pages' | 'leaving'>,
): Promise<void> {
  const report = reportByName(configuration.reports, digest.report);
  if (report === undefined) throw new Error(`The digest is of a report "${digest.report}" that is not configured.`);
  const { mail } = configuration;
  const rendered = createRenderer(await loadTemplates(templates, mail.logo))({
    digest,
    report,
    mail,
    canUnsubscribe: true,
    page: await linkToPage(system, configuration, receipt.run),
  });
  const compose = await createMimeComposer(rendered, { mail, report });
  const linkOf = createUnsubscribeLinks({ ...system.leaving, now: new Date() });
  await mkdir(folder, { recursive: true });
  const ids: string[] = [];
  for (const { to, outcome } of receipt.messages) {
    if (outcome !== 'planned' && outcome !== 'held') continue;
    const id = messageIdOf(digest.run, to);
    ids.push(id);
    const path = join(folder, id);
    const unsubscribeLink = await linkOf(report.name, to);
    await writeFile(`${path}.html`, withUnsubscribeLink(rendered.html, unsubscribeLink));
    await writeFile(`${path}.txt`, withUnsubscribeLink(rendered.text, unsubscribeLink));
    await writeFile(`${path}.eml`, compose({ to, unsubscribeLink }));
  }
  await nameMessages(folder, digest.run, ids);
}

/** The link to the page of a run's digest; `null` where mails lead to none. */
async function linkToPage(
  { table, pages }: Pick<System, 'table' | 'pages'>,
  { reports, mail }: Configuration,
  name: string,
): Promise<string | null> {
  const run = await findNamedRun(table, reports, name);
  if (run === null || pages === null) return null;
  return await linkToPageOf(run, pages, { days: mail.pageDays, now: new Date() });
}
