import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two cores, and every end-to-end test starts processes of its own.
    maxWorkers: 2,
  },
});
