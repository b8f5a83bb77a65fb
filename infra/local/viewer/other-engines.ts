import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A mail as a file that a browser shows, and as one that a mail program shows. */
export interface MailFiles {
  html: string;
  eml: string;
}

export type Scheme = 'light' | 'dark';

/** How a picture is taken, and where it is left. */
interface Shot {
  profile: string;
  width: number;
  picture: string;
}

/** A program that shows a mail, with the arguments that it is started with. */
interface Engine {
  name: string;
  program: string;
  /** It takes the picture itself; else the screen that it is shown on is taken. */
  paintsItself?: boolean;
  start: (files: MailFiles, shot: Shot) => string[];
}

/** A mail is cut where the screen ends. */
const height = 2800;

const engines: readonly Engine[] = [
  {
    name: 'firefox',
    program: '/usr/bin/firefox-esr',
    paintsItself: true,
    start: ({ html }, { profile, width, picture }) => [
      ...['--headless', '--profile', profile, '--no-remote'],
      ...['--screenshot', picture, `--window-size=${width},${height}`, `file://${html}`],
    ],
  },
  {
    name: 'webkitgtk',
    program: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    start: ({ html }, { width }) => [`--geometry=${width}x${height}`, `file://${html}`],
  },
  {
    name: 'thunderbird',
    program: '/usr/bin/thunderbird',
    start: ({ eml }, { profile }) => ['--profile', profile, '--no-remote', eml],
  },
];

/** Debian's virtual screen, and ImageMagick's picture of it. */
const tools = ['/usr/bin/Xvfb', '/usr/bin/import'];
/** What a program needs to start and to paint, on a busy machine. */
const paintingMs = 15_000;
/** The engines beside Chromium that are installed, where there is a virtual screen for them. */
export const otherEngines = engines.filter(({ program }) => [program, ...tools].every((file) => existsSync(file)));

/** Paints a mail in another engine, on a virtual screen of its own. */
export async function paintInEngine(
  engine: Engine,
  files: MailFiles,
  { scheme, width, display }: { scheme: Scheme; width: number; display: number },
  picture: string,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'engine-'));
  const profile = join(home, 'profile');
  await mkdir(profile);
  await writeFile(join(profile, 'user.js'), preferences(scheme));
  const screen = spawn('/usr/bin/Xvfb', [`:${display}`, '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp']);
  const theme = scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita';
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    DISPLAY: `:${display}`,
    GTK_THEME: theme,
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  await wait(1000);
  // A group of its own, so that the processes that it starts end with it.
  const shown = spawn(engine.program, engine.start(files, { profile, width, picture }), {
    env: environment,
    stdio: 'ignore',
    detached: true,
  });
  try {
    await wait(paintingMs);
    if (engine.paintsItself !== true)
      await promisify(execFile)('/usr/bin/import', ['-window', 'root', picture], { env: environment });
  } finally {
    endGroup(shown);
    screen.kill();
    await wait(1000);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Mozilla's settings: the scheme, and none of the pages that a new profile begins with. */
function preferences(scheme: Scheme): string {
  const settings = {
    'ui.systemUsesDarkTheme': scheme === 'dark' ? 1 : 0,
    'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    'mail.dark-reader.enabled': true,
    'browser.shell.checkDefaultBrowser': false,
    'mail.shell.checkDefaultClient': false,
    'browser.aboutwelcome.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'mail.provider.suppress_dialog_on_startup': true,
    'mail.spotlight.firstRunDone': true,
    'app.donation.eoy.version.viewed': 999,
    'mailnews.start_page.enabled': false,
  };
  return Object.entries(settings)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid);
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
