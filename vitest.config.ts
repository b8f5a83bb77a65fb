import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Each file's worker, and each process that a test starts, loads the same modules: Node compiles them once.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two cores; a third worker uses them while the others wait for a process or a clock.
    maxWorkers: 3,
  },
});
