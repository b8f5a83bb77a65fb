/**
 * Breaks the product on purpose, one line at a time, and asks the tests whether they notice: the behaviours of `forty.json`,
 * and random changes of single lines. Each is tried in this checkout, so that it must be clean and of no other use meanwhile.
 * The same breaks are tried before and after a large change of the tests; they are known by the text of their lines, wherever
 * these have moved to.
 *
 *     node test/breaks/run.ts choose 150 1     writes random.json: so many changes of lines, of this seed
 *     node test/breaks/run.ts try RESULTS      tries all of forty.json and random.json that RESULTS does not have yet
 */
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Break {
  room: string;
  name: string;
  find: string;
  put: string;
}

interface Result {
  name: string;
  /** The line is gone, or is there more than once: nothing was tried. */
  result: 'caught' | 'survived' | 'out of time' | 'gone';
  file?: string;
  seconds?: number;
  by?: string;
}

const here = import.meta.dirname;
const root = join(here, '../..');
/** So long a break is looked for: by the tests beside its file, and then by all tests that import it. */
const longestMs = { beside: 300_000, related: 600_000 };

/** Changes that a line may get: each pattern, and what it becomes. */
const changes: ReadonlyArray<readonly [RegExp, string]> = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? /, ' && '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bif \((?!!)/, 'if (!'],
  [/\breturn (?=\w+\()/, 'return void '],
  [/\b([1-9]\d*)\b(?!')/, '0'],
];

function productionFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', 'functions', 'infra'], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function choose(count: number, seed: number): void {
  const random = randomOf(seed);
  const lines = productionFiles()
    .filter((file) => !file.includes('/samples/'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((line) => ({ file, line })),
    );
  const often = Map.groupBy(lines, ({ line }) => line.trim());
  const candidates = lines.filter(
    ({ line }) =>
      line.trim().length > 24 &&
      !/^\s*(\/\/|\/?\*|import |export (interface|type)|\} from)/.test(line) &&
      often.get(line.trim())?.length === 1 &&
      changes.some(([pattern]) => pattern.test(line)),
  );
  const chosen = new Map<string, Break>();
  while (chosen.size < count) {
    const { file, line } = candidates[Math.floor(random() * candidates.length)] ?? candidates[0]!;
    const fitting = changes.filter(([pattern]) => pattern.test(line));
    const [pattern, becomes] = fitting[Math.floor(random() * fitting.length)] ?? fitting[0]!;
    const find = line.trim();
    chosen.set(find, { room: file, name: `${file}: ${find.slice(0, 80)}`, find, put: find.replace(pattern, becomes) });
  }
  writeFileSync(join(here, 'random.json'), listOf([...chosen.values()]));
}

function listOf(all: readonly object[]): string {
  return `[\n${all.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`;
}

async function tryAll(resultsFile: string): Promise<void> {
  const breaks = ['forty.json', 'random.json'].flatMap((name): Break[] =>
    JSON.parse(readFileSync(join(here, name), 'utf8')),
  );
  const results: Result[] = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : [];
  const done = new Set(results.map(({ name }) => name));
  for (const each of breaks.filter(({ name }) => !done.has(name))) {
    results.push(await tryOne(each));
    writeFileSync(resultsFile, listOf(results));
    process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
  }
}

async function tryOne({ name, find, put }: Break): Promise<Result> {
  const holding = productionFiles().filter((file) => readFileSync(join(root, file), 'utf8').includes(find));
  const [file] = holding;
  const text = file === undefined ? '' : readFileSync(join(root, file), 'utf8');
  if (file === undefined || holding.length > 1 || text.split(find).length !== 2) return { name, result: 'gone' };
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  try {
    writeFileSync(
      join(root, file),
      text.replace(find, () => put),
    );
    const beside = join('test', file.split('/').slice(0, 3).join('/'));
    for (const [stage, dir] of [
      ['beside', beside.replace(/\/[^/]*\.ts$/, '')],
      ['related', ''],
    ] as const) {
      const { outcome, by } = await test(file, dir, longestMs[stage]);
      if (outcome === 'caught') return { name, result: 'caught', file, seconds: seconds(), by };
      if (outcome === 'out of time' && stage === 'related')
        return { name, result: 'out of time', file, seconds: seconds() };
    }
    return { name, result: 'survived', file, seconds: seconds() };
  } finally {
    writeFileSync(join(root, file), text);
  }
}

/** Runs the tests that import the file, below a folder, to the first red. */
async function test(file: string, dir: string, timeoutMs: number): Promise<{ outcome: Result['result']; by: string }> {
  const args = ['vitest', 'related', file, '--run', '--bail=1', '--passWithNoTests', '--no-color'];
  if (dir !== '') args.push(`--dir=${dir}`);
  const child = spawn('npx', args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isOutOfTime = false;
  const timer = setTimeout(() => {
    isOutOfTime = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, timeoutMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  const by = /FAIL\s+(?:\|[^|]*\|\s*)?(\S+\.test\.ts)/.exec(output)?.[1] ?? '';
  if (isOutOfTime) return { outcome: 'out of time', by: '' };
  return { outcome: code === 0 ? 'survived' : 'caught', by };
}

const [command, first = '', second = ''] = process.argv.slice(2);
if (command === 'choose') choose(Number(first), Number(second));
else if (command === 'try') await tryAll(first);
else throw new Error('expected "choose COUNT SEED" or "try RESULTS"');
