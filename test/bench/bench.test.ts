import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('the short benchmark prints every row and leaves them in its file', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const out = join(folder, 'bench.json');
    const { stdout } = await run(process.execPath, ['test/bench/main.ts', '--short', '--out', out]);
    const { short, rows }: { short: boolean; rows: Array<{ what: string; figure: number }> } = JSON.parse(
      await readFile(out, 'utf8'),
    );
    const subjects = rows.map(({ what }) => what.replace(/[ ,].*/, ''));
    expect([short, new Set(subjects)]).toEqual([
      true,
      new Set([
        'bundle',
        '`npm',
        '`npx',
        'load',
        'processor',
        'a',
        '100',
        'the',
        'collecting',
        'requests',
        'time',
        'peak',
      ]),
    ]);
    for (const { what, figure } of rows) {
      expect(stdout).toContain(`| ${what}`);
      expect(figure).toBeGreaterThanOrEqual(0);
    }
    expect(rows.find(({ what }) => what.startsWith('requests made'))?.figure).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
