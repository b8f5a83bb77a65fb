import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/digest/schema.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { composeDraft } from '../../../functions/run/send/mime.ts';
import { loadTemplates, templatesFolder } from '../../build/load-templates.ts';
import type { CommandResult } from '../command-line/result.ts';

// A draft is a digest in a mail that a person addresses and sends. It has no links that only a deployed stack answers, and neither
// the brand's name nor a footer: it comes from that person, and until somebody has configured them they are another company's.

/**
 * Writes a digest to `draft/` in the folder for mails, as `<run>.eml`, with its html and its files beside it for mail programs
 * that take it for a received message. Returns what is said of it, and on a desktop, where it `isShown`, what opens it.
 */
export async function makeDraft(
  out: string,
  digest: Digest | null,
  { report, mail, isShown }: { report: ReportConfiguration; mail: Configuration['mail']; isShown: boolean },
): Promise<Pick<CommandResult, 'lines' | 'view'>> {
  if (digest === null) return { lines: [] };
  const brand = { ...mail.brand, name: '' };
  const shown = { ...mail, brand, footer: { why: '', contact: '' }, workbook: 'attached' as const };
  const render = createRenderer(await loadTemplates(templatesFolder, mail.logo));
  const rendered = await render({ digest, report, mail: shown, canUnsubscribe: false, page: null });
  const { subject, html, files, logo } = rendered;
  const folder = join(out, 'draft');
  const file = join(folder, `${digest.run}.eml`);
  const page = join(folder, 'latest.html');
  await mkdir(folder, { recursive: true });
  await writeFile(file, await composeDraft(rendered));
  await writeFile(page, html.replaceAll(`cid:${logo?.contentId}`, `data:image/png;base64,${logo?.png}`));
  for (const { name, content } of files) await writeFile(join(folder, name), content);
  const opener = isShown ? findOpener(process.platform, process.env) : null;
  return {
    lines: [
      `The draft is ${file}`,
      `${opener === null ? 'Open it with your mail program' : 'Your mail program opens it now'}, as a new message. Add who gets it, and send it.`,
      `If it opens as a message that you received (new Outlook, web mail): open ${page} in a browser, select all, copy, and paste into a new mail. Attach the workbook, where there is one beside it.`,
      `The subject: ${subject}`,
    ],
    view: opener === null ? undefined : () => openWith(opener, file),
  };
}

/** The command that opens the file whose path follows it with the desktop's program for such files; `null` where there is no desktop. */
export function findOpener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] | null {
  if (platform === 'darwin') return ['open'];
  // The desktop is Windows, whose paths are others.
  if (env['WSL_DISTRO_NAME']) return ['sh', '-c', 'explorer.exe "$(wslpath -w "$0")"'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null;
}

/** Opens a file, and does not wait for the program, which lives on. Where there is none, the path has been said. */
async function openWith([command = '', ...args]: string[], file: string): Promise<void> {
  const opened = spawn(command, [...args, resolve(file)], { detached: true, stdio: 'ignore' });
  opened.unref();
  await once(opened, 'spawn').catch(() => undefined);
}
