import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder, median, round, type Extent, type Row } from './measurement.ts';
import { measurePace } from './pace.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const cacheFolder = join(repository, 'node_modules/.cache');

/** README's commands, and the seconds that each may take where nothing has changed since the last one, at the reference pace. */
const commands = [
  { what: 'npm start -- --no-view', atMost: 2.5 },
  { what: 'npm run ops -- runs --local', atMost: 0.8 },
  { what: 'npx cdk synth -q', atMost: 4 },
] as const;

/**
 * What people wait for, by the clock: README's commands, npm included, with and without what was kept of earlier ones. On a
 * slower machine, or one that others use too, they may take longer in proportion.
 */
export async function commandRows(extent: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const command of commands) rows.push(await commandRow(command, extent));
  return rows;
}

async function commandRow({ what, atMost }: (typeof commands)[number], { times, short }: Extent): Promise<Row> {
  // The short form runs beside other tests, which use the cache, too.
  const cold = short ? null : await coldSecondsOf(what);
  const warm: number[] = [];
  const paces: number[] = [];
  for (let time = 0; time < times; time += 1) {
    warm.push(await secondsOf(what));
    paces.push(await measurePace(1));
  }
  const clock = median(warm);
  const pace = median(paces);
  const seconds = clock / pace;
  return {
    what: `\`${what}\``,
    against: cold === null ? '' : `with an empty cache ${round(cold)} s by the clock`,
    measured: `${round(seconds)} s (by the clock here, ${round(pace)} times as slow, ${round(clock)} s)`,
    figure: seconds,
    target: `at most ${atMost} s`,
    met: seconds <= atMost,
  };
}

async function coldSecondsOf(command: string): Promise<number> {
  await rm(cacheFolder, { recursive: true, force: true });
  return await secondsOf(command);
}

/** The seconds that a command takes, on state of its own. Throws where it fails. */
async function secondsOf(command: string): Promise<number> {
  return await inTemporaryFolder(async (folder) => {
    const [program = '', ...args] = [...command.split(' '), ...folderFlags(command, folder)];
    // A command that only reads refuses a ledger that does not exist.
    await mkdir(join(folder, 'state', 'sample'), { recursive: true });
    const begun = performance.now();
    const child = spawn(program, args, { cwd: repository, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const [code]: unknown[] = await once(child, 'close');
    if (code !== 0) throw new Error(`"${command}" ended with ${String(code)}: ${said}`);
    return (performance.now() - begun) / 1000;
  });
}

function folderFlags(command: string, folder: string): string[] {
  if (command.includes('synth')) return ['-o', join(folder, 'cdk.out')];
  return ['--state', join(folder, 'state'), '--out', join(folder, 'outbox')];
}
