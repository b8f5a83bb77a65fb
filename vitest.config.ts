import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Each worker, and each process that a test starts, loads the same modules: Node compiles them once.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

const all = 'test/**/*.test.ts';
/** What takes minutes: `npm run test:long`. */
const long = 'test/**/*.long.test.ts';
const walks = 'test/e2e/*.test.ts';
/** Tests of a stage or a part. Those that measure time by the clock, or start processes, are better alone. */
const units = globSync(['test/*.test.ts', 'test/{functions,infra}/**/*.test.ts', 'test/mail/{clients,facts}.test.ts'], {
  exclude: [long, 'test/infra/local/{emulators,state,viewer}/**'],
});
/** A module or a client that a test replaces would be replaced for the next file, too. What else it replaces it gives back. */
const replaces = /vi\.mock\(|mockClient\(/;
const sharing = units.filter((file) => !replaces.test(readFileSync(file, 'utf8')));

/** A walk starts processes and waits for them. */
const slow = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    globalSetup: 'test/support/repository.ts',
    setupFiles: ['test/support/setup.ts'],
    // A test that hangs costs seconds, not minutes. One that takes more than two says so itself.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two cores; a third worker would load all modules once more.
    maxWorkers: 2,
    projects: [
      // To start a worker and to load the modules takes most of these files longer than their tests.
      { extends: true, test: { name: 'sharing a worker', include: sharing, isolate: false } },
      {
        extends: true,
        // The tool of `npm run mutants` has packages of its own.
        test: { name: 'a worker each', include: [all], exclude: [...sharing, walks, long, 'test/mutants/**'] },
      },
      // Projects are begun in the order of their names: the walks through a whole system, which take longest and mostly
      // wait, come first, so that none of them is left over at the end. They leave nothing replaced behind them.
      {
        extends: true,
        test: { name: 'a walk after another', include: [walks], exclude: [long], isolate: false, ...slow },
      },
      { extends: true, test: { name: 'long', include: [long], ...slow } },
    ],
  },
});
