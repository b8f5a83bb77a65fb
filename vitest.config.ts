import { defineConfig } from 'vitest/config';

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
