import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Each worker, and each process that a test starts, loads the same modules: Node compiles them once.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

const all = 'test/**/*.test.ts';
/** Tests of a stage or a part. Those that measure time by the clock, or start processes, are better alone. */
const units = globSync(['test/{functions,infra}/**/*.test.ts', 'test/mail/{clients,facts}.test.ts'], {
  exclude: [
    'test/functions/reporting-service/**',
    'test/functions/run/send/**',
    'test/infra/local/{emulators,state,viewer}/**',
  ],
});
/** What a test replaces for its whole process would be replaced for the next file, too. */
const replaces = /vi\.(?:mock|spyOn|useFakeTimers|stub\w+)\(|mockClient\(|process\.env/;
const sharing = units.filter((file) => !replaces.test(readFileSync(file, 'utf8')));

/** The walks through a whole system take longest, and mostly wait: begun first, none of them is left over at the end. */
class WalksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWalk = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/e2e/');
    return [...sorted.filter(isWalk), ...sorted.filter((file) => !isWalk(file))];
  }
}

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two cores; a third worker uses them while the others wait for a process or a clock.
    maxWorkers: 3,
    sequence: { sequencer: WalksFirst },
    projects: [
      // To start a worker and to load the modules takes most of these files longer than their tests.
      { extends: true, test: { name: 'sharing a worker', include: sharing, isolate: false } },
      { extends: true, test: { name: 'a worker each', include: [all], exclude: sharing } },
    ],
  },
});
